import { type TestEngine, testEngines } from '@leeward/database/testing';
import {
  type CarrierAdapter,
  createQuotes,
  type QuoteStatusResponse,
  type Quotes,
  type QuotesOptions,
  quoteMigrations,
} from '@leeward/quotes';
import { createPQueueBackend } from '@leeward/quotes/queues/p-queue';
import { vi } from 'vitest';

export const engines: TestEngine[] = await testEngines();

/** On a new database, for `team-1` and its producer `agent@example.com`. */
export interface Bench extends AsyncDisposable {
  readonly quotes: Quotes;
  join(): Promise<Quotes>;
  /** Waits until every carrier has answered. */
  completed(quoteId: string, timeoutMs?: number): Promise<QuoteStatusResponse>;
}

export async function createBench(
  engine: TestEngine,
  carriers: readonly CarrierAdapter[],
  { work = true, ...options }: Partial<QuotesOptions> & { readonly work?: boolean } = {},
): Promise<Bench> {
  const place = await engine.createPlace();
  const joined: Quotes[] = [];
  const join = async () => {
    const quotes = createQuotes({
      database: await place.open({ migrations: [quoteMigrations] }),
      carriers,
      queue: createPQueueBackend(),
      teams: {
        hasProducer: async (teamId, email) => teamId === 'team-1' && email === 'agent@example.com',
        appointments: async () => carriers.map(({ key }) => ({ carrierKey: key })),
      },
      sweepIntervalMs: 100,
      ...options,
    });
    joined.push(quotes);
    return quotes;
  };
  const quotes = await join();
  if (work) await quotes.start();
  return {
    quotes,
    join,
    completed: (quoteId, timeout = 15_000) =>
      vi.waitFor(
        async () => {
          const status = await quotes.status('team-1', quoteId, { includeRates: true });
          if (status?.status !== 'complete') throw new Error(`Not complete: ${JSON.stringify(status?.counts)}`);
          return status;
        },
        { timeout, interval: 20 },
      ),
    async [Symbol.asyncDispose]() {
      await Promise.all(joined.map((each) => each.stop({ graceMs: 100 })));
      await place[Symbol.asyncDispose]();
    },
  };
}
