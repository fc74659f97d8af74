import type { Fault } from '../fault/fault.ts';

/** Hours that an idempotency key is valid. */
export const IDEMPOTENCY_HOURS = 24;

/**
 * Checks an `Idempotency-Key`; undefined if it is valid.
 * @example
 * idempotencyKeyFault('')?.code; // 'invalid_idempotency_key'
 */
export function idempotencyKeyFault(key: string): Fault | undefined {
  if (/^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(key)) return undefined;
  const message = 'Idempotency-Key is 1 to 255 printable ASCII characters.';
  return { path: '', code: 'invalid_idempotency_key', message };
}
