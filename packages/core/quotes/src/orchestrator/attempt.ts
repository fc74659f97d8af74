import type { CallContext, CarrierAnswer, CarrierRequest, LookupAnswer } from '../ports/carrier-adapter.ts';
import type { Permit } from '../store/rate-limit.ts';
import { CarrierFailure } from './breaker.ts';
import { type CallResult, callCarrier } from './call-carrier.ts';
import { decideAfterAnswer } from './check-answer.ts';
import {
  type Decision,
  decideAfterFailedLookup,
  decideAfterFault,
  decideAfterStop,
  decideAfterTimeout,
  decideWithoutCall,
  endWithError,
  noAnswer,
  pollLater,
} from './decide.ts';
import { othersReader } from './other-carriers.ts';
import { pollPending } from './poll-pending.ts';
import type { PreparedCall } from './prepare-call.ts';
import { decideAfterUsedQuota, permitFurther, usedUpCode } from './rate-limiter.ts';
import { applyRetryAfter, circumstancesOf, timeLeft, type Work, type WorkTools } from './work.ts';

/*
 * One attempt at a claimed rate:
 *
 *     pending answer     poll it
 *     sent before        look up what became of the earlier call
 *     otherwise          call the carrier
 *
 * Before a call: cooldown, permit, then the store records that the carrier is about to be called. After that record a crash
 * leaves a rate whose carrier may have been called.
 */

/** Never rejects for a carrier's fault. */
export async function attempt(work: Work, prepared: PreparedCall, tools: WorkTools): Promise<Decision> {
  const { claimed, runtime, stop } = work;
  const { adapter } = runtime.carrier;
  const { pending } = claimed;
  if (pending !== undefined) {
    // The rate stays due; sweeps skip it until the carrier is resumed.
    if (tools.cooldowns.remainingMs(adapter.key) > 0) return pollLater(pending, 0, 'carrier_resting');
    return pollPending(work, pending, {
      random: tools.random,
      renewHold: () => renewHold(work, tools),
      call: (deadlineMs) =>
        makeCall(work, prepared, tools, deadlineMs, (request, context) =>
          adapter.resume!(request, { ...context, keep: pending.keep, failures: pending.failures }),
        ),
    });
  }
  const { isLookup } = prepared;
  if (stop.aborted) return decideWithoutCall(stop, isLookup);
  // A cooldown may have started while this attempt waited for a slot.
  if (tools.cooldowns.remainingMs(adapter.key) > 0) return later(0, isLookup, 'carrier_resting');
  const permit = await runtime.rateLimiter.take(stop);
  if (stop.aborted) return decideWithoutCall(stop, isLookup);
  if (!permit.granted) return decideWithoutPermit(work, tools, permit, isLookup);
  return isLookup ? lookUp(work, prepared, tools) : callWithPermit(work, prepared, tools, performance.now());
}

/** Older permits are replaced before the call. */
const MAX_PERMIT_AGE_MS = 250;

async function callWithPermit(
  work: Work,
  prepared: PreparedCall,
  tools: WorkTools,
  permittedAt: number,
): Promise<Decision> {
  const { claimed, runtime, stop } = work;
  const { adapter } = runtime.carrier;
  if (!(await renewHold(work, tools))) return { kind: 'none' };
  if (performance.now() - permittedAt > MAX_PERMIT_AGE_MS) {
    const permit = await runtime.rateLimiter.take(stop);
    if (stop.aborted) return decideWithoutCall(stop, false);
    if (!permit.granted) return decideWithoutPermit(work, tools, permit, false);
  }
  const { rateId, quoteId, carrierKey, formType, attempts } = claimed;
  tools.listener({ type: 'carrier_asked', rateId, quoteId, carrierKey, formType, attempt: attempts });
  const deadlineMs = Math.max(1, timeLeft(work, tools.random));
  const result = await makeCall<CarrierAnswer>(work, prepared, tools, deadlineMs, adapter.quote.bind(adapter));
  switch (result.kind) {
    case 'answer':
      return decideAfterAnswer(result.answer, adapter);
    case 'fault':
      return decideAfterFault(result.fault, circumstancesOf(work, tools.random));
    case 'aborted':
      if (result.why === 'hold_lost') return { kind: 'none' };
      if (result.why === 'stopping') return decideAfterStop(circumstancesOf(work, tools.random));
      return decideAfterTimeout(deadlineMs, circumstancesOf(work, tools.random));
  }
}

