import type { JsonObject, Micros } from '@leeward/terms';
import { sql } from 'kysely';
import { type Db, micros, type StoreContext } from './store-context.ts';
import { openSealed } from './stored-answer.ts';
import type { QuoteTables } from './tables.ts';

export interface NewExchange {
  readonly id: string;
  readonly rateId: string;
  readonly quoteId: string;
  readonly teamId: string;
  readonly carrierKey: string;
  /** Since the start of the request. */
  readonly ageMs: number;
  /** Without secrets. */
  readonly content: JsonObject;
}

export interface KeptExchange extends Omit<NewExchange, 'ageMs' | 'content'> {
  readonly at: Micros;
  readonly content: JsonObject | 'erased' | 'unreadable';
}

export interface ExchangesQuery {
  readonly of: { readonly rateId: string } | { readonly carrierKey: string };
  readonly since?: Micros | undefined;
  readonly after?: { readonly at: Micros; readonly id: string } | undefined;
  readonly limit: number;
}

/** Skips quotes that are erased or deleted meanwhile: the lock makes an erasure wait for the insertion, or the insertion for it. */
export async function keepExchanges(context: StoreContext, exchanges: readonly NewExchange[]): Promise<void> {
  const isSqlite = context.database.engine === 'sqlite';
  const insert = async (db: Db, { id, rateId, quoteId, teamId, carrierKey, ageMs, content }: NewExchange) => {
    const sealed = await context.cipher.seal(teamId, content, id);
    await sql`
      insert into quote_exchange (id, rate_id, quote_id, team_id, carrier_key, at, content)
      select ${id}, ${rateId}, ${quoteId}, ${teamId}, ${carrierKey}, ${context.now()} - ${sql.lit(micros(ageMs))}, ${sealed}
      from quote_request where id = ${quoteId} and erased_at is null ${isSqlite ? sql`` : sql`for share`}`.execute(db);
  };
  const insertAll = async (db: Db) => {
    for (const exchange of exchanges) await insert(db, exchange);
  };
  // SQLite: one commit. PostgreSQL: locks of several quotes at once could deadlock with an erasure.
  if (isSqlite) await context.database.transaction<QuoteTables, void>(insertAll);
  else await insertAll(context.db);
}

/** Oldest first. */
export async function readExchanges(context: StoreContext, query: ExchangesQuery): Promise<KeptExchange[]> {
  const { of, since, after, limit } = query;
  // A rate's exchanges are found by its quote.
  const chosen =
    'rateId' in of
      ? sql`quote_id = (select quote_id from quote_rate where id = ${of.rateId}) and rate_id = ${of.rateId}`
      : sql`carrier_key = ${of.carrierKey}`;
  const from = since === undefined ? sql`` : sql`and at >= cast(${since} as bigint)`;
  const behind = after === undefined ? sql`` : sql`and (at, id) > (cast(${after.at} as bigint), ${after.id})`;
  const { rows } = await sql<QuoteTables['quote_exchange']>`
    select * from quote_exchange where ${chosen} ${from} ${behind} order by at, id limit ${sql.lit(limit)}`.execute(
    context.db,
  );
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      rateId: row.rate_id,
      quoteId: row.quote_id,
      teamId: row.team_id,
      carrierKey: row.carrier_key,
      at: row.at,
      content: await openSealed(context.cipher, row.content, row.id),
    })),
  );
}

/** Oldest first. Several processes may delete at once. @returns their number, up to `limit`. */
export async function deleteOldExchanges(context: StoreContext, ageMs: number, limit: number): Promise<number> {
  const skip = context.database.engine === 'postgres' ? sql`for update skip locked` : sql``;
  const { numAffectedRows = 0n } = await sql`
    delete from quote_exchange where id in (
      select id from quote_exchange where at <= ${context.now()} - ${sql.lit(micros(ageMs))}
      order by at limit ${sql.lit(limit)} ${skip})`.execute(context.db);
  return Number(numAffectedRows);
}
