import { sql } from 'kysely';
import type { JobRef } from '../ports/queue-backend.ts';
import type { LaneRoom, Turns } from '../ports/quote-store.ts';
import { given } from './given.ts';
import { jobOf } from './job-key.ts';
import { inBatches, micros, type StoreContext } from './store-context.ts';

/** So many teams of a lane are looked at in one go; the next go takes up where this one ended. */
const MAX_TEAMS_AT_ONCE = 64;

/** A team that waits for a carrier. */
interface Waiting {
  readonly lane: string;
  readonly team: string;
}

/**
 * Takes what is due, up to each lane's room: teams take turns, and within a team who came first is first. What is not
 * taken is not touched, so that a long queue costs nothing while it waits. What is taken is due again after a while,
 * so that one process at a time tells of a rate.
 */
export async function takeDue(
  context: StoreContext,
  { lanes, againMs }: { readonly lanes: readonly LaneRoom[]; readonly againMs: number },
): Promise<Turns> {
  const again = await takeLost(
    context,
    lanes.map(({ carrierKey }) => carrierKey),
    againMs,
  );
  const rooms = lanes.filter(({ room }) => room > 0);
  const found = await findTeams(context, rooms);
  // Whoever stands before the place where the last turn ended comes after all others.
  const round = rooms.filter(
    ({ carrierKey, room, after }) => after !== '' && (found.get(carrierKey)?.teams.length ?? 0) < room,
  );
  const before =
    round.length === 0
      ? undefined
      : await findTeams(
          context,
          round.map((lane) => ({ ...lane, after: '' })),
        );
  const shares: (Waiting & { readonly share: number })[] = [];
  const state = new Map<string, { after: string; more: boolean }>();
  for (const { carrierKey, room } of rooms) {
    const here = found.get(carrierKey);
    const wrapped = before?.get(carrierKey);
    const teams = [...new Set([...(here?.teams ?? []), ...(wrapped?.teams ?? [])])].slice(0, room);
    const cut = here?.cut === true || wrapped?.cut === true;
    if (teams.length === 0 && !cut) continue;
    const share = Math.ceil(room / Math.max(1, teams.length));
    shares.push(...teams.map((team) => ({ lane: carrierKey, team, share })));
    state.set(carrierKey, { after: teams.at(-1) ?? wrapped?.last ?? here?.last ?? '', more: cut });
  }
  const candidates = inTurn(await findDue(context, shares), shares, rooms);
  for (const { lane, team, share } of shares) {
    const taken = candidates.filter((each) => each.lane === lane && each.team === team).length;
    if (taken >= share || taken === 0) state.get(lane)!.more = true;
  }
  // Whoever comes after the last that was served is the first of the next turn.
  for (const { lane, team } of candidates) state.get(lane)!.after = team;
  if (candidates.length === 0) return { jobs: again, lanes: state };
  const taken = await take(
    context,
    candidates.map(({ id }) => id),
    againMs,
  );
  const jobs = candidates.map(({ id }) => taken.get(id)).filter((job) => job !== undefined);
  return { jobs: [...again, ...jobs], lanes: state };
}

/** Teams with something due in these lanes, in their order, found by leaping from team to team in the index. */
async function findTeams(
  context: StoreContext,
  lanes: readonly LaneRoom[],
): Promise<Map<string, { teams: string[]; cut: boolean; last: string }>> {
  const found = new Map<string, { teams: string[]; cut: boolean; last: string }>();
  if (lanes.length === 0) return found;
  const next = (lane: string, after: string) => sql`(
    select min(team_id) from quote_rate
    where carrier_key = ${sql.ref(lane)} and team_id > ${sql.ref(after)} and wake_at is not null)`;
  const places = lanes.map(({ carrierKey, after }) => ({ given_lane: carrierKey, given_after: after }));
  const { rows } = await sql<Waiting & { due: number }>`
    with recursive ${given(context, { given_lane: 'text', given_after: 'text' }, places)},
    walk (lane, team, place) as (
      select given_lane, ${next('given_lane', 'given_after')}, 1 from given
      union all
      select lane, ${next('lane', 'team')}, place + 1 from walk where team is not null and place < ${sql.lit(MAX_TEAMS_AT_ONCE)}
    )
    select lane, team, case when exists (
      select 1 from quote_rate
      where carrier_key = lane and team_id = team and wake_at is not null and wake_at <= ${context.now()} and told = 0
    ) then 1 else 0 end as due
    from walk where team is not null order by lane, place`.execute(context.db);
  for (const [lane, ofLane] of Map.groupBy(rows, (row) => row.lane)) {
    found.set(lane, {
      teams: ofLane.filter((row) => row.due === 1).map((row) => row.team),
      cut: ofLane.length === MAX_TEAMS_AT_ONCE,
      last: ofLane.at(-1)!.team,
    });
  }
  return found;
}

