import { formatMicros } from '@leeward/terms';
import { sql } from 'kysely';
import type { CarrierQuota } from '../ports/carrier-adapter.ts';
import type { Permit } from './rate-limit.ts';
import type { StoreContext } from './store-context.ts';
import type { CarrierQuotaRow, QuoteTables } from './tables.ts';

/** Requests used in the current window of a quota. */
export interface QuotaUse extends Pick<CarrierQuota, 'per'> {
  readonly carrierKey: string;
  readonly used: number;
}

/** Counts one request against each quota, or none if one is used up. A process whose clock is behind counts in the latest window. */
export async function takeQuota(
  context: StoreContext,
  carrierKey: string,
  quotas: readonly CarrierQuota[],
): Promise<Permit> {
  const { rows } = await sql<{ now: number }>`select ${context.now()} as now`.execute(context.db);
  const nowMs = Number(rows[0]!.now) / 1000;
  try {
    return await context.database.transaction<QuoteTables, Permit>(async (tx) => {
      for (const { requests, per } of quotas) {
        const window = windowOf(nowMs, per);
        const counted = await sql`
          insert into quote_carrier_quota (carrier_key, per, window_start, used)
          values (${carrierKey}, ${per}, ${window.startMs}, 1)
          on conflict (carrier_key, per) do update set
            used = case when quote_carrier_quota.window_start < excluded.window_start then 1
              else quote_carrier_quota.used + 1 end,
            window_start = case when quote_carrier_quota.window_start < excluded.window_start then excluded.window_start
              else quote_carrier_quota.window_start end
          where quote_carrier_quota.window_start < excluded.window_start or quote_carrier_quota.used < ${requests}
          returning used`.execute(tx);
        if (counted.rows.length === 0) throw new UsedUp({ requests, per }, window.endMs);
      }
      return { granted: true };
    });
  } catch (error) {
    if (!(error instanceof UsedUp)) throw error;
    const { quota, endMs } = error;
    const resetsAt = formatMicros(endMs * 1000);
    return { granted: false, waitMs: Math.max(1, endMs - nowMs), usedUp: { ...quota, resetsAt } };
  }
}

export async function readQuotas(context: StoreContext): Promise<QuotaUse[]> {
  const { rows } = await sql<CarrierQuotaRow & { now: number }>`
    select quote_carrier_quota.*, ${context.now()} as now from quote_carrier_quota`.execute(context.db);
  return rows.flatMap(({ carrier_key: carrierKey, per, window_start, used, now }) => {
    const window = windowOf(now / 1000, per as CarrierQuota['per']);
    // A clock ahead may have started the next window.
    return window_start >= window.startMs ? [{ carrierKey, per: per as CarrierQuota['per'], used }] : [];
  });
}

class UsedUp extends Error {
  readonly quota: CarrierQuota;
  readonly endMs: number;

  constructor(quota: CarrierQuota, endMs: number) {
    super('A quota is used up.');
    this.quota = quota;
    this.endMs = endMs;
  }
}

const HOUR_MS = 3_600_000;

/** Calendar window in UTC, in ms since 1970. */
function windowOf(nowMs: number, per: CarrierQuota['per']): { readonly startMs: number; readonly endMs: number } {
  if (per === 'month') {
    const now = new Date(nowMs);
    const monthFrom = (months: number) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1);
    return { startMs: monthFrom(0), endMs: monthFrom(1) };
  }
  const lengthMs = per === 'day' ? 24 * HOUR_MS : HOUR_MS;
  const startMs = Math.floor(nowMs / lengthMs) * lengthMs;
  return { startMs, endMs: startMs + lengthMs };
}
