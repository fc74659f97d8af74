import type { JsonObject, Micros } from '@leeward/terms';
import { type RawBuilder, sql } from 'kysely';
import type { HomeChange, HomeStatus, HomeVerdict } from '../ports/home-verdicts.ts';
import { openFields } from './lease.ts';
import { holdsPass } from './passes.ts';
import { recordOfWhole } from './record-events.ts';
import { type Db, micros, type StoreContext } from './store-context.ts';
import type { QuoteTables, WatchedHomeRow } from './tables.ts';

/*
 * Watched homes. A row keeps the verdicts of its last evaluation and the stamp of the rules and events that gave them, so a pass that
 * was interrupted continues with the homes whose stamp is older. New verdicts and their event are written in one transaction, if
 * `revision` is unchanged: each change is reported once. Events are those of quotes, with the home's id instead of a quote's. A home of a
 * quote is removed in the transaction that erases or deletes the quote.
 */

/** A home and the reference of its team; sealed, because they may name a person. */
export interface WatchedContent {
  readonly reference: string;
  readonly home: JsonObject;
}

export interface WatchedHome {
  readonly id: string;
  /** Undefined if the key is not configured. */
  readonly content: WatchedContent | undefined;
  /** Undefined before the first evaluation. */
  readonly verdicts: readonly HomeVerdict[] | undefined;
  readonly createdAt: Micros;
  /** The quote with which it is erased. */
  readonly quote: { readonly id: string; readonly createdAt: Micros } | undefined;
  readonly evaluatedAt: Micros | undefined;
  /** The last one. */
  readonly change: { readonly at: Micros; readonly changes: readonly HomeChange[] } | undefined;
}

/** A home whose verdicts are older than the rules. */
export interface DueHome {
  readonly id: string;
  readonly revision: number;
  readonly content: WatchedContent | undefined;
  readonly verdicts: readonly HomeVerdict[] | undefined;
}

export interface NewWatchedHome extends WatchedContent {
  readonly id: string;
  readonly teamId: string;
  /** The quote with which it is erased; undefined for none. */
  readonly quoteId: string | undefined;
  readonly verdicts: readonly HomeVerdict[] | undefined;
  readonly stamp: string | undefined;
}

/** `too_many`: the team has `maxCount` homes. `no_quote`: the quote is unknown, erased or of another team. */
export type WatchedHomeCreation = 'created' | 'too_many' | 'no_quote';

