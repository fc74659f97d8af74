import { sql } from 'kysely';
import type { DeletedQuotes, OldQuote } from '../ports/quote-store.ts';
import { micros, type StoreContext } from './store-context.ts';
import type { QuoteTables } from './tables.ts';

/**
 * Deletes finished quotes with all that belongs to them: rates, answers and documents, history, events and idempotency
 * keys. A quote stays while a rate of it may still change, while its last rate ended less than `ageMs` ago, and while a webhook
 * is owed events of it. Looks at `limit` quotes, oldest first, behind `after`.
 */
export async function deleteFinished(
  context: StoreContext,
  { ageMs, after, limit }: { readonly ageMs: number; readonly after: OldQuote | undefined; readonly limit: number },
): Promise<DeletedQuotes> {
  const cutoff = sql`${context.now()} - ${sql.lit(micros(ageMs))}`;
  const behind = after === undefined ? sql`` : sql`and (created_at, id) > (cast(${after.at} as bigint), ${after.id})`;
  const { rows } = await sql<{ id: string; at: number }>`
    select id, created_at as at from quote_request where created_at <= ${cutoff} ${behind}
    order by created_at, id limit ${sql.lit(limit)}`.execute(context.db);
  const next = rows.length < limit ? undefined : rows.at(-1);
  if (rows.length === 0) return { count: 0, next };
  const candidates = sql.join(rows.map(({ id }) => id));
  const count = await context.database.transaction<QuoteTables, number>(async (tx) => {
    // A retry raises `open_rates` in the transaction that adds its rate: locked, the quote stays as it is.
    const lock = context.database.engine === 'postgres' ? sql`order by quote_id for update` : sql``;
    const { rows: complete } = await sql<{ quote_id: string }>`
      select quote_id from quote_progress where quote_id in (${candidates}) and open_rates = 0 ${lock}`.execute(tx);
    if (complete.length === 0) return 0;
    const { rows: chosen } = await sql<{ id: string }>`
      select id from quote_request where id in (${sql.join(complete.map((row) => row.quote_id))})
        and not exists (
          select 1 from quote_rate where quote_id = quote_request.id
            and (wake_at is not null or finished_at is null or finished_at > ${cutoff}))
        and not exists (
          select 1 from quote_webhook join quote_webhook_delivery on webhook_id = quote_webhook.id
          where quote_webhook.team_id = quote_request.team_id and quote_id = quote_request.id)`.execute(tx);
    if (chosen.length === 0) return 0;
    const ids = sql.join(chosen.map(({ id }) => id));
    await sql`
      delete from quote_rate_event where rate_id in (select id from quote_rate where quote_id in (${ids}))`.execute(tx);
    for (const table of ['quote_rate', 'quote_event', 'quote_progress']) {
      await sql`delete from ${sql.table(table)} where quote_id in (${ids})`.execute(tx);
    }
    await sql`delete from quote_request where id in (${ids})`.execute(tx);
    return chosen.length;
  });
  return { count, next };
}
