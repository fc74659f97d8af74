import type { CarrierLimits } from '../ports/carrier-adapter.ts';

/**
 * Limits how many rates of one carrier are in its queue at once: enough to keep every slot busy, few enough that a new rate
 * waits behind a fraction of a second of other work. The other rates wait in the store, which hands them out fairly among teams.
 */
export interface QueueWindow {
  /** Number of rates that may be added to the queue. */
  capacity(): number;
  /** Adds a new rate if no other rate waits in the store. @returns whether it was added. */
  admit(): boolean;
  /** Counts rates that were added to the queue. */
  add(count: number): void;
  /** Counts a rate that this process received. @returns true if it is time to add more. */
  remove(): boolean;
  /** Corrects the number of rates in the queue. */
  set(count: number): void;
  /** True if rates may wait in the store. */
  hasMore: boolean;
}

/** The window holds as many rates as workers receive in this time. */
const AHEAD_MS = 250;
const MEASURED_MS = 100;
/** Maximum size of the window, in seconds of the rate limit. A worker would postpone rates beyond it. */
const MAX_PERMIT_SECONDS = 1;

/** @param clock Monotonic time in ms. */
export function createQueueWindow(
  { concurrency, rateLimit }: Pick<CarrierLimits, 'concurrency' | 'rateLimit'>,
  clock: () => number = () => performance.now(),
): QueueWindow {
  const permits =
    rateLimit === undefined
      ? Number.POSITIVE_INFINITY
      : (rateLimit.calls / rateLimit.perMs) * 1000 * MAX_PERMIT_SECONDS;
  const maxSize = Math.max(1, Math.min(4 * concurrency, Math.ceil(permits)));
  const minSize = Math.min(maxSize, Math.max(4, Math.ceil(concurrency / 2)));
  let queued = 0;
  let ratePerMs = concurrency / AHEAD_MS;
  let removed = 0;
  let since = clock();

  const size = () => Math.max(minSize, Math.min(maxSize, Math.ceil(ratePerMs * AHEAD_MS)));
  return {
    hasMore: false,
    capacity: () => Math.max(0, size() - queued),
    admit() {
      if (this.hasMore || queued >= size()) {
        this.hasMore = true;
        return false;
      }
      queued++;
      return true;
    },
    add(count) {
      queued += count;
    },
    remove() {
      queued = Math.max(0, queued - 1);
      removed++;
      const elapsedMs = clock() - since;
      if (elapsedMs >= MEASURED_MS) {
        ratePerMs = (ratePerMs + removed / elapsedMs) / 2;
        removed = 0;
        since = clock();
      }
      return this.hasMore && queued <= size() / 2;
    },
    set(count) {
      queued = count;
    },
  };
}
