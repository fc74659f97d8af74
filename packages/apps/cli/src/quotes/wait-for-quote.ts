import { setTimeout as sleep } from 'node:timers/promises';
import type { QuoteStatusResponse } from '@leeward/quotes';
import type { QuoteClient } from './quote-client.ts';

/** Polls often at first, because rate tables answer at once. */
const MIN_PAUSE_MS = 150;
const MAX_PAUSE_MS = 2000;

export interface WaitOptions {
  readonly timeoutMs: number;
  /** Aborts waiting. */
  readonly signal: AbortSignal;
  readonly onStatus: (status: QuoteStatusResponse) => void;
}

/** Polls until all carriers have answered or the time is up; then the quote is still `processing`. */
export async function waitForQuote(
  client: Pick<QuoteClient, 'status'>,
  quoteId: string,
  { timeoutMs, signal, onStatus }: WaitOptions,
): Promise<QuoteStatusResponse> {
  const start = performance.now();
  for (let pauseMs = MIN_PAUSE_MS; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 1.3)) {
    const status = await client.status(quoteId);
    onStatus(status);
    const left = timeoutMs - (performance.now() - start);
    if (status.status === 'complete' || left <= 0 || signal.aborted) return status;
    await sleep(Math.min(pauseMs, left), undefined, { signal }).catch(() => {});
  }
}
