import type { CarrierLimits } from '../ports/carrier-adapter.ts';

/**
 * Limits a carrier's rates in its queue: enough to keep every slot busy, few enough that a new rate waits only a fraction of a second.
 * The store holds the others and hands them out fairly among teams.
 */
export interface QueueWindow {
  capacity(): number;
  /** Adds a new rate unless others wait in the store. @returns whether it was added. */
  admit(): boolean;
  add(count: number): void;
  /** Counts a received rate. @returns true if it is time to add more. */
  remove(): boolean;
  set(count: number): void;
  hasMore: boolean;
}

/** The window holds the rates that workers receive in this time. */
const AHEAD_MS = 250;
const MEASURED_MS = 100;
/** Seconds of the rate limit that the window holds: a worker would postpone more. */
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
