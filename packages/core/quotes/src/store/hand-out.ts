import { sql } from 'kysely';
import type { JobRef } from '../ports/queue-backend.ts';

import { untilUndisturbed } from './change-rates.ts';
import { given } from './given.ts';
import { jobOf } from './job-key.ts';
import { type Db, inBatches, micros, type StoreContext } from './store-context.ts';
import type { QuoteTables } from './tables.ts';

/** What waits for its turn at a carrier. */
export interface CarrierBacklog {
  readonly carrierKey: string;
  readonly waiting: number;
  /** Of the rate that waits longest. */
  readonly oldestWaitMs: number;
}

/** Rates that are handed out to queues. */
export interface HandedOut {
  readonly jobs: readonly JobRef[];
  /** The carriers whose capacity is full: more may be due there. */
  readonly hasMore: ReadonlySet<string>;
}

/** How many more rates the queue of a carrier takes. */
export interface QueueCapacity {
  readonly carrierKey: string;
  readonly capacity: number;
}

/**
 * Hands rates out to the queues of their carriers. A rate that has not ended is in one of three states (`told`):
 *
 *     0 waiting     due at `wake_at`: new, backing off, pending at the carrier, or leased until then
 *     2 ready       was due; its team has a row in `quote_carrier_team` with `is_waiting` = 1
 *     1 handed out  a queue has its job; handed out again at `wake_at` if nobody has claimed it
 *
 * Ready rates are handed out by start-time fair queueing (Goyal, Vin and Cheng, 1996) over teams, each call costing 1: the
 * team with the smallest tag is next, and a call raises its tag by 1. A team that becomes ready starts at the smallest tag
 * of those that wait, so it neither waits behind their backlog nor catches up on the time in which it had nothing to do.
 * Only teams carry tags: a rate that is cancelled or runs out of time has used nothing up.
 *
 * Rates that are not due are in an index of their own, by time. However many they are, no query here reads them.
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
    const teams = Map.groupBy(await findTeams(context, open), (team) => team.carrierKey);
    open = open.filter(({ carrierKey }) => teams.has(carrierKey));
    const shares = open.flatMap(({ carrierKey, capacity }) => {
      const ofCarrier = teams.get(carrierKey)!;
      const share = Math.min(capacity, Math.ceil(capacity / ofCarrier.length) + MAX_TAG_SPREAD);
      return ofCarrier.map((team) => ({ ...team, share }));
    });
    const candidates = await findReady(context, shares);
    const chosen = open.flatMap(({ carrierKey, capacity }) =>
      inOrder(candidates.filter((each) => each.team.carrierKey === carrierKey)).slice(0, capacity),
    );
    const taken = await take(context, shares, { candidates, chosen }, againMs);
    jobs.push(...taken);
    open = open.flatMap(({ carrierKey, capacity }) => {
      const left = capacity - taken.filter((job) => job.queue === carrierKey).length;
      if (left > 0) return [{ carrierKey, capacity: left }];
      hasMore.add(carrierKey);
      return [];
    });
  }
  return { jobs, hasMore };
}

/** Rates that are made ready in one statement. */
const READY_AT_ONCE = 256;
/** Statements of {@link READY_AT_ONCE} a hand-out makes: after that it hands out what is ready by then. */
const MAX_READY_STEPS = 40;
/** Tags of waiting teams are at most this far apart, up to processes that hand out at the same moment. */
const MAX_TAG_SPREAD = 2;

/** A team with ready rates at a carrier. */
interface ReadyTeam {
  readonly carrierKey: string;
  readonly teamId: string;
  readonly tag: number;
  readonly arrivals: number;
}

type Share = ReadyTeam & { readonly share: number };

interface Candidate {
  readonly id: string;
  readonly team: Share;
  /** Position among the ready rates of the team, from 0. */
  readonly place: number;
}

const isDue = (context: StoreContext) => sql`told = 0 and wake_at is not null and wake_at <= ${context.now()}`;

/** Makes ready what is due at these carriers. @returns the carriers at which more is due than one call makes ready. */
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

