import type { HeaderText } from '../operation/operation.ts';

/**
 * The header field `Idempotency-Key`, for the `headers` of an operation.
 *
 * @param made what the operation creates: `quote`
 *
 * @example
 * const headers = idempotencyHeader('quote');
 */
export function idempotencyHeader(made: string): Readonly<Record<string, HeaderText>> {
  return {
    'Idempotency-Key': {
      description: `Of the caller’s own choosing. For 24 hours the same key with the same body answers the same ${made}; with another body it is 409.`,
      schema: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
      },
    },
  };
}
