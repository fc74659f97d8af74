import type { OpenDatabaseOptions } from '@leeward/database';
import { type TestEngine, type TestPlace, testEngines } from '@leeward/database/testing';
import type { QuoteEvent } from '../orchestrator/quote-event.ts';
import type { CarrierAdapter, CarrierAnswer } from '../ports/carrier-adapter.ts';
import type { QuoteStatusResponse } from '../present/quote-status.ts';
import { createPQueueBackend } from '../queues/p-queue.ts';
import { createQuotes } from '../service/create-quotes.ts';
import type { Quotes } from '../service/quotes.ts';
import type { QuotesOptions } from '../service/quotes-options.ts';
import { quoteMigrations } from '../store/migrations.ts';
import { eventually } from './suite.ts';
import { teamsFor } from './teams-for.ts';

export const engines: TestEngine[] = await testEngines();

/** Quoting on a separate database, with the producer `agent@example.com` of `team-1`, who may call every carrier. */
export interface Bench extends AsyncDisposable {
  readonly quotes: Quotes;
  readonly place: TestPlace;
  readonly events: QuoteEvent[];
  join(options?: Partial<QuotesOptions>): Promise<Quotes>;
  completed(quoteId: string, timeoutMs?: number): Promise<QuoteStatusResponse>;
}

export async function createBench(
  engine: TestEngine,
  carriers: readonly CarrierAdapter[],
  options: Partial<QuotesOptions> & { readonly work?: boolean; readonly open?: OpenDatabaseOptions } = {},
): Promise<Bench> {
  const place = await engine.createPlace();
  const joined: Quotes[] = [];
  const events: QuoteEvent[] = [];
  const { work = true, open, ...rest } = options;
  const join = async (more: Partial<QuotesOptions> = {}) => {
    const database = await place.open({ migrations: [quoteMigrations], ...open });
    const quotes = createQuotes({
      database,
      carriers,
      queue: createPQueueBackend(),
      teams: teamsFor(carriers),
      listener: (event) => events.push(event),
      sweepIntervalMs: 100,
      ...rest,
      ...more,
    });
    joined.push(quotes);
    return quotes;
  };
  const quotes = await join();
  if (work) await quotes.start();
  return {
    quotes,
    place,
    events,
    join,
    async completed(quoteId, timeoutMs = 15_000) {
      let status: QuoteStatusResponse | undefined;
      await eventually(
        async () => {
          status = await quotes.status('team-1', quoteId, { includeRates: true });
          return status?.status === 'complete';
        },
        () =>
          `${JSON.stringify(status?.counts)} ${JSON.stringify(events.filter((event) => event.type === 'failure').map(String))}`,
        timeoutMs,
      );
      return status!;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(joined.map((each) => each.stop({ graceMs: 100 })));
      await place[Symbol.asyncDispose]();
    },
  };
}

export function scriptedCarrier(
  quote: CarrierAdapter['quote'],
  options: Partial<CarrierAdapter> = {},
): CarrierAdapter & { calls: number } {
  const carrier: CarrierAdapter & { calls: number } = {
    calls: 0,
    key: 'scripted',
    name: 'Scripted Mutual',
    offers: [{ formTypes: ['ho3'] }],
    idempotent: false,
    limits: { backoff: { initialMs: 10, maxMs: 50 } },
    ...options,
    quote(request, context) {
      carrier.calls++;
      return quote(request, context);
    },
  };
  return carrier;
}

export const quotedAt = (premiumCents: bigint): CarrierAnswer => ({ outcome: 'quoted', premiumCents });
