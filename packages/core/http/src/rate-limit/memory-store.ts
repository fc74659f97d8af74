import type { RateLimitStore } from './rate-limit-store.ts';
import { cellsOf, decisionOf, isAllowed } from './take-units.ts';

/** Clock and memory of the store. */
export interface MemoryRateLimitOptions {
  /** A monotonic clock, in ms. @default performance.now */
  readonly nowMs?: () => number;
  /** Maximum number of keys; beyond it, the one unused for longest is dropped. @default 100_000 */
  readonly maxKeys?: number;
}

/**
 * Counts in this process.
 *
 * @example
 * createLeeward({ directory, rateLimitStore: createMemoryRateLimitStore() });
 */
export function createMemoryRateLimitStore(options: MemoryRateLimitOptions = {}): RateLimitStore {
  const { nowMs = () => performance.now(), maxKeys = 100_000 } = options;
  // Theoretical arrival times by key, in the order of last use.
  const arrivals = new Map<string, number>();
  return {
    take(withdrawals) {
      const now = nowMs();
      const checked = withdrawals.map((withdrawal) => {
        const cells = cellsOf(withdrawal, 60_000);
        const owedMs = Math.max(0, (arrivals.get(withdrawal.key) ?? Number.NEGATIVE_INFINITY) - now);
        return { key: withdrawal.key, cells, owedMs, allowed: isAllowed(owedMs, cells) };
      });
      const isTaken = checked.every(({ allowed }) => allowed);
      return checked.map(({ key, cells, owedMs, allowed }) => {
        const after = isTaken ? owedMs + cells.cost : owedMs;
        arrivals.delete(key);
        arrivals.set(key, now + after);
        if (arrivals.size > maxKeys) arrivals.delete(arrivals.keys().next().value!);
        return decisionOf(allowed, after, cells);
      });
    },
  };
}
