import type { CarrierAdapter, CarrierLimits } from '../ports/carrier-adapter.ts';

const defaults: CarrierLimits = {
  concurrency: 8,
  deadlineMs: 30_000,
  maxAttempts: 4,
  backoff: { initialMs: 500, maxMs: 30_000 },
  rateLimit: undefined,
  quotas: [],
  maxCooldownMs: 60_000,
  maxPendingMs: 30 * 86_400_000,
  breaker: { failures: 8, cooldownMs: 10_000 },
};

/** Applies the defaults. @throws {TypeError} if a limit is out of range; names the carrier. */
export function limitsOf(carrier: CarrierAdapter): CarrierLimits {
  const ownLimits = Object.entries(carrier.limits ?? {}).filter(([, value]) => value !== undefined);
  const limits: CarrierLimits = { ...defaults, ...Object.fromEntries(ownLimits) };
  const { backoff, breaker, rateLimit } = limits;
  const check = (name: string, value: number, from: number, to: number, whole: boolean) => {
    if (value >= from && value <= to && (!whole || Number.isInteger(value))) return;
    throw new TypeError(
      `The limit ${name} of the carrier ${carrier.key} is ${value}; give ${whole ? 'a whole number' : 'a number'} from ${from} to ${to}.`,
    );
  };
  check('concurrency', limits.concurrency, 1, 10_000, true);
  check('deadlineMs', limits.deadlineMs, 1, 3_600_000, false);
  check('maxAttempts', limits.maxAttempts, 1, 100, true);
  check('backoff.initialMs', backoff.initialMs, 0, 3_600_000, false);
  check('backoff.maxMs', backoff.maxMs, backoff.initialMs, 3_600_000, false);
  check('maxCooldownMs', limits.maxCooldownMs, 0, 86_400_000, false);
  check('maxPendingMs', limits.maxPendingMs, 1, 400 * 86_400_000, false);
  check('breaker.failures', breaker.failures, 1, 1_000_000, true);
  check('breaker.cooldownMs', breaker.cooldownMs, 1, 3_600_000, false);
  for (const { requests, per } of limits.quotas) check(`quotas (a ${per})`, requests, 1, 1_000_000_000, true);
  if (rateLimit !== undefined) {
    check('rateLimit.calls', rateLimit.calls, 1, 1_000_000, true);
    check('rateLimit.perMs', rateLimit.perMs, 1, 86_400_000, false);
    check('rateLimit.burst', rateLimit.burst ?? 1, 1, rateLimit.calls, true);
  }
  return limits;
}
