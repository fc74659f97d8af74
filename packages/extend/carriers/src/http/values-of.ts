import type { CarrierRequest } from '@leeward/quotes';
import type { JsonObject } from '@leeward/terms';

/**
 * What templates and dialects can name of a request. A retry that keeps the idempotency key keeps the reference that the
 * carrier knows as well: the same key with another body would be refused.
 */
export function valuesOf(request: CarrierRequest, idempotencyKey: string): JsonObject {
  return {
    rate_id: idempotencyKey,
    quote_request_id: request.quoteRequestId,
    product_code: request.productCode,
    form_type: request.formType,
    effective_date: request.effectiveDate,
    producer_email: request.producerEmail,
    idempotency_key: idempotencyKey,
    fields: request.fields,
  };
}
