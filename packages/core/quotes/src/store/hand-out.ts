import { sql } from 'kysely';
import { inputTable } from './input-table.ts';
import { type LeasedRate, lease, readLeased, toLeased } from './lease.ts';
import { type Db, inBatches, type StoreContext } from './store-context.ts';
import type { QuoteTables } from './tables.ts';
import { canMove, isIn, move } from './transitions.ts';

export interface HandOutRequest {
  readonly carrierKey: string;
  /** Most rates to hand out. */
  readonly count: number;
  /** The carrier's calls at once, over all processes. */
  readonly concurrency: number;
  /** Rates of this process whose calls are over; they occupy no slot. */
  readonly settling: readonly string[];
  readonly leaseMs: number;
  /** Records the coming calls, as `markSent` does. */
  readonly sent: boolean;
  /** Unique; the same when it is sent again. */
  readonly token: string;
  /** Hands out even if many due rates are not ready yet. @default false */
  readonly isLast?: boolean | undefined;
}

/** `again`: more rates became ready than fit into one step, and more are due; nothing was handed out yet. */
export type HandedOut = readonly LeasedRate[] | 'again';

/** Per step: it delays other writers. */
const MAX_READY = 256;
/** Difference between the tags of waiting teams. */
const MAX_TAG_SPREAD = 2;

type Leases = Parameters<typeof lease>[2];
type LeasedRows = Awaited<ReturnType<typeof lease>>;

/**
 * Hands due rates out to this process: at most `count` of each carrier, and as many as its concurrency allows over all processes. If all
 * due rates of a carrier fit, they are handed out directly. Otherwise they become ready, and leave by start-time fair queueing (Goyal,
 * Vin and Cheng, 1996) over teams, with cost 1 per call: the team with the smallest tag is next, and a call raises its tag by 1. A team
 * that becomes ready starts at the smallest tag of the waiting teams: it neither waits behind their backlog nor gains from its idle time.
 * Within a team, `priority` decides, then the time of creation. Only teams have tags: a rate that ends before its hand-out uses nothing.
 *
 * Waiting rates have an index by time, and ready rates one by team, so no query reads rates that are not due. A lock per carrier keeps
 * two processes from filling the same slot. @param isRepeat An earlier try may have been committed.
 */
export async function handOut(
  context: StoreContext,
  requests: readonly HandOutRequest[],
  isRepeat = false,
): Promise<HandedOut[]> {
  const open = isRepeat ? requests : await withDueRates(context, requests);
  // A fixed order prevents deadlocks.
  const inOrder = open.toSorted((one, other) => (one.carrierKey < other.carrierKey ? -1 : 1));
  if (inOrder.length === 0) return requests.map(() => []);
  const { rows, unready } = await context.database.transaction<QuoteTables, Step>((tx) =>
    takeStep(context, tx, inOrder, isRepeat),
  );
  const byToken = await toLeased(context, rows);
  return requests.map(({ token }) => (unready.has(token) ? 'again' : (byToken.get(token) ?? [])));
}

interface Step {
  readonly rows: LeasedRows;
  /** Tokens of requests whose due rates are not all ready. */
  readonly unready: ReadonlySet<string>;
}

const isDue = (context: StoreContext) => sql`wake_at <= ${context.now()}`;

/** Without a transaction: usually no rate is due, and a transaction waits for other writers. */
async function withDueRates(context: StoreContext, requests: readonly HandOutRequest[]): Promise<HandOutRequest[]> {
  const carriers = requests.map(({ carrierKey }) => ({ input_carrier: carrierKey }));
  const any = (condition: ReturnType<typeof sql>) =>
    sql`exists (select 1 from quote_rate where carrier_key = input_carrier and ${condition})`;
  const { rows } = await sql<{ input_carrier: string }>`
    with ${inputTable(context, { input_carrier: 'text' }, carriers)}
    select input_carrier from input
    where ${any(sql`${isIn('waiting')} and ${isDue(context)}`)} or ${any(isIn('ready'))}
      or ${any(sql`${isIn('leased')} and ${isDue(context)}`)}`.execute(context.db);
  const keys = new Set(rows.map((row) => row.input_carrier));
  return requests.filter(({ carrierKey }) => keys.has(carrierKey));
}

