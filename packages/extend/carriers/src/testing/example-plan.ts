/** Every kind of table; tests compute its premiums by hand. */
export const examplePlan = {
  format: 1,
  carrier: { key: 'example_mutual', name: 'Example Mutual' },
  version: '1',
  effective: { from: '2026-01-01', until: '2027-01-01' },
  programs: [
    {
      id: 'florida',
      form_types: ['ho3', 'ho5'],
      states: ['fl'],
      base: { field: 'dwelling_a', per: '1000' },
      territories: [
        { id: 'southeast', counties: { fl: ['miami-dade', 'St. Lucie'] }, rate: '12.00' },
        { id: 'keys', zip_prefixes: ['330'], rate: '20.00' },
        { id: 'rest', rate: '6.00' },
      ],
      factors: [
        { id: 'form', field: 'form_type', values: { ho3: '1.00', ho5: '1.20' } },
        {
          id: 'construction',
          field: 'construction_type_options',
          values: { masonry: '0.90', frame: '1.10' },
          otherwise: '1.00',
        },
        {
          id: 'roof-age',
          field: 'roof_age',
          points: [
            [0, '0.80'],
            [10, '1.00'],
            [20, '1.50'],
          ],
        },
        {
          id: 'claims',
          field: 'total_claims',
          bands: [
            [0, '0.95'],
            [1, '1.10'],
            [2, '1.40'],
          ],
          missing: '1.00',
        },
      ],
      minimum_premium: '900.00',
      rounding: { to: '1.00', mode: 'half_up' },
      fees: [
        { code: 'policy_fee', name: 'Policy fee', amount: '25.00' },
        { code: 'fund', name: 'Catastrophe fund', percent: '1.3' },
      ],
      taxes: [{ code: 'tax', name: 'Tax', percent: '2', on: 'premium_and_fees' }],
      coverages: [
        { code: 'dwelling', name: 'Dwelling', percent_of_dwelling: '100' },
        { code: 'liability', name: 'Liability', amount: '300000.00' },
      ],
      deductibles: [{ code: 'hurricane', name: 'Hurricane', percent_of_dwelling: '2' }],
      valid_days: 30,
      quote_url: 'https://example.com/quotes/{number}',
    },
  ],
};
