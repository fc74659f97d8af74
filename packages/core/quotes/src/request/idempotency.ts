import { createHash } from 'node:crypto';
import { canonicalJson, exceedsDepth, own } from '@leeward/terms';
import { isTooWide } from './check-fields.ts';

/** One hash for all spellings of a body, independent of key order and white space. */
export function hashBody(body: unknown): string {
  // No quote has such a body, so its hash differs from every quote's.
  const text = isTooWide(own(body, 'fields'))
    ? 'too wide'
    : exceedsDepth(body, 1000)
      ? 'too deep'
      : canonicalJson(body);
  return createHash('sha256').update(text).digest('hex');
}
