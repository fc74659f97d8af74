import type { JobRef } from '../ports/queue-backend.ts';
import type { Hold } from '../store/change-rates.ts';
import type { ClaimedRate, ClaimRequest } from '../store/claim.ts';
import type { Ending } from '../store/end-rates.ts';
import type { PendingWait } from '../store/pending.ts';
import type { Release, Sending } from '../store/release.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import { createBatchStep } from './batcher.ts';
import { persist } from './persist.ts';
import type { QuoteListener } from './quote-event.ts';

/**
 * What a worker writes, one rate at a time to whoever calls it: gathered into lists on the way, so that many rates share
 * a commit, and repeated while the store is out of reach.
 */
export interface GroupedStore {
  claim(claim: ClaimRequest): Promise<ClaimedRate | undefined>;
  /** Notes that the carrier is asked, and renews the lease. */
  hold(sending: Sending): Promise<boolean>;
  finish(ending: Ending): Promise<boolean>;
  release(release: Release): Promise<boolean>;
  keepPending(wait: Hold & PendingWait): Promise<boolean>;
  putOff(job: JobRef, delayMs: number): Promise<void>;
}

export interface GroupedStoreOptions {
  readonly store: SqlQuoteStore;
  readonly listener: QuoteListener;
  /** Lists of each kind at once: more where the store works in parallel. */
  readonly batchesAtOnce: number;
  /** Aborted when the process gives up waiting for the store. */
  readonly abandon: AbortSignal;
}

export function createGroupedStore({ store, listener, batchesAtOnce, abandon }: GroupedStoreOptions): GroupedStore {
  const step = createBatchStep({ largest: 256, atOnce: batchesAtOnce });
  const durably = <Item, Result>(
    where: string,
    run: (items: readonly Item[]) => Promise<Result[]>,
    options?: { readonly first: boolean },
  ): ((item: Item) => Promise<Result>) => {
    const persistently = (items: readonly Item[]) => persist(() => run(items), { signal: abandon, where, listener });
    return step.createBatcher<Item, Result>(persistently, options).add;
  };
  const putOffs = step.createBatcher<{ job: JobRef; delayMs: number }, void>(async (items) => {
    // Those of one lane wait for the same carrier: the longest wait is that of all.
    for (const ofLane of Map.groupBy(items, ({ job }) => job.lane).values()) {
      const jobs = ofLane.map(({ job }) => job);
      await store.putOff(jobs, Math.max(...ofLane.map(({ delayMs }) => delayMs)));
    }
    return items.map(() => undefined);
  });
  return {
    claim: durably('claim', (items) => store.claim(items)),
    // A slot stands empty meanwhile.
    hold: durably('mark_sent', (items) => store.markSent(items), { first: true }),
    finish: durably('finish', (items) => store.finish(items)),
    release: durably('release', (items) => store.release(items)),
    keepPending: durably('keep_pending', (items) => store.keepPending(items)),
    putOff: (job, delayMs) => putOffs.add({ job, delayMs }),
  };
}
