import { createHash } from 'node:crypto';
import type { Fault } from '@leeward/terms';
import { canonicalJson, exceedsDepth, own } from '@leeward/terms';
import { isTooWide } from './check-fields.ts';

/** How long an idempotency key is honoured. */
export const IDEMPOTENCY_HOURS = 24;

/** What is wrong with an `Idempotency-Key`, if anything. */
export function idempotencyKeyFault(key: string): Fault | undefined {
  if (/^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(key)) return undefined;
  const message = 'Idempotency-Key is 1 to 255 printable ASCII characters.';
  return { path: '', code: 'invalid_idempotency_key', message };
}

/** One hash for all spellings of a body: key order and blanks do not matter. */
export function hashBody(body: unknown): string {
  // No quote was ever made of such a body, so that it is another than that of any quote.
  const text = isTooWide(own(body, 'fields'))
    ? 'too wide'
    : exceedsDepth(body, 1000)
      ? 'too deep'
      : canonicalJson(body);
  return createHash('sha256').update(text).digest('hex');
}
