import { setTimeout as sleep } from 'node:timers/promises';
import type { CarrierLimits, CarrierQuota } from '../ports/carrier-adapter.ts';
import { CarrierFault } from '../ports/carrier-fault.ts';
import type { Permit } from '../store/pace.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import { usedUpCode, usedUpMessage } from './used-quota.ts';

/** Waits longer than this are spent in the store, not in a slot of the lane. */
const MAX_WAIT_MS = 2000;
const MARGIN = 0.05;
const MAX_MARGIN_MS = 100;

/** Keeps the calls to one carrier within its rate limit, over all processes. */
export interface LanePace {
  /** Whether a call's turn would come soon; where not, come back after `waitMs`. Takes nothing. */
  foresee(): Permit;
  /** Right before a call: waits for its turn. Not granted where that would take too long: come back after `waitMs`. */
  take(signal: AbortSignal): Promise<Permit>;
}

/** For each request that an adapter makes: waits for a permit of its own. */
export function permitEach(pace: LanePace, signal: AbortSignal): () => Promise<void> {
  return async () => {
    for (;;) {
      signal.throwIfAborted();
      const permit = await pace.take(signal);
      if (permit.granted) return;
      if (permit.usedUp !== undefined)
        throw new CarrierFault(usedUpMessage(permit.usedUp), { kind: 'refused', code: usedUpCode });
      await sleep(Math.max(1, permit.waitMs), undefined, { signal });
    }
  };
}

/** For the second and later requests of one call: the first has the permit that was taken for the call. */
export function permitFurther(pace: LanePace, signal: AbortSignal): () => Promise<void> {
  const permit = permitEach(pace, signal);
  let first = true;
  return async () => {
    if (!first) return permit();
    first = false;
  };
}

/** A pace that counts against quotas as well: first a place in the rate, then one of the quota's requests. */
export function withQuotas(
  pace: LanePace,
  store: Pick<SqlQuoteStore, 'takeQuota'>,
  carrierKey: string,
  quotas: readonly CarrierQuota[],
): LanePace {
  if (quotas.length === 0) return pace;
  let none: { readonly permit: Permit; readonly until: number } | undefined;
  return {
    foresee: pace.foresee,
    async take(signal) {
      // Asked again now and then: a clock that was set may have begun another window.
      if (none !== undefined && performance.now() < none.until) return none.permit;
      const permit = await pace.take(signal);
      if (!permit.granted) return permit;
      const counted = await store.takeQuota(carrierKey, quotas);
      none = counted.granted
        ? undefined
        : { permit: counted, until: performance.now() + Math.min(counted.waitMs, 5000) };
      return counted;
    },
  };
}

export function createLanePace(
  store: Pick<SqlQuoteStore, 'takePermit'>,
  carrierKey: string,
  rateLimit: CarrierLimits['rateLimit'],
): LanePace {
  if (rateLimit === undefined) {
    return { foresee: () => ({ granted: true }), take: async () => ({ granted: true }) };
  }
  // From permit to call is a way, and not always the same: what is held to is a little more than what is promised.
  const perMs = rateLimit.perMs + Math.min(MAX_MARGIN_MS, rateLimit.perMs * MARGIN);
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
      return waitMs > MAX_WAIT_MS ? { granted: false, waitMs } : { granted: true };
    },
    take(signal) {
      const giveUpAt = performance.now() + MAX_WAIT_MS;
      waiting++;
      const taken = turn.then(() => takeInTurn(signal, giveUpAt)).finally(() => waiting--);
      turn = taken.catch(() => {});
      return taken;
    },
  };
}
