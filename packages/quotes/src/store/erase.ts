import { sql } from 'kysely';
import { answerColumn, endUnfinished } from './end-rates.ts';
import { type Db, micros, type StoreContext } from './store-context.ts';
import type { QuoteTables } from './tables.ts';

const erasedBeforeEnd = {
  outcome: sql.lit('cancelled'),
  answer: answerColumn({ code: 'erased', message: 'The personal data was erased before this carrier had answered.' }),
  retryable: sql.lit(0),
};

/**
 * Erases what could tell of a person: the fields, the carriers' answers (numbers, links and messages may name someone),
 * the producer's address, the hash of the request. What is left counts quotes and premiums.
 */
async function erase(context: StoreContext, tx: Db, ids: readonly string[]): Promise<number> {
  const list = sql.join(ids);
  await endUnfinished(context, tx, sql`quote_id in (${list})`, erasedBeforeEnd);
  await sql`update quote_rate set answer = null, retryable = 0 where quote_id in (${list})`.execute(tx);
  const { rows } = await sql<{ id: string }>`
    update quote_request
    set fields = null, producer_email = '', idempotency_key = null, body_hash = null, erased_at = ${context.now()}
    where id in (${list}) and erased_at is null
    returning id`.execute(tx);
  return rows.length;
}

export async function eraseQuote(context: StoreContext, quoteId: string): Promise<boolean> {
  const erased = await context.database.transaction<QuoteTables, number>((tx) => erase(context, tx, [quoteId]));
  if (erased > 0) await overwrite(context);
  return erased > 0;
}

export async function eraseOlderThan(context: StoreContext, ageMs: number, limit: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from quote_request
    where erased_at is null and created_at <= ${context.now()} - ${sql.lit(micros(ageMs))}
    order by created_at limit ${sql.lit(limit)}`.execute(context.db);
  if (rows.length === 0) return 0;
  const ids = rows.map((row) => row.id);
  const erased = await context.database.transaction<QuoteTables, number>((tx) => erase(context, tx, ids));
  await overwrite(context);
  return erased;
}

/**
 * SQLite leaves old bytes in its log until that is written back; the store overwrites what it frees in the file itself
 * (`secure_delete`, as every SQLite database is opened). On PostgreSQL old row versions go with the next vacuum, as everything there.
 */
async function overwrite(context: StoreContext): Promise<void> {
  if (context.database.engine === 'sqlite') await sql`pragma wal_checkpoint(truncate)`.execute(context.db);
}
