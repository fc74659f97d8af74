import { sql } from 'kysely';
import type { CarrierBacklog } from '../ports/quote-store.ts';
import type { StoreContext } from './store-context.ts';

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
