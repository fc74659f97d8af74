import type { RateLimit } from './rate-limit.ts';
import type { RateLimitDecision } from './rate-limit-store.ts';

/**
 * The generic cell rate algorithm (ITU-T I.371, virtual scheduling): `arrivalMs` is the theoretical arrival time of the
 * next cell, in the past for a key at rest. Gives the decision and the arrival time to keep.
 */
export function takeCell(
  arrivalMs: number,
  nowMs: number,
  { perMinute, burst }: RateLimit,
): { readonly decision: RateLimitDecision; readonly arrivalMs: number } {
  const intervalMs = 60_000 / perMinute;
  const debtMs = Math.max(0, arrivalMs - nowMs);
  const after = debtMs + intervalMs;
  // Sums of intervals such as 60000/7 fall short of whole multiples by rounding.
  const epsilonMs = intervalMs * 1e-9;
  const allowed = after <= intervalMs * burst + epsilonMs;
  const owedMs = allowed ? after : debtMs;
  return { decision: decisionOf(allowed, owedMs, intervalMs, burst), arrivalMs: nowMs + owedMs };
}

/** What follows from how much a key owes: the time until the whole burst is there again. */
export function decisionOf(allowed: boolean, owedMs: number, intervalMs: number, burst: number): RateLimitDecision {
  const capacityMs = intervalMs * burst;
  const remaining = Math.max(0, Math.floor((capacityMs - owedMs) / intervalMs + 1e-9));
  return {
    allowed,
    remaining,
    retryAfterMs: remaining > 0 ? 0 : Math.max(0, owedMs + intervalMs - capacityMs),
    resetAfterMs: owedMs,
  };
}
