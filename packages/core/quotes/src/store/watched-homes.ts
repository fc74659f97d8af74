import type { JsonObject, Micros } from '@leeward/terms';
import { sql } from 'kysely';
import type { HomeChange, HomeStatus, HomeVerdict } from '../ports/home-verdicts.ts';
import { openFields } from './lease.ts';
import { holdsPass } from './passes.ts';
import { recordOfWhole } from './record-events.ts';
import { micros, type StoreContext } from './store-context.ts';
import type { QuoteTables, WatchedHomeRow } from './tables.ts';

/*
 * Watched homes. A row keeps the verdicts of its last evaluation and the stamp of the rules and events that gave them, so a pass that
 * was interrupted continues with the homes whose stamp is older. New verdicts and their event are written in one transaction, if
 * `revision` is unchanged: each change is reported once. Events are those of quotes, with the home's id instead of a quote's.
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
  readonly verdicts: readonly HomeVerdict[] | undefined;
  readonly stamp: string | undefined;
}

/** @returns false if the team has `maxCount` homes */
export async function createWatchedHome(
  context: StoreContext,
  home: NewWatchedHome,
  maxCount: number,
): Promise<boolean> {
  const { database, cipher, now } = context;
  const { id, teamId, verdicts, stamp = null } = home;
  const content = await cipher.seal(teamId, { reference: home.reference, home: home.home }, id);
  const isEvaluated = verdicts !== undefined && stamp !== null;
  return database.transaction<QuoteTables, boolean>(async (tx) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from quote_watched_home where team_id = ${teamId}`.execute(tx);
    if (Number(rows[0]!.count) >= maxCount) return false;
    await sql`
      insert into quote_watched_home (id, team_id, content, verdicts, stamp, revision, created_at, evaluated_at)
      values (${id}, ${teamId}, ${content}, ${isEvaluated ? JSON.stringify(verdicts) : null}, ${isEvaluated ? stamp : null}, 0,
        ${now()}, ${isEvaluated ? now() : null})`.execute(tx);
    await sql`
      insert into quote_progress (quote_id, team_id, last_event, open_rates) values (${id}, ${teamId}, 0, 0)`.execute(
      tx,
    );
    return true;
  });
}

export interface WatchedHomesQuery {
  readonly teamId: string;
  readonly id?: string | undefined;
  readonly before?: { readonly at: Micros; readonly id: string } | undefined;
  readonly limit: number;
}

type ListedRow = WatchedHomeRow & { readonly changed_at: number | null; readonly details: string | null };

/** Newest first. */
export async function readWatchedHomes(context: StoreContext, query: WatchedHomesQuery): Promise<WatchedHome[]> {
  const { teamId, id, before, limit } = query;
  const { rows } = await sql<ListedRow>`
    select quote_watched_home.*, quote_event.at as changed_at, details from quote_watched_home
    left join quote_progress on quote_progress.quote_id = quote_watched_home.id
    left join quote_event on quote_event.quote_id = quote_watched_home.id and number = last_event
    where quote_watched_home.team_id = ${teamId}
      ${id === undefined ? sql`` : sql`and quote_watched_home.id = ${id}`}
      ${before === undefined ? sql`` : sql`and (created_at, quote_watched_home.id) < (cast(${before.at} as bigint), ${before.id})`}
    order by created_at desc, quote_watched_home.id desc limit ${sql.lit(limit)}`.execute(context.db);
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      content: await openContent(context, row),
      verdicts: parseVerdicts(row.verdicts),
      createdAt: row.created_at,
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
  { teamId, id, ageMs }: { readonly teamId?: string; readonly id?: string; readonly ageMs?: number },
): Promise<number> {
  const { database, now } = context;
  const conditions = [
    ...(teamId === undefined ? [] : [sql`team_id = ${teamId}`]),
    ...(id === undefined ? [] : [sql`id = ${id}`]),
    ...(ageMs === undefined ? [] : [sql`created_at <= ${now()} - ${sql.lit(micros(ageMs))}`]),
  ];
  let count = 0;
  for (;;) {
    const removed = await database.transaction<QuoteTables, number>(async (tx) => {
      // The lock keeps an evaluation from adding an event.
      const lock = database.engine === 'postgres' ? sql`for update` : sql``;
      const { rows } = await sql<{ id: string }>`
        select id from quote_watched_home where ${sql.join(conditions, sql` and `)} order by id limit ${sql.lit(REMOVED_AT_ONCE)} ${lock}`.execute(
        tx,
      );
      if (rows.length === 0) return 0;
      const ids = sql.join(rows.map(({ id }) => id));
      for (const table of ['quote_webhook_delivery', 'quote_event', 'quote_progress']) {
        await sql`delete from ${sql.table(table)} where quote_id in (${ids})`.execute(tx);
      }
      await sql`delete from quote_watched_home where id in (${ids})`.execute(tx);
      return rows.length;
    });
    count += removed;
    if (removed < REMOVED_AT_ONCE) return count;
  }
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
