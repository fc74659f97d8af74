import type { Cents } from '@leeward/terms';
import type { CarrierLimits } from '../ports/carrier-adapter.ts';
import type { CarrierFault } from '../ports/carrier-fault.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { KeptPending, PendingWait } from '../store/pending.ts';
import type { StoredAnswer } from '../store/stored-answer.ts';
import { backoffMs } from './backoff.ts';

/*
 * Next step of a rate after a call, by the carrier's abilities:
 *
 *     result of the call           idempotent carrier     with lookup           neither
 *     answer                       end                    end                   end
 *     not sent                     retry, not counted     retry, not counted    retry, not counted
 *     refused (no work done)       retry                  retry                 retry
 *     failed (may have worked)     retry, same key        look up               unknown_outcome
 *     lost, unreadable, timeout    retry, same key        look up               unknown_outcome (timed_out)
 *     invalid                      end                    end                   end
 *
 * Retries end at `maxAttempts` or when the quote's time is over. After `unknown_outcome` a person must contact the carrier.
 */

/** Next state of a rate after a call. */
export type Decision =
  | {
      readonly kind: 'end';
      readonly outcome: Outcome;
      readonly premiumCents?: Cents | undefined;
      readonly answer: StoredAnswer;
      readonly retryable: boolean;
      readonly follow?: Wait | undefined;
      /** The carrier may have made something under the rate's key. Undefined keeps the earlier answer. */
      readonly mayHaveMade?: boolean | undefined;
    }
  | { readonly kind: 'pending'; readonly wait: Wait; readonly reason: string }
  | {
      readonly kind: 'again';
      readonly delayMs: number;
      /** The carrier may have been called: the next attempt looks that call up. */
      readonly keepSent: boolean;
      /** This claim does not count as an attempt. */
      readonly uncounted: boolean;
      readonly reason: string;
      readonly mayHaveMade?: boolean | undefined;
    }
  /** The hold is lost: write nothing. */
  | { readonly kind: 'none' };

export type Wait = Omit<PendingWait, 'carrierKey' | 'teamId' | 'maxPendingMs'>;

export interface Circumstances {
  readonly idempotent: boolean;
  readonly canLookUp: boolean;
  readonly attempts: number;
  readonly remainingMs: number;
  readonly limits: CarrierLimits;
  readonly random: () => number;
}

/** Repeats the poll with backoff for the whole wait: polling is harmless. */
export function decideAfterFailedPoll(
  fault: { readonly code: string; readonly retryAfterMs?: number | undefined },
  pending: KeptPending,
  { limits, random }: Circumstances,
): Decision {
  const failures = pending.failures + 1;
  const delayMs = Math.max(
    backoffMs(failures, { ...limits.backoff, maxMs: MAX_POLL_WAIT_MS }, random),
    Math.min(fault.retryAfterMs ?? 0, MAX_POLL_WAIT_MS),
  );
  return { kind: 'pending', wait: { ...pending, failures, delayMs, reference: undefined }, reason: fault.code };
}

const MAX_POLL_WAIT_MS = 3_600_000;

export function decideAfterStoppedPoll(stop: AbortSignal, pending: KeptPending): Decision {
  return stop.reason === 'hold_lost' ? { kind: 'none' } : pollLater(pending, 0, 'worker_stopped');
}

export function pollLater(pending: KeptPending, delayMs: number, reason: string): Decision {
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
 * Our side prevented the call: retries while the quote has time, uncounted. @param circumstances.sent An earlier claim may have called
 * the carrier.
 */
export function decideNotSent(
  error: { readonly code: string; readonly message: string },
  circumstances: Circumstances & { readonly sent: boolean },
): Decision {
  const { limits, random, remainingMs, sent } = circumstances;
  const delayMs = Math.min(limits.backoff.maxMs, 250 + random() * 1750);
  if (delayMs >= remainingMs) return endNotSent(error, sent);
  return { kind: 'again', delayMs, keepSent: sent, uncounted: true, reason: error.code };
}

/** @param sent An earlier claim may have called the carrier. */
export function endNotSent(error: { readonly code: string; readonly message: string }, sent: boolean): Decision {
  return sent ? unknownOutcome(error) : endWithError('failed', error, true);
}

export function decideAfterFault(fault: CarrierFault, circumstances: Circumstances): Decision {
  const error = { code: fault.code, message: fault.message };
  const { idempotent, canLookUp } = circumstances;
  switch (fault.kind) {
    case 'invalid':
      return endWithError('invalid', error, false, fault.nothingMade ? undefined : true);
    case 'not_sent':
      return decideNotSent(error, { ...circumstances, sent: false });
    case 'refused':
      return again(circumstances, fault.code, { keepSent: false, atLeastMs: cooldownOf(fault, circumstances) }, () =>
        endWithError('failed', error, true),
      );
    case 'failed':
      // The carrier may have done the work: a new key would make a second quote.
      if (!idempotent && !canLookUp) return unknownOutcome(error);
      return again(
        circumstances,
        fault.code,
        { keepSent: !idempotent, mayHaveMade: true, atLeastMs: cooldownOf(fault, circumstances) },
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

function cooldownOf({ retryAfterMs = 0 }: CarrierFault, { limits }: Circumstances): number {
  return Math.min(retryAfterMs, limits.maxCooldownMs);
}

export function decideAfterTimeout(deadlineMs: number, circumstances: Circumstances): Decision {
  const message = `The carrier did not answer within ${Math.round(deadlineMs)} ms.`;
  const { idempotent } = circumstances;
  const end = () => endWithError('timed_out', { code: 'timeout', message }, idempotent, true);
  return idempotent
    ? again(circumstances, 'timeout', { keepSent: false, mayHaveMade: true }, end)
    : lookUpOr(circumstances, 'timeout', end);
}

export function decideAfterFailedLookup(
  error: { code: string; message: string },
  circumstances: Circumstances,
): Decision {
  return lookUpOr(circumstances, error.code, () => unknownOutcome(error));
}

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

/** The work was aborted before the call. @param keepSent An earlier claim may have called the carrier. */
export function decideWithoutCall(stop: AbortSignal, keepSent: boolean): Decision {
  if (stop.reason === 'hold_lost') return { kind: 'none' };
  return { kind: 'again', delayMs: 0, keepSent, uncounted: true, reason: 'worker_stopped' };
}

/** A lost worker had called the carrier. */
export const noAnswer = { code: 'no_answer', message: 'The carrier was called, and its answer was lost.' };

function unknownOutcome(error: { code: string; message: string }): Decision {
  const message = `${error.message} The carrier may have made a quote: contact it before you retry.`;
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
