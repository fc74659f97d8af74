import type { CallContext, CarrierRequest, CarrierTerm, CarrierTier } from '@leeward/quotes';
import type { JsonObject } from '@leeward/terms';

/** By name in templates. `rate_id` is the idempotency key: a retry under it must send the same body, or carriers reject it. */
export function valuesOf(
  request: CarrierRequest,
  idempotencyKey: string,
  { terms = [], tier }: Pick<CallContext, 'terms' | 'tier'> = {},
): JsonObject {
  return {
    rate_id: idempotencyKey,
    quote_request_id: request.quoteRequestId,
    product_code: request.productCode,
    form_type: request.formType,
    effective_date: request.effectiveDate,
    producer_email: request.producerEmail,
    idempotency_key: idempotencyKey,
    fields: request.fields,
    terms: Object.fromEntries(terms.map((term) => [term.name, writeTerm(term)])),
    ...(tier ? { tier: writeTier(tier) } : {}),
  };
}

function writeTier({ of, rank, name, programId }: CarrierTier): JsonObject {
  return { of, rank, program_id: programId, ...(name === undefined ? {} : { name }) };
}

function writeTerm({ min, max, oneOf, applies }: CarrierTerm): JsonObject {
  return {
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(oneOf ? { one_of: [...oneOf] } : {}),
    ...(applies ? { applies } : {}),
  };
}
