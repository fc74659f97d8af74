import { sql } from 'kysely';
import type { CarrierBacklog } from '../ports/quote-store.ts';
import type { StoreContext } from './store-context.ts';

/** What waits for its turn, carrier by carrier: told by the index of turns alone. */
export async function readBacklog(context: StoreContext): Promise<CarrierBacklog[]> {
  const { rows } = await sql<{ carrier_key: string; waiting: number; oldest: number }>`
    select carrier_key, count(*) as waiting, ${context.now()} - min(wake_at) as oldest from quote_rate
    where wake_at is not null and wake_at <= ${context.now()} group by carrier_key`.execute(context.db);
  return rows.map((row) => ({
    carrierKey: row.carrier_key,
    waiting: row.waiting,
    oldestWaitMs: Math.max(0, row.oldest / 1000),
  }));
}