async function takeStep(
  context: StoreContext,
  tx: Db,
  requests: readonly HandOutRequest[],
  isRepeat: boolean,
): Promise<Step> {
  for (const { carrierKey } of requests) await lockCarrier(context, tx, carrierKey);
  const earlier = isRepeat
    ? await readLeased(
        context,
        tx,
        requests.map(({ token }) => token),
      )
    : [];
  const earlierTokens = new Set(earlier.map((row) => row.claim_token));
  const direct: Leases[number][] = [];
  const contended: { request: HandOutRequest; free: number }[] = [];
  const unready = new Set<string>();
  for (const request of requests) {
    if (earlierTokens.has(request.token)) continue;
    const { free, isWaiting } = await readSlots(context, tx, request);
    if (free <= 0) continue;
    const due = await readDue(context, tx, request.carrierKey);
    if (!isWaiting && due.length <= free && due.length < MAX_READY) {
      direct.push(...due.map((rateId) => ({ ...request, rateId })));
      continue;
    }
    await makeReady(context, tx, request.carrierKey, due);
    if (due.length === MAX_READY && !request.isLast) unready.add(request.token);
    else contended.push({ request, free });
  }
  const rows = [...earlier, ...(await lease(context, tx, direct))];
  for (const { request, free } of contended) rows.push(...(await leaseInTurn(context, tx, request, free)));
  return { rows, unready };
}

/** Until the end of the transaction. SQLite has one writer at a time. */
async function lockCarrier({ database }: StoreContext, tx: Db, carrierKey: string): Promise<void> {
  if (database.engine === 'sqlite') return;
  await sql`select pg_advisory_xact_lock(hashtext(current_schema() || ' quote_carrier'), hashtext(${carrierKey}))`.execute(
    tx,
  );
}

/** A lease that ran out occupies no slot. */
async function readSlots(
  context: StoreContext,
  tx: Db,
  { carrierKey, count, concurrency, settling }: HandOutRequest,
): Promise<{ readonly free: number; readonly isWaiting: boolean }> {
  const settled = settling.map((id) => ({ input_id: id }));
  const { rows } = await sql<{ leased: number; waiting: number }>`
    with ${inputTable(context, { input_id: 'text' }, settled)}
    select (select count(*) from quote_rate
        where carrier_key = ${carrierKey} and ${isIn('leased')} and wake_at > ${context.now()}
          and not (owner = ${context.owner} and id in (select input_id from input))) as leased,
      (select count(*) from (select 1 from quote_carrier_team
        where carrier_key = ${carrierKey} and is_waiting = 1 limit 1) as first) as waiting`.execute(tx);
  const { leased, waiting } = rows[0]!;
  return { free: Math.min(count, concurrency - Number(leased)), isWaiting: Number(waiting) > 0 };
}

const skipLocked = ({ database }: StoreContext) =>
  database.engine === 'postgres' ? sql`for update skip locked` : sql``;

/** Due rates that are not ready, the longest due first. */
async function readDue(context: StoreContext, tx: Db, carrierKey: string): Promise<string[]> {
  const ids: string[] = [];
  for (const state of ['leased', 'waiting'] as const) {
    const { rows } = await sql<{ id: string }>`
      select id from quote_rate where carrier_key = ${carrierKey} and ${isIn(state)} and ${isDue(context)}
      order by wake_at limit ${sql.lit(MAX_READY)} ${skipLocked(context)}`.execute(tx);
    ids.push(...rows.map((row) => row.id));
  }
  return ids.slice(0, MAX_READY);
}

