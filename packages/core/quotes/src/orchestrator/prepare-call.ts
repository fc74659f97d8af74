import type { JsonObject } from '@leeward/terms';
import type { CarrierRequest } from '../ports/carrier-adapter.ts';
import { outOfTime } from '../store/change-quotes.ts';
import type { LeasedRate } from '../store/lease.ts';
import type { KeptPending } from '../store/pending.ts';
import { callCarrier } from './call-carrier.ts';
import { decideAfterAnswer } from './check-answer.ts';
import {
  type Decision,
  decideAfterFailedLookup,
  decideAfterFault,
  decideNotSent,
  decideWithoutCall,
  endWithError,
  noAnswer,
} from './decide.ts';
import { othersReader, waitForOthers } from './other-carriers.ts';
import { permitEach } from './rate-limiter.ts';
import { applyRetryAfter, circumstancesOf, timeLeft, type Work, type WorkTools } from './work.ts';

export interface PreparedCall {
  readonly request: CarrierRequest;
  readonly adapterData: unknown;
  /** The carrier was called before: look up what became of that call. */
  readonly isLookup: boolean;
}

type PrepareTools = Omit<WorkTools, 'store'>;

export async function prepareCall(
  work: Work,
  tools: PrepareTools,
): Promise<PreparedCall | { readonly decision: Decision }> {
  const { claimed, runtime } = work;
  const { adapter, limits } = runtime.carrier;
  const { fields } = claimed;
  const end = (decision: Decision) => ({ decision });
  if (fields === 'erased') {
    return end(endWithError('cancelled', { code: 'erased', message: 'The personal data was erased.' }, false));
  }
  if (fields === 'unreadable') {
    const message = 'The fields of the quote are encrypted under a key that this worker does not have.';
    return end(endWithError('failed', { code: 'fields_unreadable', message }, true));
  }
  const isLookup = claimed.sent && !adapter.idempotent;
  if (fields === 'unavailable') {
    // The poll is repeated when the lease runs out: its kept state is unreadable now.
    if (claimed.pending !== undefined) return end({ kind: 'none' });
    const message = 'The fields of the quote cannot be decrypted while the key service is unavailable.';
    const circumstances = { ...circumstancesOf(work, tools.random), sent: isLookup };
    return end(decideNotSent({ code: 'keys_unavailable', message }, circumstances));
  }
  if (claimed.pending !== undefined) return preparePoll(work, fields, claimed.pending, tools);
  const remainingMs = timeLeft(work, tools.random);
  if (isLookup && (adapter.lookup === undefined || remainingMs <= 0)) {
    return end(decideAfterFailedLookup(noAnswer, { ...circumstancesOf(work, tools.random), canLookUp: false }));
  }
  if (remainingMs <= 0) {
    return end(endWithError('timed_out', outOfTime(claimed.attempts > 1 ? undefined : claimed.waitedFor), true));
  }
  if (!isLookup && claimed.attempts > limits.maxAttempts) {
    const message = `The carrier was called ${limits.maxAttempts} times, and the worker was lost each time.`;
    return end(endWithError('failed', { code: 'too_many_attempts', message }, true));
  }
  const request = requestOf(claimed, fields);
  if (adapter.prepare === undefined) return { request, adapterData: undefined, isLookup };
  return runPrepare(work, tools, request, isLookup);
}

function requestOf(claimed: LeasedRate, fields: JsonObject): CarrierRequest {
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

/** For a rate that cannot be polled: one that is always claimed would never be ended by a sweep. */
const MIN_UNPOLLED_DELAY_MS = 60_000;

function preparePoll(
  work: Work,
  fields: JsonObject,
  pending: KeptPending,
  tools: PrepareTools,
): PreparedCall | { readonly decision: Decision } {
  const { resume } = work.runtime.carrier.adapter;
  const { remainingMs } = circumstancesOf(work, tools.random);
  // A sweep ends the rate after its deadline; without polling, only a callback can end it earlier.
  if (remainingMs <= 0 || resume === undefined) {
    const wait = { ...pending, delayMs: Math.max(MIN_UNPOLLED_DELAY_MS, remainingMs), reference: undefined };
    return { decision: { kind: 'pending', wait, reason: 'not_looked_at' } };
  }
  return { request: requestOf(work.claimed, fields), adapterData: undefined, isLookup: false };
}

async function runPrepare(
  work: Work,
  tools: PrepareTools,
  request: CarrierRequest,
  isLookup: boolean,
): Promise<PreparedCall | { readonly decision: Decision }> {
  const { claimed, runtime } = work;
  const { adapter, limits } = runtime.carrier;
  // Within the lease. A longer preparation is repeated.
  const deadlineMs = Math.min(
    limits.deadlineMs + tools.leaseMarginMs / 2,
    Math.max(1, circumstancesOf(work, tools.random).remainingMs),
  );
  const readOthers = othersReader(work, tools, !isLookup);
  const { idempotencyKey, attempts: attempt } = claimed;
  const context = { idempotencyKey, deadlineMs, attempt, readOthers, recordExchange: tools.exchanges.of(claimed) };
  const result = await callCarrier(
    (signal) =>
      adapter.prepare!(request, { ...context, signal, beforeRequest: permitEach(runtime.rateLimiter, signal) }),
    { deadlineMs, stop: work.stop },
  ).result;
  const notSent = (error: { code: string; message: string }) =>
    decideNotSent(error, { ...circumstancesOf(work, tools.random), sent: isLookup });
  switch (result.kind) {
    case 'answer':
      if ('answer' in result.answer) return { decision: decideAfterAnswer(result.answer.answer, adapter) };
      if ('waitForOthers' in result.answer) return { decision: waitForOthers(work, tools.random) };
      return { request, adapterData: result.answer.prepared, isLookup };
    case 'aborted':
      return { decision: result.why === 'deadline' ? notSent(notPrepared) : decideWithoutCall(work.stop, isLookup) };
    case 'fault': {
      const { fault } = result;
      if (fault.code === 'adapter_error' || fault.kind === 'not_sent') {
        tools.listener({ type: 'failure', where: `prepare ${adapter.key}`, error: fault.cause ?? fault });
        return { decision: notSent(fault.code === 'adapter_error' ? notPrepared : fault) };
      }
      await applyRetryAfter(work, tools, fault);
      const circumstances = circumstancesOf(work, tools.random);
      return {
        decision: isLookup ? decideAfterFailedLookup(fault, circumstances) : decideAfterFault(fault, circumstances),
      };
    }
  }
}

const notPrepared = {
  code: 'not_prepared',
  message: 'The carrier was not called: preparing the call failed or took too long.',
};
