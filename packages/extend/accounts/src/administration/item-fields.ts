import { formatInstant } from '@leeward/terms';
import { z } from 'zod';

/** Fields of every item. */
export const itemFields = {
  revision: z.int().meta({ description: 'Counts the changes; given back with the next one.' }),
  created_at: z.string().meta({ description: 'ISO 8601, UTC.' }),
  updated_at: z.string(),
};

interface Kept {
  readonly revision: number;
  readonly created_at: number;
  readonly updated_at: number;
}

/** The values of `itemFields`. */
export function keptOf(record: Kept): { revision: number; created_at: string; updated_at: string } {
  return {
    revision: record.revision,
    created_at: formatInstant(record.created_at),
    updated_at: formatInstant(record.updated_at),
  };
}

/** Without the fields that every change touches. */
export function meaningOf<Item extends object>(item: Item): Readonly<Record<string, unknown>> {
  const { revision: _, created_at: __, updated_at: ___, ...meaning } = item as Item & Record<string, unknown>;
  return meaning;
}

/** A missing field stays, null clears. */
export function givenOf<Request extends object, Field extends keyof Request>(
  request: Request,
  fields: readonly Field[],
): { [F in Field]?: Exclude<Request[F], undefined> } {
  const entries = fields.filter((field) => request[field] !== undefined).map((field) => [field, request[field]]);
  return Object.fromEntries(entries) as { [F in Field]?: Exclude<Request[F], undefined> };
}
