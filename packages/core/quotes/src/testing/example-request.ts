import type { JsonObject } from '@leeward/terms';
import type { CallContext, CarrierRequest } from '../ports/carrier-adapter.ts';

/** An inland home in Florida: exactly the required keys. */
export const exampleFields: JsonObject = {
  first_name: 'Dana',
  last_name: 'Whitfield',
  insured_email: 'dana.whitfield@example.com',
  insured_date_of_birth: '1979-04-02',
  insured_phone: '+13525550142',
  phone_type: 'mobile',
  effective_date: '2026-12-01',
  dwelling_a: 350_000,
  square_feet: 1850,
  year_built: 2004,
  roof_year: 2019,
  house_number: '1420',
  street: 'Larkspur Ave',
  city: 'Ocala',
  county: 'Marion',
  state: 'FL',
  zipcode: '34471',
  ownership: 'personal',
  occupancy: 'owner occupied',
  usage: 'primary',
  roof_option: 'architectural shingle',
  roof_shape: 'hip',
  protection_class: '3',
  construction_type_options: 'masonry',
  dwelling_type: 'single family',
};

/** A valid request of a team with the producer `agent@example.com`. */
export const exampleBody: JsonObject = {
  product_code: 'homeowners',
  assigned_producer_email: 'agent@example.com',
  fields: exampleFields,
};

/** Request to an adapter. */
export const exampleRequest = {
  rateId: 'rate-1',
  quoteRequestId: 'quote-1',
  teamId: 'team-1',
  productCode: 'homeowners',
  formType: 'ho3',
  effectiveDate: '2026-12-01',
  producerEmail: 'agent@example.com',
  fields: exampleFields,
} as const satisfies CarrierRequest;

/** Context of its first call. */
export const exampleCall: CallContext = {
  idempotencyKey: 'rate-1',
  signal: new AbortController().signal,
  deadlineMs: 5000,
  attempt: 1,
};
