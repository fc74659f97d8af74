import { createHash } from 'node:crypto';
import { canonicalJson, exceedsDepth, own } from '@leeward/terms';
import { isTooWide } from './check-fields.ts';

/** Independent of key order and white space. */
export function hashBody(body: unknown): string {
  const text = isTooWide(own(body, 'fields'))
    ? 'too wide'
    : exceedsDepth(body, 1000)
      ? 'too deep'
      : canonicalJson(body);
  return createHash('sha256').update(text).digest('hex');
}