/** @returns the carriers at which more may be due. */
async function makeReadyOnPostgres(context: StoreContext, carrierKeys: readonly string[]): Promise<string[]> {
  const carriers = carrierKeys.map((given_carrier) => ({ given_carrier }));
  const { rows } = await untilUndisturbed(() =>
    sql<{ carrier_key: string; count: number }>`
      with ${given(context, { given_carrier: 'text' }, carriers)},
      due as (
        select first.id from given, lateral (
          select id from quote_rate where carrier_key = given_carrier and ${isDue(context)}
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
    // Read first: usually nothing is due, and a transaction would wait for other writers.
    const { rows } = await sql<{ id: string }>`
      select id from quote_rate where carrier_key = ${carrierKey} and ${isDue(context)}
      order by wake_at limit ${sql.lit(READY_AT_ONCE)}`.execute(context.db);
    if (rows.length === 0) continue;
    if (rows.length === READY_AT_ONCE) left.push(carrierKey);
    const ids = rows.map(({ id }) => ({ given_id: id }));
    await context.database.transaction<QuoteTables, void>(async (tx) => {
      const { rows: changed } = await sql<{ team_id: string }>`
        with ${given(context, { given_id: 'text' }, ids)}
        update quote_rate set told = 2 from given where id = given_id and ${isDue(context)} returning team_id`.execute(
        tx,
      );
      const teams = [...new Set(changed.map((row) => row.team_id))];
      const raised = teams.map((team) => ({ given_carrier: carrierKey, given_team: team }));
      await sql`
        with ${given(context, { given_carrier: 'text', given_team: 'text' }, raised)}
        ${raiseTeams(sql`(select given_carrier as carrier_key, given_team as team_id from given)`)}`.execute(tx);
    });
  }
  return left;
}

/** Lets teams wait at carriers, from the smallest tag of those that wait there, or from the largest if none does. */
const raiseTeams = (teams: ReturnType<typeof sql>) => sql`
  insert into quote_carrier_team (carrier_key, team_id, tag, is_waiting, arrivals)
  select carrier_key, team_id, coalesce(
    (select min(tag) from quote_carrier_team as other where other.carrier_key = fresh.carrier_key and is_waiting = 1),
    (select max(tag) from quote_carrier_team as other where other.carrier_key = fresh.carrier_key and is_waiting = 0),
    0), 1, 1
  from ${teams} as fresh where true
  on conflict (carrier_key, team_id) do update set is_waiting = 1, arrivals = quote_carrier_team.arrivals + 1,
    tag = case when quote_carrier_team.tag < excluded.tag then excluded.tag else quote_carrier_team.tag end`;

/** The teams that are next at each carrier, no more than it has capacity for. */
async function findTeams(context: StoreContext, queues: readonly QueueCapacity[]): Promise<ReadyTeam[]> {
  const first = (carrierKey: ReturnType<typeof sql>, capacity: ReturnType<typeof sql>) => sql`
    select carrier_key as "carrierKey", team_id as "teamId", tag, arrivals from quote_carrier_team
    where carrier_key = ${carrierKey} and is_waiting = 1 order by tag, team_id limit ${capacity}`;
  if (context.database.engine === 'sqlite') {
    const found: ReadyTeam[] = [];
    for (const { carrierKey, capacity } of queues) {
      const { rows } = await sql<ReadyTeam>`${first(sql`${carrierKey}`, sql`${capacity}`)}`.execute(context.db);
      found.push(...rows);
    }
    return found;
  }
  const capacities = queues.map(({ carrierKey, capacity }) => ({
    given_carrier: carrierKey,
    given_capacity: capacity,
  }));
  const { rows } = await sql<ReadyTeam>`
    with ${given(context, { given_carrier: 'text', given_capacity: 'integer' }, capacities)}
    select team.* from given, lateral (${first(sql`given_carrier`, sql`given_capacity`)}) team`.execute(context.db);
  return rows;
}

/** The first ready rates of each team, as many as its share. */
async function findReady(context: StoreContext, shares: readonly Share[]): Promise<Candidate[]> {
  if (context.database.engine === 'sqlite') {
    const found: Candidate[] = [];
    for (const team of shares) {
      const { rows } = await sql<{ id: string }>`
        select id from quote_rate where carrier_key = ${team.carrierKey} and team_id = ${team.teamId} and told = 2
        order by wake_at, id limit ${team.share}`.execute(context.db);
      found.push(...rows.map(({ id }, place) => ({ id, team, place })));
    }
    return found;
  }
  const wanted = shares.map((team, index) => ({ ...team, index }));
  const columns = {
    given_index: 'integer',
    given_carrier: 'text',
    given_team: 'text',
    given_share: 'integer',
  } as const;
  const rows = await inBatches(wanted, async (batch) => {
    const rows = batch.map(({ index, carrierKey, teamId, share }) => ({
      given_index: index,
      given_carrier: carrierKey,
      given_team: teamId,
      given_share: share,
    }));
    const { rows: found } = await sql<{ given_index: number; id: string; place: number }>`
      with ${given(context, columns, rows)}
      select given_index, first.id, row_number() over (partition by given_index order by wake_at, first.id) - 1 as place
      from given, lateral (
        select id, wake_at from quote_rate where carrier_key = given_carrier and team_id = given_team and told = 2
        order by wake_at, id limit given_share) first`.execute(context.db);
    return found;
  });
  return rows.map(({ given_index, id, place }) => ({ id, team: shares[given_index]!, place: Number(place) }));
}

/** By the tag that the team has when the rate is its next. */
function inOrder(candidates: readonly Candidate[]): Candidate[] {
  return candidates.toSorted(
    (one, other) =>
      one.team.tag + one.place - (other.team.tag + other.place) || (one.team.teamId < other.team.teamId ? -1 : 1),
  );
}

function countByTeam(candidates: readonly Candidate[]): (team: Share) => number {
  const byTeam = Map.groupBy(candidates, (each) => each.team);
  return (team) => byTeam.get(team)?.length ?? 0;
}

/** Hands the chosen rates out, unless another process has, and raises the tags of their teams. */
async function take(
  context: StoreContext,
  shares: readonly Share[],
  { candidates, chosen }: { readonly candidates: readonly Candidate[]; readonly chosen: readonly Candidate[] },
  againMs: number,
): Promise<JobRef[]> {
  if (shares.length === 0) return [];
  const run = async (db: Db) => {
    const ids = chosen.map(({ id }) => ({ given_id: id }));
    const rows =
      ids.length === 0
        ? []
        : await inBatches(ids, async (batch) => {
            const { rows } = await sql<{ id: string; fence: number }>`
              with ${given(context, { given_id: 'text' }, batch)}
              update quote_rate set told = 1, wake_at = ${context.now()} + ${sql.lit(micros(againMs))}
              from given where id = given_id and told = 2
              returning id, fence`.execute(db);
            return rows;
          });
    const fences = new Map(rows.map((row) => [row.id, row.fence]));
    const taken = chosen.filter(({ id }) => fences.has(id));
    const [found, handedOut, calls] = [countByTeam(candidates), countByTeam(chosen), countByTeam(taken)];
    const changes = shares.map((team) => {
      const isEmpty = found(team) < team.share && found(team) === handedOut(team);
      return {
        given_carrier: team.carrierKey,
        given_team: team.teamId,
        given_calls: calls(team),
        given_empty: isEmpty ? 1 : 0,
        given_arrivals: team.arrivals,
      };
    });
    // In one order, so that processes do not wait for each other.
    const raised = changes
      .filter((change) => change.given_calls > 0 || change.given_empty === 1)
      .toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
    await inBatches(raised, async (batch) => {
      // A rate that became ready since the team was read has raised its arrivals: then the team goes on waiting.
      await sql`
        with ${given(context, teamColumns, batch)}
        update quote_carrier_team set tag = tag + given_calls,
          is_waiting = case when given_empty = 1 and arrivals = given_arrivals then 0 else is_waiting end
        from given where carrier_key = given_carrier and team_id = given_team`.execute(db);
      return [];
    });
    return taken.map(({ id, team }) => jobOf(id, fences.get(id)!, team.carrierKey));
  };
  // Both changes or neither: run again after the first alone, it would find these rates handed out, and return no job.
  return context.database.transaction<QuoteTables, JobRef[]>(run);
}

const orderOf = (team: { readonly given_carrier: string; readonly given_team: string }) =>
  `${team.given_carrier} ${team.given_team}`;

const teamColumns = {
  given_carrier: 'text',
  given_team: 'text',
  given_calls: 'integer',
  given_empty: 'integer',
  given_arrivals: 'bigint',
} as const;

/** Jobs that nobody has claimed for so long may be lost. They are handed out again, and take no capacity. */
async function takeLost(context: StoreContext, carrierKeys: readonly string[], againMs: number): Promise<JobRef[]> {
  if (carrierKeys.length === 0) return [];
  const lost = context.db
    .selectFrom('quote_rate')
    .select('id')
    .where('told', '=', sql.lit(1))
    .where('carrier_key', 'in', [...carrierKeys])
    .where('wake_at', '<=', context.now());
  // Looked for without a lock: most of the time there is nothing.
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

/** How many rates of each carrier are handed out and not claimed yet. */
export async function countHandedOut(context: StoreContext): Promise<Map<string, number>> {
  const { rows } = await sql<{ carrier_key: string; count: number }>`
    select carrier_key, count(*) as count from quote_rate
    where told = 1 group by carrier_key`.execute(context.db);
  return new Map(rows.map((row) => [row.carrier_key, row.count]));
}

/** Forgets where teams were that have nothing ready: a team that comes back starts with those that wait. */
export async function forgetIdleTeams(context: StoreContext): Promise<void> {
  await sql`delete from quote_carrier_team where is_waiting = 0`.execute(context.db);
}

/** What is due at each carrier and not handed out, or not claimed in time. Reads indexes of what is due, carrier by carrier. */
export async function readBacklog(context: StoreContext): Promise<CarrierBacklog[]> {
  const now = context.now();
  /** Each carrier that has such rates, found by leaping from one to the next in the index. */
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
