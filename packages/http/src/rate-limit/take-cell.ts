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
  const capacityMs = intervalMs * burst;
  const debtMs = Math.max(0, arrivalMs - nowMs);
  const after = debtMs + intervalMs;
  // Sums of intervals such as 60000/7 fall short of whole multiples by rounding.
  const epsilonMs = intervalMs * 1e-9;
  const allowed = after <= capacityMs + epsilonMs;
  const owed = allowed ? after : debtMs;
  const remaining = Math.max(0, Math.floor((capacityMs - owed) / intervalMs + 1e-9));
  return {
    decision: {
      allowed,
      remaining,
      retryAfterMs: remaining > 0 ? 0 : Math.max(0, owed + intervalMs - capacityMs),
      resetAfterMs: owed,
    },
    arrivalMs: nowMs + owed,
  };
}
