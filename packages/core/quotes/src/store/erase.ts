import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject, Micros } from '@leeward/terms';
import { sql } from 'kysely';
import { answerColumn, endUnfinished } from './end-rates.ts';
import { openFields } from './lease.ts';
import { stopFollowing } from './pending.ts';
import { type Db, micros, type StoreContext } from './store-context.ts';
import type { QuoteTables } from './tables.ts';
import { removeHomesOfQuotes } from './watched-homes.ts';

export interface OldQuote {
  readonly at: Micros;
  readonly id: string;
}

export interface DeletedQuotes {
  readonly count: number;
  readonly next: OldQuote | undefined;
}

export interface PersonalQuote {
  readonly id: string;
  readonly createdAt: Micros;
  readonly fields: JsonObject | undefined;
}

export interface Erased {
  readonly quoteIds: readonly string[];
  readonly endedRateIds: readonly string[];
}

const erasedBeforeEnd = {
  transition: 'cancel',
  outcome: sql.lit('cancelled'),
  answer: answerColumn({ code: 'erased', message: 'The personal data was erased before this carrier had answered.' }),
  retryable: sql.lit(0),
} as const;

/**
 * Fields, carriers' answers (they may name a person), the producer's address, the request hash and watched homes of the quotes. Counts
 * and premiums remain.
 */
async function erase(context: StoreContext, tx: Db, ids: readonly string[]): Promise<Erased> {
  const list = sql.join(ids);
  const ended = await endUnfinished(context, tx, sql`quote_id in (${list})`, erasedBeforeEnd);
  const unfollowed = await stopFollowing(context, tx, sql`quote_id in (${list})`, 'erased');
  await sql`update quote_rate set answer = null, retryable = 0, pending_reference = null where quote_id in (${list})`.execute(
    tx,
  );
  const { rows } = await sql<{ id: string }>`
    update quote_request
    set fields = null, producer_email = '', idempotency_key = null, body_hash = null, erased_at = ${context.now()}
    where id in (${list}) and erased_at is null
    returning id`.execute(tx);
  // Last: the lock of the update keeps others from being added.
  await sql`delete from quote_exchange where quote_id in (${list})`.execute(tx);
  await removeHomesOfQuotes(context, tx, list);
  return { quoteIds: rows.map((row) => row.id), endedRateIds: [...ended, ...unfollowed] };
}

export async function eraseQuotes(context: StoreContext, ids: readonly string[]): Promise<Erased> {
  if (ids.length === 0) return { quoteIds: [], endedRateIds: [] };
  return context.database.transaction<QuoteTables, Erased>((tx) => erase(context, tx, ids));
}

export async function erasePending(context: StoreContext, rateIds: readonly string[]): Promise<number> {
  if (rateIds.length === 0) return 0;
  const chosen = sql`id in (${sql.join(rateIds)})`;
  return context.database.transaction<QuoteTables, number>(async (tx) => {
    const ended = await endUnfinished(context, tx, chosen, erasedBeforeEnd);
    const unfollowed = await stopFollowing(context, tx, chosen, 'erased');
    return ended.length + unfollowed.length;
  });
}

