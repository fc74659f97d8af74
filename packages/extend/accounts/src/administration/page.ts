import { z } from 'zod';
import { invalid } from '../administration-error.ts';
import { isIdentifier } from '../identifier.ts';
import type { Equals } from '../store/account-store.ts';
import { idOf } from '../store/layout.ts';
import type { Kind, Records } from '../store/records.ts';
import type { Call } from './operation.ts';

/** For requests of lists. */
export const pageFields = {
  limit: z
    .int()
    .min(1)
    .max(200)
    .nullish()
    .meta({ description: 'Items at most; default 50. A page of large items has fewer.' }),
  cursor: z.string().max(200).nullish().meta({ description: 'The value of `next` of the previous page.' }),
};

/** For responses of lists. */
export const pageOf = <Item>(item: z.ZodType<Item>) =>
  z.strictObject({
    items: z.array(item),
    next: z.string().nullable().meta({ description: 'The cursor of the next page; null on the last.' }),
  });

export interface PageRequest {
  readonly limit?: number | null | undefined;
  readonly cursor?: string | null | undefined;
}

/** Maximum size of rule sets and overrides on a page. The first record may be larger. */
const MAX_PAGE_BYTES = 1024 * 1024;
/** Batch size for large records. */
const RECORDS_AT_ONCE = 4;

/** Reads a page by id. Large records make it shorter, so that it does not delay other requests. */
export async function readPage<K extends Kind>(
  call: Call,
  kind: K,
  where: Equals<Records[K]>,
  { limit, cursor }: PageRequest,
  newestFirst = false,
): Promise<{ records: Records[K][]; next: string | null }> {
  if (typeof cursor === 'string' && !isIdentifier(cursor)) {
    throw invalid('/cursor', 'invalid_cursor', 'is not one that a page has given.');
  }
  const size = limit ?? 50;
  const { reader } = call.services.store;
  const isLarge = kind === 'carriers' || kind === 'overrides';
  const records: Records[K][] = [];
  let bytes = 0;
  for (let after = cursor ?? undefined; ; ) {
    const count = Math.min(size - records.length, isLarge ? RECORDS_AT_ONCE : size);
    const batch = await reader.list(kind, { where, after, limit: count + 1, newestFirst });
    for (const record of batch.slice(0, count)) {
      bytes += bytesOf(record);
      if (records.length > 0 && bytes > MAX_PAGE_BYTES) return { records, next: after ?? null };
      records.push(record);
      after = idOf(kind, record);
    }
    if (batch.length <= count) return { records, next: null };
    if (records.length === size) return { records, next: after ?? null };
  }
}

/** 0 for records without rules. */
function bytesOf(record: object): number {
  const { rule_set = '', override = '' } = record as { readonly rule_set?: string; readonly override?: string };
  return rule_set.length + override.length;
}
