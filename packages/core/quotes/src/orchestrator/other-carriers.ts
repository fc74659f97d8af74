/*
 * A carrier whose rules test the answers of other carriers is called last. Until then its rate waits in the store like a retry: it is
 * claimed, prepared, and released again, so the wait survives restarts, and cancellation and expiry end it. The carrier is not called
 * before the wait ends.
 */
import type { OtherRates } from '../ports/carrier-adapter.ts';
import type { Decision } from './decide.ts';
import { circumstancesOf, type Work, type WorkTools } from './work.ts';

const FIRST_WAIT_MS = 250;
const WAIT_GROWTH = 1.5;
const MAX_WAIT_MS = 15_000;

/** Reads the rates of other carriers. The rate can wait while enough time for the call is left. */
export function othersReader(
  work: Work,
  { readOtherRates, random }: Pick<WorkTools, 'readOtherRates' | 'random'>,
  mayWait: boolean,
): () => Promise<OtherRates> {
  return async () => {
    const { rates, totalMs } = await readOtherRates(work.claimed.rateId);
    const { remainingMs, limits } = circumstancesOf(work, random);
    const reserveMs = Math.min(limits.deadlineMs + MAX_WAIT_MS, totalMs / 2);
    return { rates, canWait: mayWait && remainingMs > reserveMs };
  };
}

/** The wait grows with each claim, so that a long wait writes little. */
export function waitForOthers(work: Work, random: () => number): Decision {
  const waitMs = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * WAIT_GROWTH ** (work.claimed.fence - 1));
  const delayMs = Math.min(waitMs, circumstancesOf(work, random).remainingMs / 2);
  return { kind: 'again', delayMs, keepSent: false, uncounted: true, reason: 'other_carriers' };
}
