import { sql } from 'kysely';
import type { CarrierLimits, CarrierQuota } from '../ports/carrier-adapter.ts';

import { type Db, micros, type StoreContext } from './store-context.ts';
import type { QuoteTables } from './tables.ts';

export interface UsedQuota extends CarrierQuota {
  /** ISO 8601, in UTC. */
  readonly resetsAt: string;
}

export type Permit =
  | { readonly granted: true }
  | { readonly granted: false; readonly waitMs: number; readonly usedUp?: UsedQuota | undefined };

/**
 * The generic cell rate algorithm (ITU-T I.371) as one UPDATE: a call moves the theoretical arrival time by one interval and is granted
 * while that time is at most `burst - 1` intervals ahead. That alone would allow `calls + burst - 1` calls in a window that begins with
 * a burst, so with a burst the call `calls` before it must also be a full window old.
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

async function takeOne(
  context: StoreContext,
  db: Db,
  carrierKey: string,
  { calls, perMs, burst = 1 }: NonNullable<CarrierLimits['rateLimit']>,
): Promise<Permit | undefined> {
  // One microsecond less would allow one call too many in a window.
  const interval = Math.ceil(micros(perMs) / calls);
  const tolerance = sql.lit(interval * (burst - 1));
  const now = context.now();
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
  const { rows } = await sql<{ interval_wait: number; window_wait: number | null }>`
    select theoretical_arrival - ${tolerance} - ${now} as interval_wait,
      ${burst > 1 ? sql`${replaced} + ${window} - ${now}` : sql`null`} as window_wait
    from quote_carrier_pace where carrier_key = ${carrierKey}`.execute(db);
  const [wait] = rows;
  return wait && { granted: false, waitMs: Math.max(1, Math.max(wait.interval_wait, wait.window_wait ?? 0) / 1000) };
}

async function addCarrier(context: StoreContext, carrierKey: string): Promise<void> {
  await context.db
    .insertInto('quote_carrier_pace')
    .values({ carrier_key: carrierKey, theoretical_arrival: 0, granted: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
