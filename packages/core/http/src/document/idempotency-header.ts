import type { HeaderText } from '../operation/operation.ts';

/**
 * The header field `Idempotency-Key`, for the `headers` of an operation.
 *
 * @param creation what the operation creates: `quote`
 *
 * @example
 * const headers = idempotencyHeader('quote');
 */
export function idempotencyHeader(creation: string): Readonly<Record<string, HeaderText>> {
  return {
    'Idempotency-Key': {
      description: `Chosen by the caller. For 24 hours the same key with the same body returns the same ${creation}; with another body it is 409.`,
      schema: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
      },
    },
  };
}
