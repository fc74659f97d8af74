import { setTimeout as sleep } from 'node:timers/promises';
import type { CarrierLimits } from '../ports/carrier-adapter.ts';
import type { Permit, QuoteStore } from '../ports/quote-store.ts';

/** Waits longer than this are spent in the store, not in a slot of the lane. */
const longestWaitMs = 2000;

/** Keeps the calls to one carrier within its rate limit, over all processes. */
export interface LanePace {
  /** Waits for its turn. Not granted where that would take too long: come back after `waitMs`. */
  take(signal: AbortSignal): Promise<Permit>;
  /** The carrier asked to be left alone. */
  rest(restMs: number): Promise<void>;
}

export function createLanePace(
  store: Pick<QuoteStore, 'takePermit' | 'holdPermits'>,
  carrierKey: string,
  rateLimit: CarrierLimits['rateLimit'],
): LanePace {
  let restUntil = 0;
  if (rateLimit === undefined) {
    return {
      async take() {
        const waitMs = restUntil - performance.now();
        return waitMs > 0 ? { granted: false, waitMs } : { granted: true };
      },
      async rest(restMs) {
        restUntil = Math.max(restUntil, performance.now() + restMs);
      },
    };
  }
  const limit = { intervalMs: rateLimit.perMs / rateLimit.calls, burst: rateLimit.burst ?? 1 };
  // One of a process asks at a time, so that a permit is fought over by processes and not by all their jobs.
  let turn: Promise<unknown> = Promise.resolve();
  const takeInTurn = async (signal: AbortSignal): Promise<Permit> => {
    const start = performance.now();
    for (;;) {
      if (signal.aborted) return { granted: false, waitMs: 0 };
      const permit = await store.takePermit(carrierKey, limit);
      if (permit.granted || permit.waitMs > longestWaitMs || performance.now() - start > longestWaitMs) return permit;
      await sleep(permit.waitMs);
    }
  };
  return {
    take(signal) {
      const taken = turn.then(() => takeInTurn(signal));
      turn = taken.catch(() => {});
      return taken;
    },
    rest: (restMs) => store.holdPermits(carrierKey, limit, restMs),
  };
}
