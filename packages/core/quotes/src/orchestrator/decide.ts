import type { Cents } from '@leeward/terms';
import type { CarrierLimits } from '../ports/carrier-adapter.ts';
import type { CarrierFault } from '../ports/carrier-fault.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { KeptPending, PendingWait } from '../store/pending.ts';
import type { StoredAnswer } from '../store/stored-answer.ts';
import { backoffMs } from './backoff.ts';

/** What becomes of a rate after a call. */
export type Decision =
  | {
      readonly kind: 'end';
      readonly outcome: Outcome;
      readonly premiumCents?: Cents | undefined;
      readonly answer: StoredAnswer;
      readonly retryable: boolean;
      /** Of a referral on which the carrier goes on. */
      readonly follow?: Wait | undefined;
      /** True if the carrier may have made something under the rate's key. Undefined keeps the earlier answer. */
      readonly mayHaveMade?: boolean | undefined;
    }
  /** The carrier takes its time. */
  | { readonly kind: 'pending'; readonly wait: Wait; readonly reason: string }
  | {
      readonly kind: 'again';
      readonly delayMs: number;
      /** The carrier may have been asked: next time it is looked up, not called. */
      readonly keepSent: boolean;
      readonly uncounted: boolean;
      readonly reason: string;
      /** As of an end. */
      readonly mayHaveMade?: boolean | undefined;
    }
  /** Someone else's by now: nothing to do. */
  | { readonly kind: 'none' };

/** How a carrier is waited for: what its limits and its name add stands elsewhere. */
export type Wait = Omit<PendingWait, 'carrierKey' | 'maxPendingMs'>;

/** What a decision depends on besides the result of the call. */
export interface Circumstances {
  readonly idempotent: boolean;
  readonly canLookUp: boolean;
  /** Calls so far, this one included. */
  readonly attempts: number;
  /** Of the quote's time. */
  readonly remainingMs: number;
  readonly limits: CarrierLimits;
  readonly random: () => number;
}

/** A look that brought nothing, for whatever reason: another one later. Looking does no harm, so it goes on for the whole wait. */
export function decideAfterVainLook(
  fault: { readonly code: string; readonly retryAfterMs?: number | undefined },
  pending: KeptPending,
  { limits, random }: Circumstances,
): Decision {
  const failures = pending.failures + 1;
  const delayMs = Math.max(
    backoffMs(failures, { ...limits.backoff, maxMs: MAX_LOOK_WAIT_MS }, random),
    Math.min(fault.retryAfterMs ?? 0, MAX_LOOK_WAIT_MS),
  );
  return { kind: 'pending', wait: { ...pending, failures, delayMs, reference: undefined }, reason: fault.code };
}

const MAX_LOOK_WAIT_MS = 3_600_000;

/** Broken off before anything came of it: looked at again as soon as somebody can. */
export function decideAfterStoppedLook(stop: AbortSignal, pending: KeptPending): Decision {
  return stop.reason === 'hold_lost' ? { kind: 'none' } : lookLater(pending, 0, 'worker_stopped');
}

/** Nothing was looked at, and nothing is counted. */
export function lookLater(pending: KeptPending, delayMs: number, reason: string): Decision {
  return { kind: 'pending', wait: { ...pending, delayMs, reference: undefined }, reason };
}

export function endWithError(
  outcome: Outcome,
  error: { readonly code: string; readonly message: string },
  retryable: boolean,
  mayHaveMade?: boolean,
): Decision & { kind: 'end' } {
  return { kind: 'end', outcome, answer: { error }, retryable, mayHaveMade };
}

/**
 * The carrier was not asked, for a reason of ours: later, for as long as the quote has time. It is no attempt, and where the
 * carrier may have been asked before, that stays so.
 */
export function decideAfterUnasked(
  error: { readonly code: string; readonly message: string },
  circumstances: Circumstances & { readonly sent: boolean },
): Decision {
  const { limits, random, remainingMs, sent } = circumstances;
  const delayMs = Math.min(limits.backoff.maxMs, 250 + random() * 1750);
  if (delayMs >= remainingMs) return endUnasked(error, sent);
  return { kind: 'again', delayMs, keepSent: sent, uncounted: true, reason: error.code };
}

/** No time is left for asking. @param sent the carrier may have been asked before. */
export function endUnasked(error: { readonly code: string; readonly message: string }, sent: boolean): Decision {
  return sent ? unknownOutcome(error) : endWithError('failed', error, true);
}

