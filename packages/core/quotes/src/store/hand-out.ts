/*
 * One file of more than 300 lines: every statement here changes the same three states of a rate (see `handOut`), and none can be
 * understood without the others.
 */
import { sql } from 'kysely';
import type { JobRef } from '../ports/queue-backend.ts';
import { untilUndisturbed } from './change-rates.ts';
import { inputTable } from './input-table.ts';
import { jobOf } from './job-key.ts';
import { type Db, inBatches, micros, type StoreContext } from './store-context.ts';
import type { QuoteTables } from './tables.ts';

/** Rates that wait for a carrier. */
export interface CarrierBacklog {
  readonly carrierKey: string;
  readonly waiting: number;
  readonly oldestWaitMs: number;
}

export interface HandedOut {
  readonly jobs: readonly JobRef[];
  readonly hasMore: ReadonlySet<string>;
}

export interface QueueCapacity {
  readonly carrierKey: string;
  readonly capacity: number;
}

/**
 * Hands due rates out to queues until each capacity is used up or no rate is due. No other process gets a rate for `againMs`; rates
 * handed out that long ago and not claimed are returned again, regardless of capacity. An unfinished rate is in one of three states
 * (column `told`):
 *
 *     0 waiting     due at `wake_at`: new, backing off, pending at the carrier, or leased until then
 *     2 ready       was due; its team has a row in `quote_carrier_team` with `is_waiting` = 1
 *     1 handed out  a queue has its job; due again at `wake_at` unless it is claimed
 *
 *     waiting ── due ──▶ ready ── hand-out ──▶ handed out ── claim, `againMs` ──▶ waiting
 *
 * Ready rates leave by start-time fair queueing (Goyal, Vin and Cheng, 1996) over teams, with cost 1 per call: the team with the
 * smallest tag is next, and a call raises its tag by 1. A team that becomes ready starts at the smallest tag of the waiting teams: it
 * neither waits behind their backlog nor gains from its idle time. Only teams have tags: a cancelled or expired rate uses nothing.
 * Waiting rates have a separate index by time, so no query reads rates that are not due.
 */
export async function handOut(
  context: StoreContext,
  { queues, againMs }: { readonly queues: readonly QueueCapacity[]; readonly againMs: number },
): Promise<HandedOut> {
  const carrierKeys = queues.map(({ carrierKey }) => carrierKey);
  const jobs = await takeLost(context, carrierKeys, againMs);
  let open = queues.filter(({ capacity }) => capacity > 0);
  const hasMore = await makeReady(
    context,
    open.map(({ carrierKey }) => carrierKey),
  );
  while (open.length > 0) {
    const teamsByCarrier = Map.groupBy(await findTeams(context, open), (team) => team.carrierKey);
    open = open.filter(({ carrierKey }) => teamsByCarrier.has(carrierKey));
    const teams = open.flatMap(({ carrierKey, capacity }) => {
      const ofCarrier = teamsByCarrier.get(carrierKey)!;
      const maxRates = Math.min(capacity, Math.ceil(capacity / ofCarrier.length) + MAX_TAG_SPREAD);
      return ofCarrier.map((team) => ({ ...team, maxRates }));
    });
    const candidates = await findReady(context, teams);
    const chosen = open.flatMap(({ carrierKey, capacity }) =>
      inOrder(candidates.filter((each) => each.team.carrierKey === carrierKey)).slice(0, capacity),
    );
    const handedOut = await take(context, teams, { candidates, chosen }, againMs);
    jobs.push(...handedOut);
    open = open.flatMap(({ carrierKey, capacity }) => {
      const left = capacity - handedOut.filter((job) => job.queue === carrierKey).length;
      if (left > 0) return [{ carrierKey, capacity: left }];
      hasMore.add(carrierKey);
      return [];
    });
  }
  return { jobs, hasMore };
}

/** Per statement. */
const READY_AT_ONCE = 256;
/** Per hand-out. */
const MAX_READY_STEPS = 40;
/** Difference between tags, except for processes that hand out at the same moment. */
const MAX_TAG_SPREAD = 2;

interface ReadyTeam {
  readonly carrierKey: string;
  readonly teamId: string;
  readonly tag: number;
  readonly arrivals: number;
}

type LimitedTeam = ReadyTeam & { readonly maxRates: number };

interface Candidate {
  readonly id: string;
  readonly team: LimitedTeam;
  readonly place: number;
}

const isDue = (context: StoreContext) => sql`told = 0 and wake_at is not null and wake_at <= ${context.now()}`;

