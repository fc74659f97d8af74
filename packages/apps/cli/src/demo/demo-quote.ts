import { exampleQuoteFields } from '@leeward/quotes';

/** A quote request for an ordinary home in Ocala, Florida, with the required keys and no others. */
export function ocalaQuote(producerEmail: string) {
  return {
    product_code: 'homeowners',
    assigned_producer_email: producerEmail,
    fields: exampleQuoteFields,
  } as const;
}
