import type { CarrierAnswer } from '../ports/carrier-adapter.ts';
import type { KeptPending } from '../store/pending.ts';
import type { CallResult } from './call-carrier.ts';
import { decideAfterAnswer } from './check-answer.ts';
import { type Decision, decideAfterStoppedLook, decideAfterVainLook, endWithError, lookLater } from './decide.ts';
import { usedUpCode } from './used-quota.ts';
import { circumstancesOf, timeLeft, type Work } from './work.ts';

export interface LookOptions {
  readonly random: () => number;
  /** Renews the lease where some of it is used up. False where the hold is lost. */
  readonly holdOn: () => Promise<boolean>;
  readonly ask: (deadlineMs: number) => Promise<CallResult<CarrierAnswer>>;
}

/**
 * A look that brings what is known already writes no event: the same referral, or, after a referral, that the carrier is
 * still working on it.
 */
function unlessUnchanged(decision: Decision & { kind: 'end' | 'pending' }, pending: KeptPending): Decision {
  const { answered } = pending;
  if (answered === undefined) return decision;
  if (decision.kind === 'end' && decision.outcome === 'invalid') return keepReferral(pending, 'invalid_answer');
  if (decision.kind === 'pending') return { ...decision, wait: { ...decision.wait, answered } };
  if (decision.follow?.answered !== answered) return decision;
  return { kind: 'pending', wait: decision.follow, reason: 'unchanged' };
}

/** The referral stays what is known, and is not looked at again. A callback can still bring another answer. */
function keepReferral(pending: KeptPending, reason: string): Decision {
  return { kind: 'pending', wait: { ...pending, delayMs: undefined, reference: undefined }, reason };
}

/** Looks at what a carrier is at. Nothing is noted for it, and it may be done again. */
export async function lookAtPending(work: Work, pending: KeptPending, options: LookOptions): Promise<Decision> {
  const { lane, stop } = work;
  if (stop.aborted) return decideAfterStoppedLook(stop, pending);
  const permit = await lane.pace.take(stop);
  if (stop.aborted) return decideAfterStoppedLook(stop, pending);
  if (!permit.granted) {
    return lookLater(pending, permit.waitMs, permit.usedUp === undefined ? 'rate_limit' : usedUpCode);
  }
  if (!(await options.holdOn())) return { kind: 'none' };
  const result = await options.ask(Math.max(1, timeLeft(work, options.random)));
  switch (result.kind) {
    case 'answer':
      return unlessUnchanged(decideAfterAnswer(result.answer, lane.carrier.adapter), pending);
    case 'fault':
      if (result.fault.kind === 'invalid') {
        const isReferral = pending.answered !== undefined;
        return isReferral ? keepReferral(pending, result.fault.code) : endWithError('invalid', result.fault, false);
      }
      return decideAfterVainLook(result.fault, pending, circumstancesOf(work, options.random));
    case 'aborted':
      if (result.why !== 'deadline') return decideAfterStoppedLook(stop, pending);
      return decideAfterVainLook({ code: 'timeout' }, pending, circumstancesOf(work, options.random));
  }
}
