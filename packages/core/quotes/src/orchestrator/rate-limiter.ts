import { setTimeout as sleep } from 'node:timers/promises';
import type { CarrierLimits, CarrierQuota } from '../ports/carrier-adapter.ts';
import { CarrierFault } from '../ports/carrier-fault.ts';
import type { Permit, UsedQuota } from '../store/rate-limit.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import { type Circumstances, type Decision, endNotSent } from './decide.ts';

/** A job with a longer wait returns to the store. */
const MAX_WAIT_MS = 2000;
/** Lengthens a window, because the time from permit to call varies. Limited by {@link MAX_MARGIN_MS}. */
const MARGIN = 0.05;
const MAX_MARGIN_MS = 100;
/** A corrected clock may start another window. */
const MAX_QUOTA_CACHE_MS = 5000;

/** Applies a carrier's rate limit and quotas over all processes. */
export interface RateLimiter {
  /** Predicts whether `take` would be granted soon; takes nothing. */
  foresee(): Permit;
  /** Waits for a permit, right before a call. Refused if the wait is too long: retry after `waitMs`. */
  take(signal: AbortSignal): Promise<Permit>;
}

export function permitEach(rateLimiter: RateLimiter, signal: AbortSignal): () => Promise<void> {
  return async () => {
    for (;;) {
      signal.throwIfAborted();
      const permit = await rateLimiter.take(signal);
      if (permit.granted) return;
      if (permit.usedUp !== undefined)
        throw new CarrierFault(usedUpMessage(permit.usedUp), { kind: 'refused', code: usedUpCode });
      await sleep(Math.max(1, permit.waitMs), undefined, { signal });
    }
  };
}

/** Like `permitEach`, but the first request uses the call's permit. */
export function permitFurther(rateLimiter: RateLimiter, signal: AbortSignal): () => Promise<void> {
  const permit = permitEach(rateLimiter, signal);
  let isFirst = true;
  return async () => {
    if (!isFirst) return permit();
    isFirst = false;
  };
}

export function withQuotas(
  rateLimiter: RateLimiter,
  store: Pick<SqlQuoteStore, 'takeQuota'>,
  carrierKey: string,
  quotas: readonly CarrierQuota[],
): RateLimiter {
  if (quotas.length === 0) return rateLimiter;
  let refusal: { readonly permit: Permit; readonly until: number } | undefined;
  return {
    foresee: rateLimiter.foresee,
    async take(signal) {
      if (refusal !== undefined && performance.now() < refusal.until) return refusal.permit;
      const permit = await rateLimiter.take(signal);
      if (!permit.granted) return permit;
      const counted = await store.takeQuota(carrierKey, quotas);
      refusal = counted.granted
        ? undefined
        : { permit: counted, until: performance.now() + Math.min(counted.waitMs, MAX_QUOTA_CACHE_MS) };
      return counted;
    },
  };
}

export function createRateLimiter(
  store: Pick<SqlQuoteStore, 'takePermit'>,
  carrierKey: string,
  rateLimit: CarrierLimits['rateLimit'],
): RateLimiter {
  if (rateLimit === undefined) {
    return { foresee: () => ({ granted: true }), take: async () => ({ granted: true }) };
  }
  const perMs = rateLimit.perMs + Math.min(MAX_MARGIN_MS, rateLimit.perMs * MARGIN);
  const limit = { ...rateLimit, perMs };
  const intervalMs = perMs / rateLimit.calls;
  // One query at a time, so that processes compete for permits and their jobs do not.
  let queue: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let nextPermitAt = 0;

  const waitFor = (ahead: number) => Math.max(nextPermitAt - performance.now(), 0) + ahead * intervalMs;
  const takeNext = async (signal: AbortSignal, giveUpAt: number): Promise<Permit> => {
    for (;;) {
      if (signal.aborted) return { granted: false, waitMs: 0 };
      if (performance.now() > giveUpAt) return { granted: false, waitMs: waitFor(waiting) };
      const permit = await store.takePermit(carrierKey, limit);
      if (permit.granted) return permit;
      // A longer wait than one window means that the store's clock was set back.
      nextPermitAt = performance.now() + Math.min(permit.waitMs, perMs);
      if (nextPermitAt > giveUpAt) return { granted: false, waitMs: waitFor(waiting) };
      await sleep(Math.max(1, nextPermitAt - performance.now()), undefined, { signal }).catch(() => {});
    }
  };
  return {
    foresee() {
      const waitMs = waitFor(waiting);
      return waitMs > MAX_WAIT_MS ? { granted: false, waitMs } : { granted: true };
    },
    take(signal) {
      const giveUpAt = performance.now() + MAX_WAIT_MS;
      waiting++;
      const permit = queue.then(() => takeNext(signal, giveUpAt)).finally(() => waiting--);
      queue = permit.catch(() => {});
      return permit;
    },
  };
}

export const usedUpCode = 'quota_used_up';

function usedUpMessage({ requests, per, resetsAt }: UsedQuota): string {
  return `The carrier's quota of ${requests} requests a ${per} is used up; it resets at ${resetsAt}.`;
}

/** Waits for the quota's reset if the quote has the time. @param keepSent An earlier claim may have called the carrier. */
export function decideAfterUsedQuota(
  { usedUp, waitMs }: { readonly usedUp: UsedQuota; readonly waitMs: number },
  keepSent: boolean,
  { remainingMs }: Circumstances,
): Decision {
  if (waitMs < remainingMs) return { kind: 'again', delayMs: waitMs, keepSent, uncounted: true, reason: usedUpCode };
  return endNotSent({ code: usedUpCode, message: usedUpMessage(usedUp) }, keepSent);
}
