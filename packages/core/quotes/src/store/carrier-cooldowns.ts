import { sql } from 'kysely';

import { micros, type StoreContext } from './store-context.ts';
import type { QuoteTables } from './tables.ts';
import { canMove, move } from './transitions.ts';

/** A carrier in a cooldown, or paused. */
export interface CarrierCooldown {
  readonly carrierKey: string;
  /** In ms; undefined for a paused carrier. */
  readonly remainingMs: number | undefined;
}

/** Starts or extends. A paused carrier stays paused. */
export async function startCooldown(context: StoreContext, carrierKey: string, cooldownMs: number): Promise<void> {
  const until = sql`${context.now()} + ${sql.lit(micros(cooldownMs))}`;
  await sql`
    insert into quote_carrier_rest (carrier_key, rest_until) values (${carrierKey}, ${until})
    on conflict (carrier_key) do update set rest_until = excluded.rest_until
    where quote_carrier_rest.rest_until < excluded.rest_until`.execute(context.db);
}

export async function pauseCarrier(context: StoreContext, carrierKey: string): Promise<void> {
  await context.db
    .insertInto('quote_carrier_rest')
    .values({ carrier_key: carrierKey, rest_until: null })
    .onConflict((conflict) => conflict.column('carrier_key').doUpdateSet({ rest_until: null }))
    .execute();
}

export async function readCooldowns(context: StoreContext): Promise<CarrierCooldown[]> {
  const { rows } = await sql<{ carrier_key: string; remaining: number | null }>`
    select carrier_key, rest_until - ${context.now()} as remaining from quote_carrier_rest`.execute(context.db);
  return rows
    .filter(({ remaining }) => remaining === null || remaining > 0)
    .map(({ carrier_key: carrierKey, remaining }) => ({
      carrierKey,
      remainingMs: remaining === null ? undefined : remaining / 1000,
    }));
}

/** Makes waiting rates due. @returns whether there was one. */
export async function endCooldown(context: StoreContext, carrierKey: string): Promise<boolean> {
  return context.database.transaction<QuoteTables, boolean>(async (tx) => {
    const { rows } = await sql<{ lifted: number }>`
      delete from quote_carrier_rest where carrier_key = ${carrierKey}
      returning case when rest_until is null or rest_until > ${context.now()} then 1 else 0 end as lifted`.execute(tx);
    await sql`
      update quote_rate set ${move('wake', context.now())}
      where carrier_key = ${carrierKey} and ${canMove('wake')} and status = 'queued' and wake_at > ${context.now()}`.execute(
      tx,
    );
    return rows[0]?.lifted === 1;
  });
}