export async function createWatchedHome(
  context: StoreContext,
  home: NewWatchedHome,
  maxCount: number,
): Promise<WatchedHomeCreation> {
  const { database, cipher, now } = context;
  const { id, teamId, quoteId = null, verdicts, stamp = null } = home;
  const content = await cipher.seal(teamId, { reference: home.reference, home: home.home }, id);
  const isEvaluated = verdicts !== undefined && stamp !== null;
  return database.transaction<QuoteTables, WatchedHomeCreation>(async (tx) => {
    if (quoteId !== null) {
      // The lock keeps the quote from being erased before the home is there to be removed with it.
      const lock = database.engine === 'postgres' ? sql`for share` : sql``;
      const { rows: quotes } = await sql`
        select id from quote_request where id = ${quoteId} and team_id = ${teamId} and erased_at is null ${lock}`.execute(
        tx,
      );
      if (quotes.length === 0) return 'no_quote';
    }
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from quote_watched_home where team_id = ${teamId}`.execute(tx);
    if (Number(rows[0]!.count) >= maxCount) return 'too_many';
    await sql`
      insert into quote_watched_home (id, team_id, content, verdicts, stamp, revision, created_at, evaluated_at, quote_id)
      values (${id}, ${teamId}, ${content}, ${isEvaluated ? JSON.stringify(verdicts) : null}, ${isEvaluated ? stamp : null}, 0,
        ${now()}, ${isEvaluated ? now() : null}, ${quoteId})`.execute(tx);
    await sql`
      insert into quote_progress (quote_id, team_id, last_event, open_rates) values (${id}, ${teamId}, 0, 0)`.execute(
      tx,
    );
    return 'created';
  });
}

export interface WatchedHomesQuery {
  readonly teamId: string;
  readonly id?: string | undefined;
  readonly before?: { readonly at: Micros; readonly id: string } | undefined;
  readonly limit: number;
}

type ListedRow = WatchedHomeRow & {
  readonly changed_at: number | null;
  readonly details: string | null;
  readonly quote_at: number | null;
};

/** Newest first. */
export async function readWatchedHomes(context: StoreContext, query: WatchedHomesQuery): Promise<WatchedHome[]> {
  const { teamId, id, before, limit } = query;
  const { rows } = await sql<ListedRow>`
    select quote_watched_home.*, quote_event.at as changed_at, details, quote_request.created_at as quote_at
    from quote_watched_home
    left join quote_request on quote_request.id = quote_watched_home.quote_id
    left join quote_progress on quote_progress.quote_id = quote_watched_home.id
    left join quote_event on quote_event.quote_id = quote_watched_home.id and number = last_event
    where quote_watched_home.team_id = ${teamId}
      ${id === undefined ? sql`` : sql`and quote_watched_home.id = ${id}`}
      ${before === undefined ? sql`` : sql`and (quote_watched_home.created_at, quote_watched_home.id) < (cast(${before.at} as bigint), ${before.id})`}
    order by quote_watched_home.created_at desc, quote_watched_home.id desc limit ${sql.lit(limit)}`.execute(
    context.db,
  );
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      content: await openContent(context, row),
      verdicts: parseVerdicts(row.verdicts),
      createdAt: row.created_at,
      quote: row.quote_id === null || row.quote_at === null ? undefined : { id: row.quote_id, createdAt: row.quote_at },
      evaluatedAt: row.evaluated_at ?? undefined,
      change:
        row.details === null || row.changed_at === null
          ? undefined
          : { at: row.changed_at, changes: (JSON.parse(row.details) as { changes: HomeChange[] }).changes },
    })),
  );
}

export async function teamsWithWatchedHomes({ db }: StoreContext): Promise<string[]> {
  const { rows } = await sql<{ team_id: string }>`
    with recursive team (team_id) as (
      select (select min(team_id) from quote_watched_home)
      union all
      select (select min(quote_watched_home.team_id) from quote_watched_home where quote_watched_home.team_id > team.team_id)
      from team where team_id is not null
    )
    select team_id from team where team_id is not null`.execute(db);
  return rows.map((row) => row.team_id);
}

/** By id, after `after`. */
export async function readDueHomes(
  context: StoreContext,
  { teamId, stamp, after, limit }: { teamId: string; stamp: string; after: string; limit: number },
): Promise<DueHome[]> {
  const { rows } = await sql<WatchedHomeRow>`
    select * from quote_watched_home
    where team_id = ${teamId} and id > ${after} and (stamp is null or stamp <> ${stamp})
    order by id limit ${sql.lit(limit)}`.execute(context.db);
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      revision: row.revision,
      content: await openContent(context, row),
      verdicts: parseVerdicts(row.verdicts),
    })),
  );
}

export interface EvaluatedHome extends Pick<DueHome, 'id' | 'revision'> {
  readonly verdicts: readonly HomeVerdict[];
  readonly changes: readonly HomeChange[];
}

/**
 * Stores verdicts with the events of their changes. Homes that were removed or evaluated by another process are left out. @returns the
 * homes that changed; undefined if another process took the pass over
 */
export function recordVerdicts(
  context: StoreContext,
  token: string,
  stamp: string,
  homes: readonly EvaluatedHome[],
): Promise<readonly EvaluatedHome[] | undefined> {
  const { database, now } = context;
  return database.transaction<QuoteTables, readonly EvaluatedHome[] | undefined>(async (tx) => {
    if (!(await holdsPass(context, tx, { kind: 'homes', token }))) return undefined;
    const changed: EvaluatedHome[] = [];
    for (const home of homes) {
      const { id, revision, verdicts, changes } = home;
      const result = await sql`
        update quote_watched_home set verdicts = ${JSON.stringify(verdicts)}, stamp = ${stamp}, revision = revision + 1,
          evaluated_at = ${now()}
        where id = ${id} and revision = ${revision}`.execute(tx);
      if (Number(result.numAffectedRows ?? 0n) === 0 || changes.length === 0) continue;
      await recordOfWhole(context, tx, id, 'home.verdicts_changed', JSON.stringify({ changes }));
      changed.push(home);
    }
    return changed;
  });
}

/** Removes the homes that match all conditions, with their events. @returns their number */
export async function removeWatchedHomes(
  context: StoreContext,
  { teamId, ids, ageMs }: { readonly teamId?: string; readonly ids?: readonly string[]; readonly ageMs?: number },
): Promise<number> {
  const { database, now } = context;
  const conditions = [
    ...(teamId === undefined ? [] : [sql`team_id = ${teamId}`]),
    ...(ids === undefined ? [] : [sql`id in (${sql.join(ids)})`]),
    ...(ageMs === undefined ? [] : [sql`created_at <= ${now()} - ${sql.lit(micros(ageMs))}`]),
  ];
  let count = 0;
  if (ids?.length === 0) return count;
  for (;;) {
    const removed = await database.transaction<QuoteTables, number>(async (tx) => {
      // The lock keeps an evaluation from adding an event.
      const lock = database.engine === 'postgres' ? sql`for update` : sql``;
      const { rows } = await sql<{ id: string }>`
        select id from quote_watched_home where ${sql.join(conditions, sql` and `)} order by id limit ${sql.lit(REMOVED_AT_ONCE)} ${lock}`.execute(
        tx,
      );
      await deleteHomes(
        tx,
        rows.map(({ id }) => id),
      );
      return rows.length;
    });
    count += removed;
    if (removed < REMOVED_AT_ONCE) return count;
  }
}

/** Removes the homes of quotes, in the transaction that erases or deletes the quotes. */
export async function removeHomesOfQuotes(
  { database }: StoreContext,
  tx: Db,
  quoteIds: RawBuilder<unknown>,
): Promise<void> {
  const lock = database.engine === 'postgres' ? sql`for update` : sql``;
  const { rows } = await sql<{ id: string }>`
    select id from quote_watched_home where quote_id in (${quoteIds}) order by id ${lock}`.execute(tx);
  await deleteHomes(
    tx,
    rows.map(({ id }) => id),
  );
}

/** With their events. Their rows are locked. */
async function deleteHomes(tx: Db, homeIds: readonly string[]): Promise<void> {
  if (homeIds.length === 0) return;
  const ids = sql.join(homeIds);
  for (const table of ['quote_webhook_delivery', 'quote_event', 'quote_progress']) {
    await sql`delete from ${sql.table(table)} where quote_id in (${ids})`.execute(tx);
  }
  await sql`delete from quote_watched_home where id in (${ids})`.execute(tx);
}

/** Other writers wait during this many rows. */
const REMOVED_AT_ONCE = 100;

/** The differences of two evaluations. Carriers that were not evaluated are not offered. */
export function changesOf(before: readonly HomeVerdict[], after: readonly HomeVerdict[]): HomeChange[] {
  const keyOf = ({ carrierKey, policyType }: HomeVerdict) => `${carrierKey} ${policyType}`;
  const [old, current] = [before, after].map((verdicts) => new Map(verdicts.map((each) => [keyOf(each), each]))) as [
    Map<string, HomeVerdict>,
    Map<string, HomeVerdict>,
  ];
  const notOffered: HomeStatus = 'not_offered';
  return [...new Set([...current.keys(), ...old.keys()])].flatMap((key) => {
    const [was, is] = [old.get(key), current.get(key)];
    const { carrierKey, carrier, policyType } = (is ?? was)!;
    const change = { before: was?.status ?? notOffered, after: is?.status ?? notOffered };
    if (change.before === change.after) return [];
    return [{ carrierKey, carrier, policyType, ...change, ...(is?.reason !== undefined && { reason: is.reason }) }];
  });
}

export async function openContent(
  context: StoreContext,
  { content, id }: Pick<WatchedHomeRow, 'content' | 'id'>,
): Promise<WatchedContent | undefined> {
  const opened = await openFields(context, content, id);
  return typeof opened === 'string' ? undefined : (opened as unknown as WatchedContent);
}

function parseVerdicts(text: string | null): HomeVerdict[] | undefined {
  return text === null ? undefined : (JSON.parse(text) as HomeVerdict[]);
}
