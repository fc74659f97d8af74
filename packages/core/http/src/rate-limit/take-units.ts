import type { RateLimitDecision, Withdrawal } from './rate-limit-store.ts';

/** A limit in the terms of the generic cell rate algorithm, in any unit of time. */
export interface Cells {
  /** Time that one unit costs. */
  readonly interval: number;
  /** Time that may be owed. */
  readonly capacity: number;
  /** Time that a withdrawal costs. */
  readonly cost: number;
}

/** @param minute the length of a minute in the unit of the result */
export function cellsOf({ limit: { perMinute, burst }, units }: Omit<Withdrawal, 'key'>, minute: number): Cells {
  const interval = minute / perMinute;
  return { interval, capacity: interval * burst, cost: interval * Math.min(units, burst) };
}

/** True if the withdrawal fits. The tolerance covers rounding: sums of intervals such as 60000/7 miss whole multiples. */
export function isAllowed(owed: number, { interval, capacity, cost }: Cells): boolean {
  return owed + cost <= capacity + interval * 1e-9;
}

/** @param owedMs time that the key owes after the withdrawal, whether it was made or refused */
export function decisionOf(allowed: boolean, owedMs: number, { interval, capacity, cost }: Cells): RateLimitDecision {
  const spareMs = capacity - owedMs;
  return {
    allowed,
    remaining: Math.max(0, Math.floor(spareMs / interval + 1e-9)),
    retryAfterMs: isAllowed(owedMs, { interval, capacity, cost }) ? 0 : Math.max(0, owedMs + cost - capacity),
    resetAfterMs: owedMs,
  };
}