/** @returns carriers with more due rates than one call makes ready. */
async function makeReady(context: StoreContext, carrierKeys: readonly string[]): Promise<Set<string>> {
  let left = [...carrierKeys];
  for (let steps = 0; left.length > 0 && steps < MAX_READY_STEPS; steps++) {
    left =
      context.database.engine === 'postgres'
        ? await makeReadyOnPostgres(context, left)
        : await makeReadyOnSqlite(context, left);
  }
  return new Set(left);
}

async function makeReadyOnPostgres(context: StoreContext, carrierKeys: readonly string[]): Promise<string[]> {
  const carriers = carrierKeys.map((input_carrier) => ({ input_carrier }));
  const { rows } = await untilUndisturbed(() =>
    sql<{ carrier_key: string; count: number }>`
      with ${inputTable(context, { input_carrier: 'text' }, carriers)},
      due as (
        select first.id from input, lateral (
          select id from quote_rate where carrier_key = input_carrier and ${isDue(context)}
          order by wake_at limit ${sql.lit(READY_AT_ONCE)} for update skip locked) first
      ),
      changed as (
        update quote_rate set told = 2 from due where quote_rate.id = due.id and told = 0
        returning carrier_key, team_id
      ),
      teams as (${raiseTeams(sql`(select distinct carrier_key, team_id from changed order by carrier_key, team_id)`)})
      select carrier_key, count(*) as count from changed group by carrier_key`.execute(context.db),
  );
  return rows.filter(({ count }) => count === READY_AT_ONCE).map((row) => row.carrier_key);
}

async function makeReadyOnSqlite(context: StoreContext, carrierKeys: readonly string[]): Promise<string[]> {
  const left: string[] = [];
  for (const carrierKey of carrierKeys) {
    // Read first: usually no rate is due, and a transaction waits for other writers.
    const { rows } = await sql<{ id: string }>`
      select id from quote_rate where carrier_key = ${carrierKey} and ${isDue(context)}
      order by wake_at limit ${sql.lit(READY_AT_ONCE)}`.execute(context.db);
    if (rows.length === 0) continue;
    if (rows.length === READY_AT_ONCE) left.push(carrierKey);
    const ids = rows.map(({ id }) => ({ input_id: id }));
    await context.database.transaction<QuoteTables, void>(async (tx) => {
      const { rows: changed } = await sql<{ team_id: string }>`
        with ${inputTable(context, { input_id: 'text' }, ids)}
        update quote_rate set told = 2 from input where id = input_id and ${isDue(context)} returning team_id`.execute(
        tx,
      );
      const teams = [...new Set(changed.map((row) => row.team_id))];
      const raised = teams.map((team) => ({ input_carrier: carrierKey, input_team: team }));
      await sql`
        with ${inputTable(context, { input_carrier: 'text', input_team: 'text' }, raised)}
        ${raiseTeams(sql`(select input_carrier as carrier_key, input_team as team_id from input)`)}`.execute(tx);
    });
  }
  return left;
}

const raiseTeams = (teams: ReturnType<typeof sql>) => sql`
  insert into quote_carrier_team (carrier_key, team_id, tag, is_waiting, arrivals)
  select carrier_key, team_id, coalesce(
    (select min(tag) from quote_carrier_team as other where other.carrier_key = fresh.carrier_key and is_waiting = 1),
    (select max(tag) from quote_carrier_team as other where other.carrier_key = fresh.carrier_key and is_waiting = 0),
    0), 1, 1
  from ${teams} as fresh where true
  on conflict (carrier_key, team_id) do update set is_waiting = 1, arrivals = quote_carrier_team.arrivals + 1,
    tag = case when quote_carrier_team.tag < excluded.tag then excluded.tag else quote_carrier_team.tag end`;

async function findTeams(context: StoreContext, queues: readonly QueueCapacity[]): Promise<ReadyTeam[]> {
  const first = (carrierKey: ReturnType<typeof sql>, capacity: ReturnType<typeof sql>) => sql`
    select carrier_key as "carrierKey", team_id as "teamId", tag, arrivals from quote_carrier_team
    where carrier_key = ${carrierKey} and is_waiting = 1 order by tag, team_id limit ${capacity}`;
  if (context.database.engine === 'sqlite') {
    const teams: ReadyTeam[] = [];
    for (const { carrierKey, capacity } of queues) {
      const { rows } = await sql<ReadyTeam>`${first(sql`${carrierKey}`, sql`${capacity}`)}`.execute(context.db);
      teams.push(...rows);
    }
    return teams;
  }
  const capacities = queues.map(({ carrierKey, capacity }) => ({
    input_carrier: carrierKey,
    input_capacity: capacity,
  }));
  const { rows } = await sql<ReadyTeam>`
    with ${inputTable(context, { input_carrier: 'text', input_capacity: 'integer' }, capacities)}
    select team.* from input, lateral (${first(sql`input_carrier`, sql`input_capacity`)}) team`.execute(context.db);
  return rows;
}

