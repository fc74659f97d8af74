import { type RawBuilder, sql } from 'kysely';
import type { Db, StoreContext } from './store-context.ts';
import type { ChangedRow } from './tables.ts';

/*
 * The outbox. A statement that ends a rate, or changes an ended one, also numbers the quote's events and schedules their deliveries, in
 * the same transaction. The row of `quote_progress` is the lock for numbering: a later number is never committed before an earlier one.
 */

const wasOpen = sql`previous_status in ('queued', 'processing')`;
const eventColumns = sql`(quote_id, number, type, rate_id, at, status, outcome, premium_cents)`;
const deliveryColumns = sql`(webhook_id, quote_id, next_number, last_number, due_at, attempts)`;
const owedMore = sql`on conflict (webhook_id, quote_id) do update set last_number = excluded.last_number`;

/** PostgreSQL: steps of the statement whose changed rows are `changed`. */
export function eventSteps(context: StoreContext): RawBuilder<unknown> {
  return sql`,
    counts as (
      select quote_id, count(*) as events, count(*) filter (where ${wasOpen}) as ended
      from changed where status in ('success', 'error') group by quote_id
    ),
    held as (
      select quote_id from quote_progress where quote_id in (select quote_id from counts) order by quote_id for update
    ),
    counted as (
      update quote_progress set
        last_event = last_event + counts.events + case when counts.ended > 0 and open_rates = counts.ended then 1 else 0 end,
        open_rates = open_rates - counts.ended
      from counts join held using (quote_id)
      where quote_progress.quote_id = counts.quote_id
      returning quote_progress.quote_id, team_id, last_event,
        case when open_rates = 0 and counts.ended > 0 then 1 else 0 end as completed, counts.events as events
    ),
    told as (
      insert into quote_event ${eventColumns}
      select quote_id, last_event - completed - events + row_number() over (partition by quote_id order by id),
        case when ${wasOpen} then 'rate.ended' else 'rate.changed' end, id, ${context.now()}, status, outcome, premium_cents
      from changed join counted using (quote_id) where status in ('success', 'error')
      union all
      select quote_id, last_event, 'quote.completed', null, ${context.now()}, null, null, null
      from counted where completed = 1
    ),
    owed as (
      insert into quote_webhook_delivery ${deliveryColumns}
      select quote_webhook.id, quote_id, last_event - completed - events + 1, last_event, ${context.now()}, 0
      from counted join quote_webhook using (team_id) where disabled_at is null
      order by quote_webhook.id, quote_id
      ${owedMore}
    )`;
}

/** Numbers and stores an event of a whole quote or watched home, and schedules its deliveries. */
export async function recordOfWhole(
  { now }: StoreContext,
  tx: Db,
  quoteId: string,
  type: 'quote.affected' | 'home.verdicts_changed',
  details: string,
): Promise<void> {
  const { rows } = await sql<{ last_event: number; team_id: string }>`
    update quote_progress set last_event = last_event + 1 where quote_id = ${quoteId} returning last_event, team_id`.execute(
    tx,
  );
  const progress = rows[0];
  if (progress === undefined) return;
  const { last_event: number, team_id: teamId } = progress;
  await sql`
    insert into quote_event (quote_id, number, type, at, details)
    values (${quoteId}, ${number}, ${type}, ${now()}, ${details})`.execute(tx);
  await sql`
    insert into quote_webhook_delivery ${deliveryColumns}
    select id, ${quoteId}, ${number}, ${number}, ${now()}, 0 from quote_webhook
    where team_id = ${teamId} and disabled_at is null
    order by id
    ${owedMore}`.execute(tx);
}

/** SQLite: separate statements in the transaction, with constant texts. */
export async function recordEvents(context: StoreContext, changed: readonly ChangedRow[], tx: Db): Promise<void> {
  const ended = changed.filter(({ status }) => status === 'success' || status === 'error');
  if (ended.length === 0) return;
  const ofQuotes = [...Map.groupBy(ended, (rate) => rate.quote_id)];
  const isOpen = ({ previous_status: was }: ChangedRow) => was === 'queued' || was === 'processing';
  const counts = ofQuotes.map(([quoteId, rates]) => [quoteId, rates.length, rates.filter(isOpen).length]);
  const { rows } = await sql<{ quote_id: string; last_event: number; open_rates: number }>`
    with input (of_quote, events, ended) as (
      select value ->> 0, value ->> 1, value ->> 2 from json_each(${JSON.stringify(counts)}))
    update quote_progress set
      last_event = last_event + events + (ended > 0 and open_rates = ended),
      open_rates = open_rates - ended
    from input where quote_id = of_quote
    returning quote_id, last_event, open_rates`.execute(tx);
  const progress = new Map(rows.map((row) => [row.quote_id, row]));
  const events: [quoteId: string, number: number, type: string, rateId: string | null][] = [];
  const owed: [quoteId: string, teamId: string, first: number, last: number][] = [];
  for (const [quoteId, rates] of ofQuotes) {
    const quote = progress.get(quoteId);
    if (quote === undefined) continue;
    const isCompleted = quote.open_rates === 0 && rates.some(isOpen);
    const first = quote.last_event - rates.length + (isCompleted ? 0 : 1);
    rates.forEach((rate, index) => {
      events.push([quoteId, first + index, isOpen(rate) ? 'rate.ended' : 'rate.changed', rate.id]);
    });
    if (isCompleted) events.push([quoteId, quote.last_event, 'quote.completed', null]);
    owed.push([quoteId, rates[0]!.team_id, first, quote.last_event]);
  }
  await sql`
    insert into quote_event ${eventColumns}
    select value ->> 0, value ->> 1, value ->> 2, value ->> 3, ${context.now()}, status, outcome, premium_cents
    from json_each(${JSON.stringify(events)}) left join quote_rate on quote_rate.id = value ->> 3`.execute(tx);
  await sql`
    insert into quote_webhook_delivery ${deliveryColumns}
    select quote_webhook.id, value ->> 0, value ->> 2, value ->> 3, ${context.now()}, 0
    from quote_webhook join json_each(${JSON.stringify(owed)}) on team_id = value ->> 1
    where disabled_at is null
    ${owedMore}`.execute(tx);
}