/** A call that got no answer: once more, a look-up, or the end. */
export function decideAfterFault(fault: CarrierFault, circumstances: Circumstances): Decision {
  const error = { code: fault.code, message: fault.message };
  const { idempotent, canLookUp } = circumstances;
  switch (fault.kind) {
    case 'invalid':
      return endWithError('invalid', error, false, fault.nothingMade ? undefined : true);
    case 'unasked':
      return decideAfterUnasked(error, { ...circumstances, sent: false });
    case 'refused':
      return again(circumstances, fault.code, { keepSent: false, atLeastMs: restOf(fault, circumstances) }, () =>
        endWithError('failed', error, true),
      );
    case 'failed':
      // It may have done the work: a new rate, asked under a key of its own, would be a second quote.
      if (!idempotent && !canLookUp) return unknownOutcome(error);
      return again(
        circumstances,
        fault.code,
        { keepSent: !idempotent, mayHaveMade: true, atLeastMs: restOf(fault, circumstances) },
        () => (idempotent ? endWithError('failed', error, true, true) : unknownOutcome(error)),
      );
    case 'unreadable':
    case 'lost': {
      if (!idempotent) return lookUpOr(circumstances, fault.code, () => unknownOutcome(error));
      const outcome = fault.kind === 'lost' ? 'failed' : 'invalid';
      return again(circumstances, fault.code, { keepSent: false, mayHaveMade: true }, () =>
        endWithError(outcome, error, true, true),
      );
    }
  }
}

/** How long the carrier asked to be left alone, as far as that is heeded. */
function restOf({ retryAfterMs = 0 }: CarrierFault, { limits }: Circumstances): number {
  return Math.min(retryAfterMs, limits.maxRestMs);
}

/** The carrier took longer than it may. */
export function decideAfterTimeout(deadlineMs: number, circumstances: Circumstances): Decision {
  const message = `The carrier did not answer within ${Math.round(deadlineMs)} ms.`;
  const { idempotent } = circumstances;
  const end = () => endWithError('timed_out', { code: 'timeout', message }, idempotent, true);
  return idempotent
    ? again(circumstances, 'timeout', { keepSent: false, mayHaveMade: true }, end)
    : lookUpOr(circumstances, 'timeout', end);
}

/** A look-up that told nothing, or that there is no way to look up. */
export function decideAfterFailedLookup(
  error: { code: string; message: string },
  circumstances: Circumstances,
): Decision {
  return lookUpOr(circumstances, error.code, () => unknownOutcome(error));
}

/** The process stops while a carrier is being asked. */
export function decideAfterStop(circumstances: Circumstances): Decision {
  return {
    kind: 'again',
    delayMs: 0,
    keepSent: !circumstances.idempotent,
    uncounted: true,
    mayHaveMade: true,
    reason: 'worker_stopped',
  };
}

/** Broken off before the carrier is called. @param keepSent it may have been asked by an earlier claim. */
export function decideWithoutCall(stop: AbortSignal, keepSent: boolean): Decision {
  if (stop.reason === 'hold_lost') return { kind: 'none' };
  return { kind: 'again', delayMs: 0, keepSent, uncounted: true, reason: 'worker_stopped' };
}

/** Asked by a worker that was lost, and never heard of again. */
export const noAnswer = { code: 'no_answer', message: 'The carrier was asked, and its answer never came.' };

function unknownOutcome(error: { code: string; message: string }): Decision {
  const message = `${error.message} The carrier may have made a quote: ask it before you ask again.`;
  return endWithError('unknown_outcome', { code: error.code, message }, false, true);
}

function lookUpOr(circumstances: Circumstances, reason: string, end: () => Decision): Decision {
  return circumstances.canLookUp ? again(circumstances, reason, { keepSent: true, mayHaveMade: true }, end) : end();
}

function again(
  circumstances: Circumstances,
  reason: string,
  how: { keepSent: boolean; mayHaveMade?: boolean; atLeastMs?: number | undefined },
  end: () => Decision,
): Decision {
  const { attempts, limits, random, remainingMs } = circumstances;
  const delayMs = Math.max(backoffMs(attempts, limits.backoff, random), how.atLeastMs ?? 0);
  if (attempts >= limits.maxAttempts || delayMs >= remainingMs) return end();
  return { kind: 'again', delayMs, keepSent: how.keepSent, uncounted: false, mayHaveMade: how.mayHaveMade, reason };
}
