import { effect, signal } from '@preact/signals';
import { ask, type Failure, follow } from '../service/ask.ts';
import { visit } from '../service/session.ts';
import type { WireComparison, WireQuote, WireQuoteCreated } from '../service/wire.ts';
import { type QuoteField, quoteRequest } from './quote-form-state.ts';

export const quote = signal<WireQuote | undefined>(undefined);
export const comparison = signal<WireComparison | undefined>(undefined);
export const failure = signal<Failure | undefined>(undefined);
export const isSending = signal(false);
/** The quote that was created last. */
export const created = signal<WireQuoteCreated | undefined>(undefined);

const POLL_MS = 1_000;
/** Poll interval while the event stream is open. */
const WATCH_MS = 10_000;
/** Answers within this time are shown together. */
const TOGETHER_MS = 60;
const MAX_POLL_MS = 10_000;

/** The same request has the same idempotency key, so that a retry starts no second quote. */
let key: { readonly of: string; readonly text: string } | undefined;

function keyOf(request: string): string {
  if (key?.of !== request) {
    const random = crypto.getRandomValues(new Uint8Array(16));
    key = { of: request, text: Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('') };
  }
  return key.text;
}

/** Returns the id of the quote; undefined after a failure, which is in `failure`. */
export async function startQuote(fields: readonly QuoteField[]): Promise<string | undefined> {
  const request = quoteRequest(fields);
  isSending.value = true;
  const headers = { 'idempotency-key': keyOf(JSON.stringify(request)) };
  const answer = await ask<WireQuoteCreated>('/api/v1/quote/request', request, { as: 'team', headers });
  isSending.value = false;
  failure.value = answer.ok ? undefined : answer.failure;
  if (!answer.ok) return undefined;
  quote.value = comparison.value = undefined;
  created.value = answer.data;
  return answer.data.quote_request_id;
}

/** Creates a quote from an earlier one, with changed fields. */
export async function startRequote(id: string, fields: Readonly<Record<string, unknown>>) {
  const changes = { fields };
  const headers = { 'idempotency-key': keyOf(JSON.stringify([id, changes])) };
  const answer = await ask<WireQuoteCreated>(pathOf(id, '/requote'), changes, { as: 'team', headers });
  if (answer.ok) created.value = answer.data;
  return answer;
}

/** The page to print, with these rates. */
export function readProposal(id: string, agencyName: string, rateIds: readonly string[]) {
  const body = { agency_name: agencyName, rate_ids: rateIds };
  return ask<Blob>(pathOf(id, '/proposal'), body, { as: 'team', read: 'file' });
}

export function readDocument(rateId: string, documentId: string) {
  const path = `/api/v1/rate/${encodeURIComponent(rateId)}/document/${encodeURIComponent(documentId)}`;
  return ask<Blob>(path, undefined, { as: 'team', method: 'GET', read: 'file' });
}

const pathOf = (id: string, verb = '') => `/api/v1/quote/${encodeURIComponent(id)}${verb}`;

/**
 * Follows a quote until it is complete, by its event stream and by polling, at growing intervals after failures. The returned function
 * stops it.
 */
export function followQuote(id: string): () => void {
  const gone = new AbortController();
  const { signal } = gone;
  let isHeard = false;
  let wake = () => {};
  let isStreaming = true;
  const stream = follow(pathOf(id, '/events'), signal, () => {
    isHeard = true;
    wake();
  });
  void stream.then(() => {
    isStreaming = false;
    wake();
  });
  /** Waits for an event, or this long. */
  const rest = async (ms: number) => {
    if (!isHeard && !signal.aborted) {
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, ms);
        signal.addEventListener('abort', () => resolve());
      });
    }
    if (isHeard) await new Promise((resolve) => setTimeout(resolve, TOGETHER_MS));
    isHeard = false;
  };
  const askOn = async () => {
    let wait = POLL_MS;
    let lastCounts = '';
    while (!signal.aborted) {
      const status = await ask<WireQuote>(pathOf(id), { include_rates: true }, { as: 'team', signal });
      if (signal.aborted) return;
      failure.value = status.ok ? undefined : status.failure;
      if (status.ok) {
        wait = isStreaming ? WATCH_MS : POLL_MS;
        quote.value = status.data;
        const counts = JSON.stringify([status.data.counts, status.data.outcomes]);
        if (counts !== lastCounts) {
          const compared = await ask<WireComparison>(pathOf(id, '/compare'), {}, { as: 'team', signal });
          if (signal.aborted) return;
          if (compared.ok) {
            comparison.value = compared.data;
            lastCounts = counts;
          } else failure.value = compared.failure;
        }
        if (status.data.status === 'complete' && counts === lastCounts) return;
      } else {
        // A missing quote, or one of another team, stays unavailable.
        if (status.failure.status >= 400 && status.failure.status < 500 && status.failure.status !== 429) return;
        wait = Math.min(MAX_POLL_MS, 2 * wait);
      }
      await rest(wait);
    }
  };
  if (quote.value?.quote_request_id !== id) quote.value = comparison.value = undefined;
  void askOn().finally(() => gone.abort());
  return () => gone.abort();
}

/** Cancels calls to carriers that have not answered. */
export async function cancelQuote(id: string): Promise<void> {
  const answer = await ask(pathOf(id, '/cancel'), {}, { as: 'team' });
  if (!answer.ok) failure.value = answer.failure;
}

export function forgetQuote(): void {
  quote.value = comparison.value = failure.value = undefined;
}

effect(() => {
  void visit.value;
  forgetQuote();
  created.value = undefined;
});
