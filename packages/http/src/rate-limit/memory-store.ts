import type { RateLimitStore } from './rate-limit-store.ts';
import { takeCell } from './take-cell.ts';

export interface MemoryRateLimitOptions {
  /** Epoch milliseconds, or any clock that never goes back. */
  readonly nowMs?: () => number;
  /** Keys remembered at most; beyond it the one longest at rest is forgotten. */
  readonly mostKeys?: number;
}

/** Counts in this process alone. */
export function createMemoryRateLimitStore(options: MemoryRateLimitOptions = {}): RateLimitStore {
  const { nowMs = () => performance.now(), mostKeys = 100_000 } = options;
  // In the order of last use, so that the first is the one longest at rest.
  const arrivals = new Map<string, number>();
  return {
    take(key, limit) {
      const { decision, arrivalMs } = takeCell(arrivals.get(key) ?? Number.NEGATIVE_INFINITY, nowMs(), limit);
      arrivals.delete(key);
      arrivals.set(key, arrivalMs);
      if (arrivals.size > mostKeys) {
        for (const longestAtRest of arrivals.keys()) {
          arrivals.delete(longestAtRest);
          break;
        }
      }
      return decision;
    },
  };
}
