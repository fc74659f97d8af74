import { randomUUID } from 'node:crypto';
import type { Database } from '@leeward/database';
import { MICROS_PER_MS, type Micros } from '@leeward/terms';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Clock } from '../ports/clock.ts';
import type { FieldCipher } from './field-cipher.ts';
import type { QuoteTables } from './tables.ts';

export type Db = Kysely<QuoteTables> | Transaction<QuoteTables>;

/** What the store's operations share. */
export interface StoreContext {
  readonly database: Database;
  readonly db: Kysely<QuoteTables>;
  readonly cipher: FieldCipher;
  /** Now, as an expression in microseconds: one instant a statement. */
  readonly now: () => RawBuilder<number>;
  /** Names this process, as the holder of rates. */
  readonly owner: string;
  /** After how long a nudge that nobody answered is repeated, in microseconds. */
  readonly redispatchMicros: number;
}

export function createStoreContext(options: {
  database: Database;
  cipher: FieldCipher;
  clock: Clock | undefined;
  redispatchMs: number;
}): StoreContext {
  const { database, cipher, clock, redispatchMs } = options;
  const own = database.engine === 'postgres' ? postgresNow : sqliteNow;
  return {
    database,
    db: database.tables<QuoteTables>(),
    cipher,
    now: clock === undefined ? () => own : () => sql<number>`cast(${clock.nowMicros()} as bigint)`,
    owner: randomUUID(),
    redispatchMicros: micros(redispatchMs),
  };
}

// The database's clock, so that leases and deadlines mean the same to workers whose clocks differ.
const postgresNow = sql<number>`cast(extract(epoch from statement_timestamp()) * 1000000 as bigint)`;
// SQLite's clock ticks in milliseconds.
const sqliteNow = sql<number>`(cast(round(unixepoch('subsec') * 1000) as integer) * 1000)`;

/** A duration in whole microseconds. */
export function micros(durationMs: number): Micros {
  return Math.round(durationMs * MICROS_PER_MS);
}

/** A statement is made for so many items at most: it holds up whoever else writes. */
const MAX_BATCH = 256;

/** Runs `work` on parts of a list, one after the other; what it gives is put together. */
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
