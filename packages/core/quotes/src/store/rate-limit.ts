import { sql } from 'kysely';
import type { CarrierLimits, CarrierQuota } from '../ports/carrier-adapter.ts';

import { type Db, micros, type StoreContext } from './store-context.ts';
import type { QuoteTables } from './tables.ts';

/** A quota of which nothing is left. */
export interface UsedQuota extends CarrierQuota {
  /** ISO 8601, in UTC. */
  readonly resetsAt: string;
}

export type Permit =
  | { readonly granted: true }
  | { readonly granted: false; readonly waitMs: number; readonly usedUp?: UsedQuota | undefined };

/**
 * The generic cell rate algorithm (ITU-T I.371) as one UPDATE: each call moves the theoretical arrival time on by one
 * interval, and none is granted while that time lies more than `burst - 1` intervals ahead. That alone lets
 * `calls + burst - 1` through in a window that begins with a burst: with one, no call is granted either before the
 * call that many before it is a whole window old.
 */
export async function takePermit(
  context: StoreContext,
  carrierKey: string,
  limit: NonNullable<CarrierLimits['rateLimit']>,
): Promise<Permit> {
  for (;;) {
    const permit =
      (limit.burst ?? 1) > 1
        ? await context.database.transaction<QuoteTables, Permit | undefined>((tx) =>
            takeOne(context, tx, carrierKey, limit),
          )
        : await takeOne(context, context.db, carrierKey, limit);
    if (permit !== undefined) return permit;
    await addCarrier(context, carrierKey);
  }
}

/** Undefined for a carrier that was never asked for a permit. */
async function takeOne(
  context: StoreContext,
  db: Db,
  carrierKey: string,
  { calls, perMs, burst = 1 }: NonNullable<CarrierLimits['rateLimit']>,
): Promise<Permit | undefined> {
  // Rounded up: a microsecond less would let one call too many into a window.
  const interval = Math.ceil(micros(perMs) / calls);
  const tolerance = sql.lit(interval * (burst - 1));
  const now = context.now();
  /** When the call was granted whose place the next would take. */
  const replaced = sql`(
    select granted_at from quote_carrier_permit
    where quote_carrier_permit.carrier_key = quote_carrier_pace.carrier_key
      and quote_carrier_permit.slot = quote_carrier_pace.granted % ${sql.lit(calls)})`;
  const window = sql.lit(micros(perMs));
  const inWindow = burst > 1 ? sql`and coalesce(${replaced} + ${window} <= ${now}, true)` : sql``;
  const granted = await sql<{ slot: number }>`
    update quote_carrier_pace
    set theoretical_arrival =
      case when theoretical_arrival > ${now} then theoretical_arrival else ${now} end + ${sql.lit(interval)},
      granted = (granted + 1) % 1000000000
    where carrier_key = ${carrierKey} and theoretical_arrival - ${tolerance} <= ${now} ${inWindow}
    returning (granted + 999999999) % 1000000000 % ${sql.lit(calls)} as slot`.execute(db);
  const slot = granted.rows[0]?.slot;
  if (slot !== undefined) {
    if (burst > 1) {
      await sql`
        insert into quote_carrier_permit (carrier_key, slot, granted_at) values (${carrierKey}, ${slot}, ${now})
        on conflict (carrier_key, slot) do update set granted_at = excluded.granted_at`.execute(db);
    }
    return { granted: true };
  }
  const { rows } = await sql<{ spaced: number; free: number | null }>`
    select theoretical_arrival - ${tolerance} - ${now} as spaced,
      ${burst > 1 ? sql`${replaced} + ${window} - ${now}` : sql`null`} as free
    from quote_carrier_pace where carrier_key = ${carrierKey}`.execute(db);
  const [wait] = rows;
  return wait && { granted: false, waitMs: Math.max(1, Math.max(wait.spaced, wait.free ?? 0) / 1000) };
}

async function addCarrier(context: StoreContext, carrierKey: string): Promise<void> {
  await context.db
    .insertInto('quote_carrier_pace')
    .values({ carrier_key: carrierKey, theoretical_arrival: 0, granted: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
