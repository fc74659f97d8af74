import type { RateLimitStore } from './rate-limit-store.ts';
import { cellsOf, decisionOf, isAllowed } from './take-units.ts';

/** The clock, in milliseconds, and how many keys are remembered. */
export interface MemoryRateLimitOptions {
  /** Epoch milliseconds, or any clock that never goes back. */
  readonly nowMs?: () => number;
  /** Keys remembered at most; beyond it the one longest at rest is forgotten. */
  readonly maxKeys?: number;
}

/** Counts in this process alone. */
export function createMemoryRateLimitStore(options: MemoryRateLimitOptions = {}): RateLimitStore {
  const { nowMs = () => performance.now(), maxKeys = 100_000 } = options;
  // Of each key its theoretical arrival time, in the order of last use: the first is the one longest at rest.
  const arrivals = new Map<string, number>();
  return {
    take(withdrawals) {
      const now = nowMs();
      const wanted = withdrawals.map((withdrawal) => {
        const cells = cellsOf(withdrawal, 60_000);
        const owedMs = Math.max(0, (arrivals.get(withdrawal.key) ?? Number.NEGATIVE_INFINITY) - now);
        return { key: withdrawal.key, cells, owedMs, allowed: isAllowed(owedMs, cells) };
      });
      const isTaken = wanted.every(({ allowed }) => allowed);
      return wanted.map(({ key, cells, owedMs, allowed }) => {
        const after = isTaken ? owedMs + cells.cost : owedMs;
        arrivals.delete(key);
        arrivals.set(key, now + after);
        if (arrivals.size > maxKeys) arrivals.delete(arrivals.keys().next().value!);
        return decisionOf(allowed, after, cells);
      });
    },
  };
}
