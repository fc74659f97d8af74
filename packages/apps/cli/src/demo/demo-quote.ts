/** A quote request for an ordinary home in Ocala, Florida, with the required keys and no others. */
export function ocalaQuote(producerEmail: string) {
  return {
    product_code: 'homeowners',
    assigned_producer_email: producerEmail,
    fields: {
      first_name: 'Dana',
      last_name: 'Whitfield',
      insured_email: 'dana@example.com',
      insured_date_of_birth: '1979-04-02',
      insured_phone: '352-555-0142',
      phone_type: 'mobile',
      effective_date: '2026-12-01',
      house_number: '1420',
      street: 'Larkspur Ave',
      city: 'Ocala',
      county: 'Marion',
      state: 'FL',
      zipcode: '34471',
      dwelling_a: 350000,
      square_feet: 1850,
      year_built: 2004,
      roof_year: 2019,
      roof_option: 'architectural shingle',
      roof_shape: 'hip',
      construction_type_options: 'masonry',
      dwelling_type: 'single family',
      protection_class: '3',
      ownership: 'personal',
      occupancy: 'owner occupied',
      usage: 'primary',
    },
  } as const;
}