async function lookUp(work: Work, prepared: PreparedCall, tools: WorkTools): Promise<Decision> {
  const { adapter } = work.runtime.carrier;
  const circumstances = () => circumstancesOf(work, tools.random);
  const deadlineMs = timeLeft(work, tools.random);
  if (deadlineMs <= 0) return decideAfterFailedLookup(noAnswer, { ...circumstances(), canLookUp: false });
  const result = await makeCall<LookupAnswer>(work, prepared, tools, deadlineMs, adapter.lookup!.bind(adapter));
  if (result.kind === 'aborted' && result.why === 'hold_lost') return { kind: 'none' };
  if (result.kind === 'aborted' && result.why === 'stopping') return decideAfterStop(circumstances());
  const answer = result.kind === 'answer' ? result.answer : undefined;
  if (answer?.status === 'found') return decideAfterAnswer(answer.answer, adapter);
  // A paused worker may still be about to call: only a new rate can be called safely.
  if (answer?.status === 'absent') return endWithError('failed', neverArrived, true, false);
  return decideAfterFailedLookup(noAnswer, circumstances());
}

const neverArrived = { code: 'never_arrived', message: 'The request did not reach the carrier.' };

async function makeCall<Answer>(
  work: Work,
  { request, adapterData }: PreparedCall,
  tools: WorkTools,
  deadlineMs: number,
  method: (request: CarrierRequest, context: CallContext) => Promise<Answer>,
): Promise<CallResult<Answer>> {
  const { claimed, runtime, stop } = work;
  const { attempts: attempt, idempotencyKey } = claimed;
  const readOthers = othersReader(work, tools, false);
  const recordExchange = tools.exchanges.of(claimed);
  const context = { idempotencyKey, deadlineMs, attempt, prepared: adapterData, readOthers, recordExchange };
  const call = callCarrier(
    (signal) => method(request, { ...context, signal, beforeRequest: permitFurther(runtime.rateLimiter, signal) }),
    { deadlineMs, stop },
  );
  work.calls.push(call);
  try {
    await runtime.breaker.run(work.admission, () => countFailure(call.result));
  } catch (error) {
    if (!(error instanceof CarrierFailure)) throw error;
  }
  const result = await call.result;
  if (result.kind === 'fault') {
    const { fault } = result;
    if (fault.code === 'adapter_error') {
      tools.listener({ type: 'failure', where: `adapter ${runtime.carrier.adapter.key}`, error: fault.cause });
    }
    await applyRetryAfter(work, tools, fault);
  }
  return result;
}

/** @returns false if the hold is lost. */
async function renewHold({ claimed, runtime, hold }: Work, { store, leaseMarginMs }: WorkTools): Promise<boolean> {
  const { adapter, limits } = runtime.carrier;
  const { rateId, fence } = claimed;
  const leaseMs = limits.deadlineMs + leaseMarginMs;
  const isSent = !adapter.idempotent && claimed.pending === undefined;
  let { since, isSentRecorded } = hold;
  // With a slow store the answer may come too late, which the fence handles.
  for (let tries = 0; tries < 3; tries++) {
    if ((isSentRecorded || !isSent) && performance.now() - since < leaseMarginMs / 3) break;
    since = performance.now();
    isSentRecorded = true;
    if (!(await store.hold({ rateId, fence, leaseMs, sent: isSent }))) return false;
  }
  return true;
}

function decideWithoutPermit(
  work: Work,
  { random }: WorkTools,
  { waitMs, usedUp }: Permit & { granted: false },
  keepSent: boolean,
): Decision {
  if (usedUp === undefined) return later(waitMs, keepSent, 'rate_limit');
  return decideAfterUsedQuota({ usedUp, waitMs }, keepSent, circumstancesOf(work, random));
}

function later(delayMs: number, keepSent: boolean, reason: string): Decision {
  return { kind: 'again', delayMs, keepSent, uncounted: true, reason };
}

/**
 * Rejects with {@link CarrierFailure} if the carrier is down or does not answer. A 429, an invalid answer or a stopping process does not
 * count.
 */
async function countFailure(call: Promise<CallResult<unknown>>): Promise<void> {
  const result = await call;
  const isDown =
    result.kind === 'fault' &&
    result.fault.kind !== 'invalid' &&
    result.fault.kind !== 'not_sent' &&
    result.fault.code !== 'http_429' &&
    result.fault.code !== usedUpCode;
  if (isDown || (result.kind === 'aborted' && result.why === 'deadline')) throw new CarrierFailure();
}