export async function findOlderThan(context: StoreContext, ageMs: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from quote_request
    where erased_at is null and created_at <= ${context.now()} - ${sql.lit(micros(ageMs))}
    order by created_at limit ${sql.lit(limit)}`.execute(context.db);
  return rows.map((row) => row.id);
}

export async function readPersonal(
  context: StoreContext,
  teamId: string,
  after: string,
  limit: number,
): Promise<PersonalQuote[]> {
  const rows = await context.db
    .selectFrom('quote_request')
    .select(['id', 'fields', 'created_at'])
    .where('team_id', '=', teamId)
    .where('erased_at', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return Promise.all(
    rows.map(async ({ id, fields, created_at: createdAt }) => {
      const opened = await openFields(context, fields, id);
      if (opened === 'unreadable') return { id, createdAt, fields: undefined };
      return { id, createdAt, fields: opened === 'erased' ? {} : opened };
    }),
  );
}

/** Jumps from team to team in the index. */
export async function teamsWithPersonalData(context: StoreContext): Promise<string[]> {
  const { rows } = await sql<{ team_id: string }>`
    with recursive team (team_id) as (
      select (select min(team_id) from quote_request where erased_at is null)
      union all
      select (select min(quote_request.team_id) from quote_request
        where erased_at is null and quote_request.team_id > team.team_id)
      from team where team_id is not null
    )
    select team_id from team where team_id is not null`.execute(context.db);
  return rows.map((row) => row.team_id);
}

/**
 * SQLite keeps old bytes in its log until a checkpoint and overwrites freed pages (`secure_delete`). PostgreSQL's vacuum removes old row
 * versions. @returns false if readers prevented the checkpoint: try later.
 */
export async function overwrite(context: StoreContext): Promise<boolean> {
  if (context.database.engine !== 'sqlite') return true;
  for (let tries = 0; tries < 20; tries++) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(context.db);
    if (rows[0]?.busy !== 1) return true;
    await sleep(25 + Math.random() * 50);
  }
  return false;
}

/**
 * Deletes finished quotes and all their rows. A quote stays while a rate may change, until `ageMs` after its last end, and while a
 * webhook has unsent events of it. Examines `limit` quotes, oldest first, after `after`.
 */
export async function deleteFinished(
  context: StoreContext,
  { ageMs, after, limit }: { readonly ageMs: number; readonly after: OldQuote | undefined; readonly limit: number },
): Promise<DeletedQuotes> {
  const cutoff = sql`${context.now()} - ${sql.lit(micros(ageMs))}`;
  const behind = after === undefined ? sql`` : sql`and (created_at, id) > (cast(${after.at} as bigint), ${after.id})`;
  const { rows } = await sql<{ id: string; at: number }>`
    select id, created_at as at from quote_request where created_at <= ${cutoff} ${behind}
    order by created_at, id limit ${sql.lit(limit)}`.execute(context.db);
  const next = rows.length < limit ? undefined : rows.at(-1);
  if (rows.length === 0) return { count: 0, next };
  const candidates = sql.join(rows.map(({ id }) => id));
  const count = await context.database.transaction<QuoteTables, number>(async (tx) => {
    // A retry raises `open_rates` in its transaction; the lock keeps the quote unchanged.
    const lock = context.database.engine === 'postgres' ? sql`order by quote_id for update` : sql``;
    const { rows: complete } = await sql<{ quote_id: string }>`
      select quote_id from quote_progress where quote_id in (${candidates}) and open_rates = 0 ${lock}`.execute(tx);
    if (complete.length === 0) return 0;
    const { rows: chosen } = await sql<{ id: string }>`
      select id from quote_request where id in (${sql.join(complete.map((row) => row.quote_id))})
        and not exists (
          select 1 from quote_rate where quote_id = quote_request.id
            and (wake_at is not null or finished_at is null or finished_at > ${cutoff}))
        and not exists (
          select 1 from quote_webhook join quote_webhook_delivery on webhook_id = quote_webhook.id
          where quote_webhook.team_id = quote_request.team_id and quote_id = quote_request.id)`.execute(tx);
    if (chosen.length === 0) return 0;
    const ids = sql.join(chosen.map(({ id }) => id));
    await removeHomesOfQuotes(context, tx, ids);
    await sql`
      delete from quote_rate_event where rate_id in (select id from quote_rate where quote_id in (${ids}))`.execute(tx);
    for (const table of ['quote_rate', 'quote_event', 'quote_progress']) {
      await sql`delete from ${sql.table(table)} where quote_id in (${ids})`.execute(tx);
    }
    await sql`delete from quote_request where id in (${ids})`.execute(tx);
    return chosen.length;
  });
  return { count, next };
}
