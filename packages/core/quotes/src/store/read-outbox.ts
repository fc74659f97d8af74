import type { FormType } from '@leeward/terms';
import { sql } from 'kysely';
import type { Outcome } from '../ports/outcome.ts';
import type { EventsAfter } from '../ports/quote-store.ts';
import type { StoredEvent } from '../ports/stored-event.ts';
import { given } from './given.ts';
import { inBatches, type StoreContext } from './store-context.ts';
import type { QuoteEventRow, RateRow } from './tables.ts';

type EventRow = Omit<QuoteEventRow, 'status'> &
  Partial<Pick<RateRow, 'status' | 'carrier_key' | 'carrier' | 'form_type'>>;

/** Of each quote named, its events after the number named, in their order; at most `limit` of each. */
export async function readOutbox(
  context: StoreContext,
  wanted: readonly EventsAfter[],
  limit: number,
): Promise<StoredEvent[]> {
  const rows = await inBatches(wanted, async (batch) => {
    const quotes = batch.map(({ quoteId, after }) => ({ given_quote: quoteId, given_after: after }));
    const { rows } = await sql<EventRow>`
      with ${given(context, { given_quote: 'text', given_after: 'integer' }, quotes)}
      select quote_event.*, carrier_key, carrier, form_type
      from given join quote_event on quote_event.quote_id = given_quote
        and number > given_after and number <= given_after + ${sql.lit(limit)}
      left join quote_rate on quote_rate.id = rate_id
      order by quote_event.quote_id, number`.execute(context.db);
    return rows;
  });
  return rows.map(toEvent);
}

function toEvent(row: EventRow): StoredEvent {
  return {
    quoteId: row.quote_id,
    number: row.number,
    type: row.type as StoredEvent['type'],
    at: row.at,
    rate:
      row.rate_id === null
        ? undefined
        : {
            id: row.rate_id,
            carrierKey: row.carrier_key ?? '',
            carrier: row.carrier ?? '',
            formType: row.form_type as FormType,
            status: row.status as 'success' | 'error',
            outcome: row.outcome as Outcome,
            premiumCents: row.premium_cents === null ? undefined : BigInt(row.premium_cents),
          },
  };
}

/** Within what a database takes for one message. */
const QUOTES_A_MESSAGE = 150;

/** Those who share a database but not a schema hear of each other's quotes, which they follow none of. */
const channel = 'leeward_quote_events';

export async function announce({ database }: StoreContext, quoteIds: readonly string[]): Promise<void> {
  const messages: string[] = [];
  for (let start = 0; start < quoteIds.length; start += QUOTES_A_MESSAGE) {
    messages.push(quoteIds.slice(start, start + QUOTES_A_MESSAGE).join(' '));
  }
  await database.tell(channel, messages);
}

export function hear(
  { database }: StoreContext,
  told: (quoteIds: readonly string[] | 'all') => void,
): Promise<() => Promise<void>> {
  return database.hear(channel, {
    onMessage: (message) => told(message.split(' ')),
    onMissed: () => told('all'),
  });
}
