import type { JsonObject } from '@leeward/terms';
import { exampleQuoteFields } from '../catalog/example-fields.ts';
import type { CallContext, CarrierRequest } from '../ports/carrier-adapter.ts';

/** An inland home in Florida as stored: exactly the required keys. */
export const exampleFields: JsonObject = { ...exampleQuoteFields, insured_phone: '+13525550142' };

/** A valid request of a team with the producer `agent@example.com`. */
export const exampleBody: JsonObject = {
  product_code: 'homeowners',
  assigned_producer_email: 'agent@example.com',
  fields: exampleFields,
};

/** Example of a request to an adapter. */
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

/** Context of the first call of `exampleRequest`. */
export const exampleCall: CallContext = {
  idempotencyKey: 'rate-1',
  signal: new AbortController().signal,
  deadlineMs: 5000,
  attempt: 1,
};
