import { sql } from 'kysely';
import type { Permit } from '../ports/quote-store.ts';
import { micros, type StoreContext } from './store-context.ts';

/**
 * The generic cell rate algorithm (ITU-T I.371) as one UPDATE: each call moves the theoretical arrival time on by one
 * interval, and none is granted while that time lies more than `burst - 1` intervals ahead.
 */
export async function takePermit(
  context: StoreContext,
  carrierKey: string,
  limit: { intervalMs: number; burst: number },
): Promise<Permit> {
  const interval = micros(limit.intervalMs);
  const tolerance = interval * (limit.burst - 1);
  const now = context.now();
  for (;;) {
    const granted = await sql<{ carrier_key: string }>`
      update quote_carrier_pace
      set theoretical_arrival =
        case when theoretical_arrival > ${now} then theoretical_arrival else ${now} end + ${sql.lit(interval)}
      where carrier_key = ${carrierKey} and theoretical_arrival - ${sql.lit(tolerance)} <= ${now}
      returning carrier_key`.execute(context.db);
    if (granted.rows.length > 0) return { granted: true };
    const { rows } = await sql<{ wait: number }>`
      select theoretical_arrival - ${sql.lit(tolerance)} - ${now} as wait
      from quote_carrier_pace where carrier_key = ${carrierKey}`.execute(context.db);
    if (rows[0] !== undefined) return { granted: false, waitMs: Math.max(1, rows[0].wait / 1000) };
    await addCarrier(context, carrierKey);
  }
}

/** Moves the carrier's next permit at least `restMs` away. */
export async function holdPermits(
  context: StoreContext,
  carrierKey: string,
  limit: { intervalMs: number; burst: number },
  restMs: number,
): Promise<void> {
  const tolerance = micros(limit.intervalMs) * (limit.burst - 1);
  await addCarrier(context, carrierKey);
  const until = sql<number>`${context.now()} + ${sql.lit(micros(restMs) + tolerance)}`;
  await context.db
    .updateTable('quote_carrier_pace')
    .set({ theoretical_arrival: until })
    .where('carrier_key', '=', carrierKey)
    .where('theoretical_arrival', '<', until)
    .execute();
}

async function addCarrier(context: StoreContext, carrierKey: string): Promise<void> {
  await context.db
    .insertInto('quote_carrier_pace')
    .values({ carrier_key: carrierKey, theoretical_arrival: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
