import type { CarrierAnswer } from '../ports/carrier-adapter.ts';
import type { KeptPending } from '../store/pending.ts';
import type { CallResult } from './call-carrier.ts';
import { decideAfterAnswer } from './check-answer.ts';
import { type Decision, decideAfterFailedPoll, decideAfterStoppedPoll, endWithError, pollLater } from './decide.ts';
import { usedUpCode } from './rate-limiter.ts';
import { circumstancesOf, timeLeft, type Work } from './work.ts';

export interface PollOptions {
  readonly random: () => number;
  readonly renewHold: () => Promise<boolean>;
  readonly call: (deadlineMs: number) => Promise<CallResult<CarrierAnswer>>;
}

/** Polling is harmless: the store does not record it as a call. */
export async function pollPending(work: Work, pending: KeptPending, options: PollOptions): Promise<Decision> {
  const { runtime, stop } = work;
  if (stop.aborted) return decideAfterStoppedPoll(stop, pending);
  const permit = await runtime.rateLimiter.take(stop);
  if (stop.aborted) return decideAfterStoppedPoll(stop, pending);
  if (!permit.granted) {
    return pollLater(pending, permit.waitMs, permit.usedUp === undefined ? 'rate_limit' : usedUpCode);
  }
  if (!(await options.renewHold())) return { kind: 'none' };
  const result = await options.call(Math.max(1, timeLeft(work, options.random)));
  switch (result.kind) {
    case 'answer':
      return unlessUnchanged(decideAfterAnswer(result.answer, runtime.carrier.adapter), pending);
    case 'fault':
      if (result.fault.kind === 'invalid') {
        const isReferral = pending.answered !== undefined;
        return isReferral ? keepReferral(pending, result.fault.code) : endWithError('invalid', result.fault, false);
      }
      return decideAfterFailedPoll(result.fault, pending, circumstancesOf(work, options.random));
    case 'aborted':
      if (result.why !== 'deadline') return decideAfterStoppedPoll(stop, pending);
      return decideAfterFailedPoll({ code: 'timeout' }, pending, circumstancesOf(work, options.random));
  }
}

/** A poll that repeats the known answer writes no event. */
function unlessUnchanged(decision: Decision & { kind: 'end' | 'pending' }, pending: KeptPending): Decision {
  const { answered } = pending;
  if (answered === undefined) return decision;
  if (decision.kind === 'end' && decision.outcome === 'invalid') return keepReferral(pending, 'invalid_answer');
  if (decision.kind === 'pending') return { ...decision, wait: { ...decision.wait, answered } };
  if (decision.follow?.answered !== answered) return decision;
  return { kind: 'pending', wait: decision.follow, reason: 'unchanged' };
}

/** Stops polling; a callback can still bring another answer. */
function keepReferral(pending: KeptPending, reason: string): Decision {
  return { kind: 'pending', wait: { ...pending, delayMs: undefined, reference: undefined }, reason };
}