async function makeReady(context: StoreContext, tx: Db, carrierKey: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const inputs = ids.map((id) => ({ input_id: id }));
  const { rows } = await sql<{ team_id: string }>`
    with ${inputTable(context, { input_id: 'text' }, inputs)}
    update quote_rate set ${move('become_due')} from input
    where id = input_id and (${canMove('become_due')} or ${canMove('run_out')})
    returning team_id`.execute(tx);
  const teams = [...new Set(rows.map((row) => row.team_id))].map((team) => ({ input_team: team }));
  const tagOf = (choice: ReturnType<typeof sql>, isWaiting: 0 | 1) => sql`
    (select ${choice} from quote_carrier_team where carrier_key = ${carrierKey} and is_waiting = ${sql.lit(isWaiting)})`;
  await sql`
    with ${inputTable(context, { input_team: 'text' }, teams)}
    insert into quote_carrier_team (carrier_key, team_id, tag, is_waiting)
    select cast(${carrierKey} as text), input_team,
      coalesce(${tagOf(sql`min(tag)`, 1)}, ${tagOf(sql`max(tag)`, 0)}, 0), 1
    from input where true
    on conflict (carrier_key, team_id) do update set is_waiting = 1,
      tag = case when quote_carrier_team.tag < excluded.tag then excluded.tag else quote_carrier_team.tag end`.execute(
    tx,
  );
}

interface ReadyTeam {
  readonly teamId: string;
  readonly tag: number;
}

interface Candidate extends ReadyTeam {
  readonly id: string;
  readonly place: number;
}

async function leaseInTurn(context: StoreContext, tx: Db, request: HandOutRequest, free: number): Promise<LeasedRows> {
  const leased: LeasedRows = [];
  while (leased.length < free) {
    const left = free - leased.length;
    const teams = await readTeams(tx, request.carrierKey, left);
    if (teams.length === 0) break;
    const maxRates = Math.min(left, Math.ceil(left / teams.length) + MAX_TAG_SPREAD);
    const candidates = await readReady(context, tx, request.carrierKey, teams, maxRates);
    const chosen = candidates.toSorted(byTag).slice(0, left);
    const rows = await lease(
      context,
      tx,
      chosen.map(({ id }) => ({ ...request, rateId: id })),
    );
    const isAnyDone = await raiseTags(context, tx, request.carrierKey, teams, rows);
    // The others are locked by another writer.
    if (rows.length === 0 && !isAnyDone) break;
    const order = new Map(chosen.map(({ id }, index) => [id, index]));
    leased.push(...rows.toSorted((one, other) => order.get(one.id)! - order.get(other.id)!));
  }
  return leased;
}

const byTag = (one: Candidate, other: Candidate) =>
  one.tag + one.place - (other.tag + other.place) || (one.teamId < other.teamId ? -1 : 1);

async function readTeams(tx: Db, carrierKey: string, limit: number): Promise<ReadyTeam[]> {
  const { rows } = await sql<ReadyTeam>`
    select team_id as "teamId", tag from quote_carrier_team
    where carrier_key = ${carrierKey} and is_waiting = 1 order by tag, team_id limit ${limit}`.execute(tx);
  return rows;
}

async function readReady(
  context: StoreContext,
  tx: Db,
  carrierKey: string,
  teams: readonly ReadyTeam[],
  maxRates: number,
): Promise<Candidate[]> {
  const firstOf = (teamId: ReturnType<typeof sql>) => sql`
    select id, priority, created_at from quote_rate
    where carrier_key = ${carrierKey} and team_id = ${teamId} and ${isIn('ready')}
    order by priority, created_at, id limit ${maxRates} ${skipLocked(context)}`;
  if (context.database.engine === 'sqlite') {
    const candidates: Candidate[] = [];
    for (const team of teams) {
      const { rows } = await sql<{ id: string }>`${firstOf(sql`${team.teamId}`)}`.execute(tx);
      candidates.push(...rows.map(({ id }, place) => ({ ...team, id, place })));
    }
    return candidates;
  }
  const inputs = teams.map(({ teamId, tag }) => ({ input_team: teamId, input_tag: tag }));
  const { rows } = await sql<ReadyTeam & { id: string }>`
    with ${inputTable(context, { input_team: 'text', input_tag: 'bigint' }, inputs)}
    select input_team as "teamId", input_tag as tag, id
    from input, lateral (${firstOf(sql`input_team`)}) first
    order by input_team, priority, created_at, id`.execute(tx);
  const places = new Map<string, number>();
  return rows.map((row) => {
    const place = places.get(row.teamId) ?? 0;
    places.set(row.teamId, place + 1);
    return { ...row, place };
  });
}

