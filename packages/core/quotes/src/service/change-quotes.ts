import type { Eraser } from '../orchestrator/eraser.ts';
import type { InFlight } from '../orchestrator/in-flight.ts';
import type { Waker } from '../orchestrator/waker.ts';
import { presentFullRate } from '../present/rate.ts';
import { readInsuredQuery } from '../request/insured-query.ts';
import { InvalidQuoteRequestError, RateNotRetryableError } from '../request/quote-errors.ts';
import { createUuid } from '../request/uuid.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import type { RetryRate } from './operator-actions.ts';
import type { Quotes } from './quotes.ts';

export type QuoteChanges = Pick<Quotes, 'cancel' | 'retry' | 'erase' | 'eraseInsured' | 'eraseRemovedTeams'>;

export function createQuoteChanges(options: {
  readonly store: SqlQuoteStore;
  readonly waker: Waker;
  readonly inFlight: InFlight;
  readonly eraser: Eraser;
  readonly nowMs: () => number;
  readonly deadlineMs: number;
  readonly wake: (quoteIds: readonly string[]) => void;
  readonly status: Quotes['status'];
}): QuoteChanges & { readonly retryRate: RetryRate } {
  const { store, waker, inFlight, eraser, nowMs, deadlineMs, wake, status } = options;

  const retryRate: RetryRate = async (rateId, carrierKey, mayRepeat) => {
    const retriedAs = createUuid(nowMs());
    const outcome = await store.retryRate(rateId, retriedAs, { deadlineMs, mayRepeat });
    if (outcome !== 'retried') return { refused: outcome };
    void waker.wake([carrierKey]);
    return { retriedAs };
  };
  return {
    retryRate,
    async cancel(teamId, quoteId) {
      const quote = await store.readQuote(teamId, quoteId);
      if (quote === undefined) return undefined;
      const cancelled = await store.cancelQuote(quote.id);
      inFlight.lose(cancelled);
      wake([quote.id]);
      return status(teamId, quote.id);
    },
    async retry(teamId, rateId) {
      const row = await store.readRate(teamId, rateId);
      if (row === undefined) return undefined;
      const result = await retryRate(row.rate.id, row.rate.carrierKey, false);
      if ('refused' in result) {
        const { code, retriedAs } = result.refused;
        throw new RateNotRetryableError(code === 'may_repeat' ? 'not_retryable' : code, retriedAs);
      }
      const retried = await store.readRate(teamId, result.retriedAs);
      return retried === undefined ? undefined : presentFullRate(retried.rate, retried.quote);
    },
    async erase(teamId, quoteId) {
      const quote = await store.readQuote(teamId, quoteId);
      return quote === undefined ? false : eraser.eraseQuote(teamId, quote.id);
    },
    async eraseInsured(teamId, body, { pause } = {}) {
      const query = readInsuredQuery(body, new Date(nowMs()).toISOString().slice(0, 10));
      if ('faults' in query) throw new InvalidQuoteRequestError(query.faults);
      const { quoteIds, unreadable } = await eraser.eraseInsured(teamId, query, pause);
      return { erased: quoteIds, unreadable };
    },
    eraseRemovedTeams: () => eraser.eraseRemovedTeams(),
  };
}
