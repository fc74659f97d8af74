import type { CarrierLimits } from '../ports/carrier-adapter.ts';

/**
 * How much of what waits for a carrier its queue is told of at a time: enough that no slot stands empty, and little
 * enough that whoever comes late waits behind a fraction of a second of others' work. The rest waits in the store, where
 * teams take turns.
 */
export interface LaneWindow {
  /** Of how many more the queue may be told. */
  room(): number;
  /** Whether it may be told of one that has just come: only where nobody waits for a turn. Counts it as told. */
  admit(): boolean;
  /** The queue was told of so many. */
  tell(count: number): void;
  /** One was taken up, by this process. @returns whether it is time to tell of more. */
  take(): boolean;
  /** What is known for certain: of so many it was told that nobody has taken up. */
  set(told: number): void;
  /** True if rates may wait in the store for their hand-out. */
  hasMore: boolean;
}

/** What is taken up in this time is told of in advance. */
const AHEAD_MS = 250;
const MEASURED_MS = 100;

/** @param clock milliseconds that only go forward. */
export function createLaneWindow(
  { concurrency, rateLimit }: Pick<CarrierLimits, 'concurrency' | 'rateLimit'>,
  clock: () => number = () => performance.now(),
): LaneWindow {
  // Whoever is told of more than a second's permits would have to put the rest off again.
  const permitted = rateLimit === undefined ? Number.POSITIVE_INFINITY : (rateLimit.calls / rateLimit.perMs) * 1000;
  const largest = Math.max(1, Math.min(4 * concurrency, Math.ceil(permitted)));
  const smallest = Math.min(largest, Math.max(4, Math.ceil(concurrency / 2)));
  let told = 0;
  let perMs = concurrency / AHEAD_MS;
  let taken = 0;
  let since = clock();

  const size = () => Math.max(smallest, Math.min(largest, Math.ceil(perMs * AHEAD_MS)));
  return {
    hasMore: false,
    room: () => Math.max(0, size() - told),
    admit() {
      if (this.hasMore || told >= size()) {
        this.hasMore = true;
        return false;
      }
      told++;
      return true;
    },
    tell(count) {
      told += count;
    },
    take() {
      told = Math.max(0, told - 1);
      taken++;
      const passed = clock() - since;
      if (passed >= MEASURED_MS) {
        perMs = (perMs + taken / passed) / 2;
        taken = 0;
        since = clock();
      }
      return this.hasMore && told <= size() / 2;
    },
    set(count) {
      told = count;
    },
  };
}
