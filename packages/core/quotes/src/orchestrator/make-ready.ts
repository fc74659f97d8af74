import type { JsonObject } from '@leeward/terms';
import type { CarrierRequest } from '../ports/carrier-adapter.ts';
import { outOfTime } from '../store/change-quotes.ts';
import type { ClaimedRate } from '../store/claim.ts';
import type { KeptPending } from '../store/pending.ts';
import { callCarrier } from './call-carrier.ts';
import type { CarrierRests } from './carrier-rests.ts';
import { decideAfterAnswer } from './check-answer.ts';
import {
  type Decision,
  decideAfterFailedLookup,
  decideAfterFault,
  decideAfterUnasked,
  decideWithoutCall,
  endWithError,
  noAnswer,
} from './decide.ts';
import { permitEach } from './lane-pace.ts';
import type { QuoteListener } from './quote-event.ts';
import { circumstancesOf, type Ready, restAsAsked, timeLeft, type Work } from './work.ts';

export interface ReadyOptions {
  readonly rests: CarrierRests;
  readonly listener: QuoteListener;
  readonly random: () => number;
  readonly leaseMarginMs: number;
}

/** All that comes before the call and is ours to do; or what becomes of the rate without a call. */
export async function makeReady(work: Work, options: ReadyOptions): Promise<Ready | { readonly decision: Decision }> {
  const { claimed, lane } = work;
  const { adapter, limits } = lane.carrier;
  const { fields } = claimed;
  const end = (decision: Decision) => ({ decision });
  if (fields === 'erased') {
    return end(endWithError('cancelled', { code: 'erased', message: 'The personal data was erased.' }, false));
  }
  if (fields === 'unreadable') {
    const message = 'The fields of the quote are encrypted under a key that this worker does not have.';
    return end(endWithError('failed', { code: 'fields_unreadable', message }, true));
  }
  if (claimed.pending !== undefined) return readyToLook(work, fields, claimed.pending, options);
  const toLookUp = claimed.sent && !adapter.idempotent;
  if (toLookUp && (adapter.lookup === undefined || timeLeft(work, options.random) <= 0)) {
    return end(decideAfterFailedLookup(noAnswer, { ...circumstancesOf(work, options.random), canLookUp: false }));
  }
  if (timeLeft(work, options.random) <= 0) {
    return end(endWithError('timed_out', outOfTime(claimed.attempts > 1 ? undefined : claimed.waitedFor), true));
  }
  if (!toLookUp && claimed.attempts > limits.maxAttempts) {
    const message = `The carrier was asked ${limits.maxAttempts} times, and each time the worker was lost.`;
    return end(endWithError('failed', { code: 'too_many_attempts', message }, true));
  }
  const request = requestOf(claimed, fields);
  if (adapter.prepare === undefined) return { request, prepared: undefined, toLookUp };
  return prepare(work, options, request, toLookUp);
}

function requestOf(claimed: ClaimedRate, fields: JsonObject): CarrierRequest {
  return {
    rateId: claimed.rateId,
    quoteRequestId: claimed.quoteId,
    teamId: claimed.teamId,
    productCode: claimed.productCode,
    formType: claimed.formType,
    effectiveDate: claimed.effectiveDate,
    producerEmail: claimed.producerEmail,
    fields,
  };
}

/** While it is in somebody's hands no round of repairs ends it: taken up again at once, it might never be out of them. */
const LEFT_ALONE_MS = 60_000;

/** What a carrier is at is looked at, whatever was prepared when it was asked. */
function readyToLook(
  work: Work,
  fields: JsonObject,
  pending: KeptPending,
  options: ReadyOptions,
): Ready | { readonly decision: Decision } {
  const { resume } = work.lane.carrier.adapter;
  const { remainingMs } = circumstancesOf(work, options.random);
  // Past its time somebody's round of repairs ends it; without an adapter that can look, a callback or that does.
  if (remainingMs <= 0 || resume === undefined) {
    const wait = { ...pending, delayMs: Math.max(LEFT_ALONE_MS, remainingMs), reference: undefined };
    return { decision: { kind: 'pending', wait, reason: 'not_looked_at' } };
  }
  return { request: requestOf(work.claimed, fields), prepared: undefined, toLookUp: false };
}

async function prepare(
  work: Work,
  options: ReadyOptions,
  request: CarrierRequest,
  toLookUp: boolean,
): Promise<Ready | { readonly decision: Decision }> {
  const { claimed, lane } = work;
  const { adapter, limits } = lane.carrier;
  // The lease is held meanwhile; what takes longer is begun again.
  const deadlineMs = Math.min(
    limits.deadlineMs + options.leaseMarginMs / 2,
    Math.max(1, circumstancesOf(work, options.random).remainingMs),
  );
  const context = { idempotencyKey: claimed.idempotencyKey, deadlineMs, attempt: claimed.attempts };
  const made = await callCarrier(
    (signal) => adapter.prepare!(request, { ...context, signal, beforeRequest: permitEach(lane.pace, signal) }),
    { deadlineMs, stop: work.stop },
  ).result;
  const unasked = (error: { code: string; message: string }) =>
    decideAfterUnasked(error, { ...circumstancesOf(work, options.random), sent: toLookUp });
  switch (made.kind) {
    case 'answer':
      if ('answer' in made.answer) return { decision: decideAfterAnswer(made.answer.answer, adapter) };
      return { request, prepared: made.answer.prepared, toLookUp };
    case 'aborted': {
      if (made.why !== 'deadline') return { decision: decideWithoutCall(work.stop, toLookUp) };
      return { decision: unasked(notPrepared) };
    }
    case 'fault': {
      const { fault } = made;
      if (fault.code === 'adapter_error' || fault.kind === 'unasked') {
        options.listener({ type: 'trouble', where: `prepare ${adapter.key}`, error: fault.cause ?? fault });
        return { decision: unasked(fault.code === 'adapter_error' ? notPrepared : fault) };
      }
      await restAsAsked(work, options, fault);
      if (toLookUp) return { decision: decideAfterFailedLookup(fault, circumstancesOf(work, options.random)) };
      return { decision: decideAfterFault(fault, circumstancesOf(work, options.random)) };
    }
  }
}

const notPrepared = {
  code: 'not_prepared',
  message: 'The carrier was not asked: what comes before that failed here, or took too long.',
};
