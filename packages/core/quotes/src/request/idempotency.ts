import { createHash } from 'node:crypto';
import { canonicalJson, exceedsDepth, own } from '@leeward/terms';
import { isTooWide } from './check-fields.ts';

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
