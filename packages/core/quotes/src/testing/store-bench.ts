import type { Database } from '@leeward/database';
import type { NewQuote, QuoteStore } from '../ports/quote-store.ts';
import { createUuid } from '../request/uuid.ts';
import { createSqlStore } from '../store/sql-store.ts';
import { exampleFields } from './example-request.ts';

/** For tests of the store: time that passes only when a test says so, in every process. */
export interface SetTime {
  readonly nowMs: number;
  pass(ms: number): void;
  /** Another process on the same database. */
  open(database: Database): QuoteStore;
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
    open: (database) => createSqlStore({ database, clock: { nowMicros: () => nowMs * 1000 } }),
  };
}

/** A quote of a team with so many rates at one carrier, none of them handed out. */
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
      told: false,
    })),
    deadlineMs: 30 * 86_400_000,
    ...more,
  };
}
