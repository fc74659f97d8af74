import type { Database } from '@leeward/database';
import { createUuid } from '../request/uuid.ts';
import type { QuotesOptions } from '../service/quotes-options.ts';
import type { NewQuote } from '../store/create-quote.ts';
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

/** With `rates` rates at one carrier, none handed out. */
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
      isHandedOut: false,
    })),
    deadlineMs: 30 * 86_400_000,
    ...more,
  };
}
