import type { Database } from '@leeward/database';
import { createUuid } from '../request/uuid.ts';
import type { QuotesOptions } from '../service/quotes-options.ts';
import type { NewQuote } from '../store/create-quote.ts';
import type { HandOutRequest } from '../store/hand-out.ts';
import type { LeasedRate } from '../store/lease.ts';
import { SqlQuoteStore } from '../store/sql-quote-store.ts';
import { exampleFields } from './example-request.ts';

export interface SetTime {
  readonly nowMs: number;
  pass(ms: number): void;
  open(database: Database): SqlQuoteStore;
}

export function createSetTime(): SetTime {
  let nowMs = 1_800_000_000_000;
  return {
    get nowMs() {
      return nowMs;
    },
    pass(ms) {
      nowMs += ms;
    },
    open: (database) => new SqlQuoteStore({ database, clock: { nowMicros: () => nowMs * 1000 } }),
  };
}

export function replaceStoreMethods(
  replace: (store: SqlQuoteStore) => Partial<SqlQuoteStore>,
): NonNullable<QuotesOptions['wrapPort']> {
  return (_, port) => {
    const methods = replace(port as unknown as SqlQuoteStore);
    return new Proxy(port, {
      get(target, key) {
        const value: unknown = Reflect.get(key in methods ? methods : target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  };
}

/** With `rates` rates at one carrier. */
export function newQuote(teamId: string, carrierKey: string, rates: number, more: Partial<NewQuote> = {}): NewQuote {
  return {
    id: createUuid(Date.now()),
    serviceQuoteId: createUuid(Date.now()),
    teamId,
    productCode: 'homeowners',
    producerEmail: 'agent@example.com',
    effectiveDate: '2026-12-01',
    fields: exampleFields,
    skipped: [],
    idempotency: undefined,
    rates: Array.from({ length: rates }, () => ({
      id: createUuid(Date.now()),
      carrierKey,
      carrier: 'Example Mutual',
      formType: 'ho3' as const,
    })),
    deadlineMs: 30 * 86_400_000,
    ...more,
  };
}

/** All due rates of a carrier, with long leases, unless the options limit them. */
export async function takeRates(
  store: Pick<SqlQuoteStore, 'handOut'>,
  carrierKey: string,
  options: Partial<HandOutRequest> = {},
): Promise<readonly LeasedRate[]> {
  const all = { count: 100_000, concurrency: 100_000, settling: [], leaseMs: 86_400_000, sent: true };
  for (;;) {
    const [rates] = await store.handOut([{ ...all, token: createUuid(Date.now()), ...options, carrierKey }]);
    if (rates !== 'again') return rates!;
  }
}
