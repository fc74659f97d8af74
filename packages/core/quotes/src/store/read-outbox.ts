import type { Cents, FormType, Micros } from '@leeward/terms';
import { sql } from 'kysely';
import type { HomeChange } from '../ports/home-verdicts.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { CarrierChange } from './closures.ts';
import { inputTable } from './input-table.ts';
import { inBatches, type StoreContext } from './store-context.ts';
import type { QuoteEventRow, RateRow } from './tables.ts';
import { openContent } from './watched-homes.ts';

/** Written in the transaction of the change, without personal data. */
export interface StoredEvent {
  readonly quoteId: string;
  /** 1, 2, 3 … within the quote. */
  readonly number: number;
  readonly type: EventType;
  readonly at: Micros;
  /** State after the event; undefined for an event of the whole quote. */
  readonly rate:
    | {
        readonly id: string;
        readonly carrierKey: string;
        readonly carrier: string;
        readonly formType: FormType;
        readonly status: 'success' | 'error';
        readonly outcome: Outcome;
        readonly premiumCents: Cents | undefined;
      }
    | undefined;
  /** Only in `quote.affected`. */
  readonly carriers?: readonly CarrierChange[] | undefined;
  /** Only in `home.verdicts_changed`. */
  readonly changes?: readonly HomeChange[] | undefined;
  /** Only in `home.verdicts_changed`; undefined if its key is not configured. */
  readonly reference?: string | undefined;
}

/** `rate.changed`: a later answer to an ended rate. `quote.completed`: no rate is unfinished, for now. `quote.affected`: storms or other events closed or reopened carriers. `home.verdicts_changed`: carriers' statuses for a watched home. */
export type EventType = (typeof eventTypes)[number];

/** Types of events. */
export const eventTypes = [
  'rate.ended',
  'rate.changed',
  'quote.completed',
  'quote.affected',
  'home.verdicts_changed',
] as const;

export interface EventsAfter {
  readonly quoteId: string;
  readonly after: number;
}

type EventRow = Omit<QuoteEventRow, 'status'> &
  Partial<Pick<RateRow, 'status' | 'carrier_key' | 'carrier' | 'form_type'>> & { readonly content: string | null };

/** Ordered; at most `limit` per quote. */
export async function readOutbox(
  context: StoreContext,
  positions: readonly EventsAfter[],
  limit: number,
): Promise<StoredEvent[]> {
  const rows = await inBatches(positions, async (batch) => {
    const quotes = batch.map(({ quoteId, after }) => ({ input_quote: quoteId, input_after: after }));
    const { rows } = await sql<EventRow>`
      with ${inputTable(context, { input_quote: 'text', input_after: 'integer' }, quotes)}
      select quote_event.*, carrier_key, carrier, form_type, content
      from input join quote_event on quote_event.quote_id = input_quote
        and number > input_after and number <= input_after + ${sql.lit(limit)}
      left join quote_rate on quote_rate.id = rate_id
      left join quote_watched_home on quote_watched_home.id = quote_event.quote_id
      order by quote_event.quote_id, number`.execute(context.db);
    return rows;
  });
  return Promise.all(rows.map((row) => toEvent(context, row)));
}

async function toEvent(context: StoreContext, row: EventRow): Promise<StoredEvent> {
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
    ...(row.details === null ? {} : (JSON.parse(row.details) as Pick<StoredEvent, 'carriers' | 'changes'>)),
    ...(row.content === null
      ? {}
      : { reference: (await openContent(context, { id: row.quote_id, content: row.content }))?.reference }),
  };
}

/** Fits in one notification of PostgreSQL. */
const QUOTES_A_MESSAGE = 150;

/** Schemas of one database share the channel; quotes of another schema have no followers here. */
const channel = 'leeward_quote_events';

export async function notify({ database }: StoreContext, quoteIds: readonly string[]): Promise<void> {
  const messages: string[] = [];
  for (let start = 0; start < quoteIds.length; start += QUOTES_A_MESSAGE) {
    messages.push(quoteIds.slice(start, start + QUOTES_A_MESSAGE).join(' '));
  }
  await database.notify(channel, messages);
}

export function subscribe(
  { database }: StoreContext,
  onEvents: (quoteIds: readonly string[] | 'all') => void,
): Promise<() => Promise<void>> {
  return database.subscribe(channel, {
    onMessage: (message) => onEvents(message.split(' ')),
    onMissed: () => onEvents('all'),
  });
}