async function findReady(context: StoreContext, teams: readonly LimitedTeam[]): Promise<Candidate[]> {
  if (context.database.engine === 'sqlite') {
    const candidates: Candidate[] = [];
    for (const team of teams) {
      const { rows } = await sql<{ id: string }>`
        select id from quote_rate where carrier_key = ${team.carrierKey} and team_id = ${team.teamId} and told = 2
        order by wake_at, id limit ${team.maxRates}`.execute(context.db);
      candidates.push(...rows.map(({ id }, place) => ({ id, team, place })));
    }
    return candidates;
  }
  const indexed = teams.map((team, index) => ({ ...team, index }));
  const columns = {
    input_index: 'integer',
    input_carrier: 'text',
    input_team: 'text',
    input_limit: 'integer',
  } as const;
  const rows = await inBatches(indexed, async (batch) => {
    const rows = batch.map(({ index, carrierKey, teamId, maxRates }) => ({
      input_index: index,
      input_carrier: carrierKey,
      input_team: teamId,
      input_limit: maxRates,
    }));
    const { rows: matches } = await sql<{ input_index: number; id: string; place: number }>`
      with ${inputTable(context, columns, rows)}
      select input_index, first.id, row_number() over (partition by input_index order by wake_at, first.id) - 1 as place
      from input, lateral (
        select id, wake_at from quote_rate where carrier_key = input_carrier and team_id = input_team and told = 2
        order by wake_at, id limit input_limit) first`.execute(context.db);
    return matches;
  });
  return rows.map(({ input_index, id, place }) => ({ id, team: teams[input_index]!, place: Number(place) }));
}

function inOrder(candidates: readonly Candidate[]): Candidate[] {
  return candidates.toSorted(
    (one, other) =>
      one.team.tag + one.place - (other.team.tag + other.place) || (one.team.teamId < other.team.teamId ? -1 : 1),
  );
}

function countByTeam(candidates: readonly Candidate[]): (team: LimitedTeam) => number {
  const byTeam = Map.groupBy(candidates, (each) => each.team);
  return (team) => byTeam.get(team)?.length ?? 0;
}

/** Only rates that no other process took; raises their teams' tags. */
async function take(
  context: StoreContext,
  teams: readonly LimitedTeam[],
  { candidates, chosen }: { readonly candidates: readonly Candidate[]; readonly chosen: readonly Candidate[] },
  againMs: number,
): Promise<JobRef[]> {
  if (teams.length === 0) return [];
  const run = async (db: Db) => {
    const ids = chosen.map(({ id }) => ({ input_id: id }));
    const rows =
      ids.length === 0
        ? []
        : await inBatches(ids, async (batch) => {
            const { rows } = await sql<{ id: string; fence: number }>`
              with ${inputTable(context, { input_id: 'text' }, batch)}
              update quote_rate set told = 1, wake_at = ${context.now()} + ${sql.lit(micros(againMs))}
              from input where id = input_id and told = 2
              returning id, fence`.execute(db);
            return rows;
          });
    const fences = new Map(rows.map((row) => [row.id, row.fence]));
    const handedOut = chosen.filter(({ id }) => fences.has(id));
    const [candidateCount, chosenCount, calls] = [countByTeam(candidates), countByTeam(chosen), countByTeam(handedOut)];
    const changes = teams.map((team) => {
      const isEmpty = candidateCount(team) < team.maxRates && candidateCount(team) === chosenCount(team);
      return {
        input_carrier: team.carrierKey,
        input_team: team.teamId,
        input_calls: calls(team),
        input_empty: isEmpty ? 1 : 0,
        input_arrivals: team.arrivals,
      };
    });
    // A fixed order prevents deadlocks.
    const raised = changes
      .filter((change) => change.input_calls > 0 || change.input_empty === 1)
      .toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
    await inBatches(raised, async (batch) => {
      // If a rate became ready since, `arrivals` differs and the team keeps waiting.
      await sql`
        with ${inputTable(context, teamColumns, batch)}
        update quote_carrier_team set tag = tag + input_calls,
          is_waiting = case when input_empty = 1 and arrivals = input_arrivals then 0 else is_waiting end
        from input where carrier_key = input_carrier and team_id = input_team`.execute(db);
      return [];
    });
    return handedOut.map(({ id, team }) => jobOf(id, fences.get(id)!, team.carrierKey));
  };
  // Both changes or neither: a retry after the first alone would return no job.
  return context.database.transaction<QuoteTables, JobRef[]>(run);
}

