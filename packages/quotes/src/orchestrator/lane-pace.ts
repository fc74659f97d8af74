import { setTimeout as sleep } from 'node:timers/promises';
import type { CarrierLimits } from '../ports/carrier-adapter.ts';
import type { Permit, QuoteStore } from '../ports/quote-store.ts';

/** Waits longer than this are spent in the store, not in a slot of the lane. */
const maxWaitMs = 2000;
const margin = 0.05;
const maxMarginMs = 100;

/** Keeps the calls to one carrier within its rate limit, over all processes. */
export interface LanePace {
  /** Whether a call's turn would come soon; where not, come back after `waitMs`. Takes nothing. */
  foresee(): Permit;
  /** Right before a call: waits for its turn. Not granted where that would take too long: come back after `waitMs`. */
  take(signal: AbortSignal): Promise<Permit>;
}

/** For the second and later requests of one call: each waits for a permit of its own. */
export function permitFurther(pace: LanePace, signal: AbortSignal): () => Promise<void> {
  let first = true;
  return async () => {
    if (first) {
      first = false;
      return;
    }
    for (;;) {
      signal.throwIfAborted();
      const permit = await pace.take(signal);
      if (permit.granted) return;
      await sleep(Math.max(1, permit.waitMs), undefined, { signal });
    }
  };
}

export function createLanePace(
  store: Pick<QuoteStore, 'takePermit'>,
  carrierKey: string,
  rateLimit: CarrierLimits['rateLimit'],
): LanePace {
  if (rateLimit === undefined) {
    return { foresee: () => ({ granted: true }), take: async () => ({ granted: true }) };
  }
  // From permit to call is a way, and not always the same: what is held to is a little more than what is promised.
  const perMs = rateLimit.perMs + Math.min(maxMarginMs, rateLimit.perMs * margin);
  const held = { ...rateLimit, perMs };
  const intervalMs = perMs / rateLimit.calls;
  // One of a process asks at a time, so that a permit is fought over by processes and not by all their jobs.
  let turn: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  /** Until then the store has nothing to grant. */
  let noneBefore = 0;

  const waitFor = (ahead: number) => Math.max(noneBefore - performance.now(), 0) + ahead * intervalMs;
  const takeInTurn = async (signal: AbortSignal, giveUpAt: number): Promise<Permit> => {
    for (;;) {
      if (signal.aborted) return { granted: false, waitMs: 0 };
      if (performance.now() > giveUpAt) return { granted: false, waitMs: waitFor(waiting) };
      const permit = await store.takePermit(carrierKey, held);
      if (permit.granted) return permit;
      // Never longer than a window: what says so is a clock that was set back.
      noneBefore = performance.now() + Math.min(permit.waitMs, perMs);
      if (noneBefore > giveUpAt) return { granted: false, waitMs: waitFor(waiting) };
      await sleep(Math.max(1, noneBefore - performance.now()), undefined, { signal }).catch(() => {});
    }
  };
  return {
    foresee() {
      const waitMs = waitFor(waiting);
      return waitMs > maxWaitMs ? { granted: false, waitMs } : { granted: true };
    },
    take(signal) {
      const giveUpAt = performance.now() + maxWaitMs;
      waiting++;
      const taken = turn.then(() => takeInTurn(signal, giveUpAt)).finally(() => waiting--);
      turn = taken.catch(() => {});
      return taken;
    },
  };
}