/** What each team has due first, as much as its share: a look into the index for each. */
async function findDue(
  context: StoreContext,
  shares: readonly (Waiting & { readonly share: number })[],
): Promise<(Waiting & { readonly id: string })[]> {
  const due = ({ lane, team, share }: Waiting & { readonly share: number }) => sql`
    select id from quote_rate
    where carrier_key = ${lane} and team_id = ${team} and wake_at is not null and wake_at <= ${context.now()} and told = 0
    order by wake_at limit ${sql.lit(share)}`;
  if (context.database.engine === 'sqlite') {
    const found: (Waiting & { id: string })[] = [];
    for (const { lane, team, share } of shares) {
      const { rows } = await sql<{ id: string }>`${due({ lane, team, share })}`.execute(context.db);
      found.push(...rows.map(({ id }) => ({ lane, team, id })));
    }
    return found;
  }
  return inBatches(shares, async (batch) => {
    const { rows } = await sql<Waiting & { id: string }>`
      with ${given(context, { lane: 'text', team: 'text', share: 'integer' }, batch)}
      select lane, team, first.id from given, lateral (
        select id from quote_rate
        where carrier_key = lane and team_id = team and wake_at is not null and wake_at <= ${context.now()} and told = 0
        order by wake_at limit share) first`.execute(context.db);
    return rows;
  });
}

/** The first of every team, then the second of every team: as many as there is room for. */
function inTurn<Row extends Waiting>(
  rows: readonly Row[],
  order: readonly Waiting[],
  rooms: readonly LaneRoom[],
): Row[] {
  const roomOf = new Map(rooms.map(({ carrierKey, room }) => [carrierKey, room]));
  const rank = new Map(order.map(({ lane, team }, index) => [JSON.stringify([lane, team]), index]));
  const rankOf = ({ lane, team }: Waiting) => rank.get(JSON.stringify([lane, team]))!;
  return [...Map.groupBy(rows, (row) => row.lane)].flatMap(([lane, ofLane]) => {
    const place = new Map<string, number>();
    const placed = ofLane.map((row) => {
      const mine = place.get(row.team) ?? 0;
      place.set(row.team, mine + 1);
      return { row, mine };
    });
    return placed
      .sort((one, other) => one.mine - other.mine || rankOf(one.row) - rankOf(other.row))
      .slice(0, roomOf.get(lane))
      .map(({ row }) => row);
  });
}

async function take(context: StoreContext, ids: readonly string[], againMs: number): Promise<Map<string, JobRef>> {
  const candidates = ids.map((id) => ({ given_id: id }));
  // Looked at again: another process may have taken them meanwhile.
  const { rows } = await sql<{ id: string; carrier_key: string; fence: number }>`
    with ${given(context, { given_id: 'text' }, candidates)}
    update quote_rate set told = 1, wake_at = ${context.now()} + ${sql.lit(micros(againMs))}
    from given
    where id = given_id and wake_at <= ${context.now()} and told = 0
    returning id, carrier_key, fence`.execute(context.db);
  return new Map(rows.map((row) => [row.id, jobOf(row.id, row.fence, row.carrier_key)]));
}

/** What nobody has taken up for so long may be lost. It has had its turn, and takes no room. */
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

export async function countTold(context: StoreContext): Promise<Map<string, number>> {
  const { rows } = await sql<{ carrier_key: string; count: number }>`
    select carrier_key, count(*) as count from quote_rate
    where told = 1 group by carrier_key`.execute(context.db);
  return new Map(rows.map((row) => [row.carrier_key, row.count]));
}
