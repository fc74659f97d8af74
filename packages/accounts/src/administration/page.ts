import { z } from 'zod';
import { invalid } from '../administration-error.ts';
import { isIdentifier } from '../identifier.ts';
import type { Equals } from '../store/account-store.ts';
import { idOf } from '../store/layout.ts';
import type { Kind, Records } from '../store/records.ts';
import type { Call } from './operation.ts';

export const pageFields = {
  limit: z.int().min(1).max(200).nullish().meta({ description: 'Items at most; default 50.' }),
  cursor: z.string().max(200).nullish().meta({ description: 'What `next` of the page before said.' }),
};

export const pageOf = <Item>(item: z.ZodType<Item>) =>
  z.strictObject({
    items: z.array(item),
    next: z.string().nullable().meta({ description: 'The cursor of the next page; null on the last.' }),
  });

export interface PageRequest {
  readonly limit?: number | null | undefined;
  readonly cursor?: string | null | undefined;
}

/** One page of a list, by id. */
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
  const query = { where, after: cursor ?? undefined, limit: size + 1, newestFirst };
  const found = await call.services.store.reader.list(kind, query);
  const records = found.slice(0, size);
  const last = records.at(-1);
  return { records, next: found.length > size && last !== undefined ? idOf(kind, last) : null };
}
