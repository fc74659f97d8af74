import { setTimeout as sleep } from 'node:timers/promises';
import type { Hold } from '../store/change-rates.ts';
import type { Ending } from '../store/end-rates.ts';
import type { HandedOut, HandOutRequest } from '../store/hand-out.ts';
import { isUnavailable } from '../store/is-unavailable.ts';
import type { PendingWait } from '../store/pending.ts';
import type { Release, Sending } from '../store/release.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import { createBatchStep } from './batcher.ts';
import type { QuoteListener } from './quote-event.ts';

/** The worker's writes, one rate per call. Batches share commits and are repeated while the store is unavailable. */
export interface GroupedStore {
  handOut(request: HandOutRequest): Promise<HandedOut>;
  hold(sending: Sending): Promise<boolean>;
  finish(ending: Ending): Promise<boolean>;
  release(release: Release): Promise<boolean>;
  keepPending(wait: Hold & PendingWait): Promise<boolean>;
}

export interface GroupedStoreOptions {
  readonly store: Pick<SqlQuoteStore, 'handOut' | 'markSent' | 'finish' | 'release' | 'keepPending'>;
  readonly listener: QuoteListener;
  /** Batches of each kind at once: above 1 if the store commits in parallel. */
  readonly batchConcurrency: number;
  /** Aborted when the process stops waiting for the store. */
  readonly abandon: AbortSignal;
}

const MAX_BATCH = 256;

export function createGroupedStore({ store, listener, batchConcurrency, abandon }: GroupedStoreOptions): GroupedStore {
  const step = createBatchStep({ maxItems: MAX_BATCH, concurrency: batchConcurrency });
  const batched = <Item, Result>(
    where: string,
    run: (items: readonly Item[]) => Promise<Result[]>,
    options?: { readonly first: boolean },
  ): ((item: Item) => Promise<Result>) => {
    const runUntilAvailable = (items: readonly Item[]) =>
      repeatWhileUnavailable(() => run(items), { signal: abandon, where, listener });
    return step.createBatcher<Item, Result>(runUntilAvailable, options).add;
  };
  const sentBefore = new WeakSet<HandOutRequest>();
  return {
    handOut: batched('hand_out', (items) => {
      const isRepeat = items.some((item) => sentBefore.has(item));
      for (const item of items) sentBefore.add(item);
      return store.handOut(items, isRepeat);
    }),
    // First: a slot is empty until this is written.
    hold: batched('mark_sent', (items) => store.markSent(items), { first: true }),
    finish: batched('finish', (items) => store.finish(items)),
    release: batched('release', (items) => store.release(items)),
    keepPending: batched('keep_pending', (items) => store.keepPending(items)),
  };
}

const GIVE_UP_MS = 600_000;

/** A database restart must lose no carrier's answer. Gives up on `signal` or after ten minutes. */
async function repeatWhileUnavailable<Result>(
  work: () => Promise<Result>,
  options: { readonly signal: AbortSignal; readonly where: string; readonly listener: QuoteListener },
): Promise<Result> {
  const { signal, where, listener } = options;
  const start = performance.now();
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || signal.aborted || performance.now() - start > GIVE_UP_MS) throw error;
      listener({ type: 'failure', where, error });
      await sleep(Math.min(2000, 100 * 2 ** tries) * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {});
    }
  }
}