/** Raises the tags of teams by their calls; a team without ready rates waits no longer. @returns whether one does. */
async function raiseTags(
  context: StoreContext,
  tx: Db,
  carrierKey: string,
  teams: readonly ReadyTeam[],
  rows: LeasedRows,
): Promise<boolean> {
  const calls = Map.groupBy(rows, (row) => row.team_id);
  const inputs = teams.map(({ teamId }) => ({ input_team: teamId, input_calls: calls.get(teamId)?.length ?? 0 }));
  const ended = await inBatches(inputs, async (batch) => {
    const { rows: changed } = await sql<{ is_waiting: number }>`
      with ${inputTable(context, { input_team: 'text', input_calls: 'integer' }, batch)}
      update quote_carrier_team set tag = tag + input_calls, is_waiting = case when exists (
        select 1 from quote_rate where carrier_key = ${carrierKey} and team_id = input_team and ${isIn('ready')}
      ) then 1 else 0 end
      from input where carrier_key = ${carrierKey} and team_id = input_team returning is_waiting`.execute(tx);
    return changed;
  });
  return ended.some((row) => row.is_waiting === 0);
}

/** A returning team starts with the waiting ones. */
export async function forgetIdleTeams(context: StoreContext): Promise<void> {
  await sql`delete from quote_carrier_team where is_waiting = 0`.execute(context.db);
}

/** Rates that wait for a carrier. */
export interface CarrierBacklog {
  readonly carrierKey: string;
  readonly waiting: number;
  readonly oldestWaitMs: number;
}

/** Due and not handed out, by carrier. Reads only indexes of due rates. */
export async function readBacklog(context: StoreContext): Promise<CarrierBacklog[]> {
  const now = context.now();
  const due = (state: 'waiting' | 'leased') => {
    const carriers = sql.ref(`${state}_at`);
    const first = (more: ReturnType<typeof sql>) =>
      sql`(select min(carrier_key) from quote_rate where ${isIn(state)} ${more})`;
    const rates = sql`from quote_rate
      where ${isIn(state)} and wake_at <= ${now} and quote_rate.carrier_key = ${carriers}.carrier_key`;
    return {
      // Jumps from carrier to carrier in the index.
      carriers: sql`${carriers} (carrier_key) as (
        select ${first(sql``)} union all
        select ${first(sql`and quote_rate.carrier_key > ${carriers}.carrier_key`)} from ${carriers}
        where carrier_key is not null)`,
      rates: sql`select carrier_key, (select count(*) ${rates}) as waiting, (select min(wake_at) ${rates}) as oldest
        from ${carriers} where carrier_key is not null`,
    };
  };
  const [waiting, leased] = [due('waiting'), due('leased')];
  const { rows } = await sql<{ carrier_key: string; waiting: number; oldest: number }>`
    with recursive ${waiting.carriers}, ${leased.carriers}
    select carrier_key, sum(waiting) as waiting, ${now} - min(oldest) as oldest from (
      ${waiting.rates} union all ${leased.rates}
      union all select carrier_key, count(*), min(wake_at) from quote_rate where ${isIn('ready')} group by carrier_key
    ) as backlog where waiting > 0 group by carrier_key`.execute(context.db);
  return rows.map((row) => ({
    carrierKey: row.carrier_key,
    waiting: Number(row.waiting),
    oldestWaitMs: Math.max(0, row.oldest / 1000),
  }));
}