const orderOf = (team: { readonly input_carrier: string; readonly input_team: string }) =>
  `${team.input_carrier} ${team.input_team}`;

const teamColumns = {
  input_carrier: 'text',
  input_team: 'text',
  input_calls: 'integer',
  input_empty: 'integer',
  input_arrivals: 'bigint',
} as const;

/** Jobs not claimed in time may be lost. They use no capacity. */
async function takeLost(context: StoreContext, carrierKeys: readonly string[], againMs: number): Promise<JobRef[]> {
  if (carrierKeys.length === 0) return [];
  const lost = context.db
    .selectFrom('quote_rate')
    .select('id')
    .where('told', '=', sql.lit(1))
    .where('carrier_key', 'in', [...carrierKeys])
    .where('wake_at', '<=', context.now());
  if ((await lost.limit(1).execute()).length === 0) return [];
  const rows = await context.db
    .updateTable('quote_rate')
    .set({ wake_at: sql<number>`${context.now()} + ${sql.lit(micros(againMs))}` })
    .where('id', 'in', lost)
    .where('wake_at', '<=', context.now())
    .returning(['id', 'carrier_key', 'fence'])
    .execute();
  return rows.map((row) => jobOf(row.id, row.fence, row.carrier_key));
}

/** Omits carriers with none. */
export async function countHandedOut(context: StoreContext): Promise<Map<string, number>> {
  const { rows } = await sql<{ carrier_key: string; count: number }>`
    select carrier_key, count(*) as count from quote_rate
    where told = 1 group by carrier_key`.execute(context.db);
  return new Map(rows.map((row) => [row.carrier_key, row.count]));
}

/** A returning team starts with the waiting ones. */
export async function forgetIdleTeams(context: StoreContext): Promise<void> {
  await sql`delete from quote_carrier_team where is_waiting = 0`.execute(context.db);
}

/** Due and not handed out, or not claimed in time, by carrier. Reads only indexes of due rates. */
export async function readBacklog(context: StoreContext): Promise<CarrierBacklog[]> {
  const now = context.now();
  const carriers = (name: string, condition: ReturnType<typeof sql>) => sql`
    ${sql.ref(name)} (carrier_key) as (
      select (select min(carrier_key) from quote_rate where ${condition})
      union all
      select (select min(carrier_key) from quote_rate where ${condition} and quote_rate.carrier_key > ${sql.ref(name)}.carrier_key)
      from ${sql.ref(name)} where carrier_key is not null
    )`;
  const waiting = sql`told = 0 and wake_at is not null`;
  const rates = (name: string, condition: ReturnType<typeof sql>) => sql`
    select carrier_key, (select count(*) from quote_rate where ${condition} and quote_rate.carrier_key = ${sql.ref(name)}.carrier_key) as waiting,
      (select min(wake_at) from quote_rate where ${condition} and quote_rate.carrier_key = ${sql.ref(name)}.carrier_key) as oldest
    from ${sql.ref(name)} where carrier_key is not null`;
  const due = sql`and wake_at <= ${now}`;
  const { rows } = await sql<{ carrier_key: string; waiting: number; oldest: number }>`
    with recursive ${carriers('waiting_at', waiting)}, ${carriers('handed_out_at', sql`told = 1`)}
    select carrier_key, sum(waiting) as waiting, ${now} - min(oldest) as oldest from (
      ${rates('waiting_at', sql`${waiting} ${due}`)}
      union all ${rates('handed_out_at', sql`told = 1 ${due}`)}
      union all select carrier_key, count(*), min(wake_at) from quote_rate where told = 2 group by carrier_key
    ) as backlog where waiting > 0 group by carrier_key`.execute(context.db);
  return rows.map((row) => ({
    carrierKey: row.carrier_key,
    waiting: Number(row.waiting),
    oldestWaitMs: Math.max(0, row.oldest / 1000),
  }));
}
