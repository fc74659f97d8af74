import { randomUUID } from 'node:crypto';
import type { Database } from '@leeward/database';
import { MICROS_PER_MS, type Micros } from '@leeward/terms';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Clock } from '../ports/clock.ts';
import { createDataKeys, type DataKeys } from './data-keys.ts';
import { createFieldCipher, type FieldCipher, type FieldEncryption } from './field-cipher.ts';
import type { QuoteTables } from './tables.ts';

export type Db = Kysely<QuoteTables> | Transaction<QuoteTables>;

export interface StoreContext {
  readonly database: Database;
  readonly db: Kysely<QuoteTables>;
  readonly encryption: FieldEncryption | undefined;
  readonly dataKeys: DataKeys;
  readonly cipher: FieldCipher;
  /** Microseconds, as an expression; constant within a statement. */
  readonly now: () => RawBuilder<number>;
  readonly owner: string;
}

export function createStoreContext(options: {
  database: Database;
  encryption: FieldEncryption | undefined;
  clock: Clock | undefined;
}): StoreContext {
  const { database, encryption, clock } = options;
  const own = database.engine === 'postgres' ? postgresNow : sqliteNow;
  const now = clock === undefined ? () => own : () => sql<number>`cast(${clock.nowMicros()} as bigint)`;
  const dataKeys = createDataKeys({ database, now }, encryption);
  return {
    database,
    db: database.tables<QuoteTables>(),
    encryption,
    dataKeys,
    cipher: createFieldCipher(encryption, dataKeys),
    now,
    owner: randomUUID(),
  };
}

// The database's clock, the same for workers whose clocks differ.
const postgresNow = sql<number>`cast(extract(epoch from statement_timestamp()) * 1000000 as bigint)`;
// SQLite's clock ticks in milliseconds.
const sqliteNow = sql<number>`(cast(round(unixepoch('subsec') * 1000) as integer) * 1000)`;

export function micros(durationMs: number): Micros {
  return Math.round(durationMs * MICROS_PER_MS);
}

/** Items per statement: it delays other writers. */
const MAX_BATCH = 256;

export async function inBatches<Item, Result>(
  items: readonly Item[],
  work: (batch: readonly Item[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += MAX_BATCH) {
    results.push(...(await work(items.slice(start, start + MAX_BATCH))));
  }
  return results;
}
