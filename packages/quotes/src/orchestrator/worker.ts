import { randomUUID } from 'node:crypto';
import type { CatalogCarrier } from '../catalog/carrier-catalog.ts';
import type { CallContext, CarrierAnswer, CarrierRequest, LookupAnswer } from '../ports/carrier-adapter.ts';
import { CarrierFault } from '../ports/carrier-fault.ts';
import type { Delivery, JobRef } from '../ports/queue-backend.ts';
import type { ClaimedRate } from '../ports/quote-store.ts';
import { within } from '../within.ts';
import { type Admission, type Breaker, CarrierTrouble, createBreaker } from './breaker.ts';
import { type Call, type CallResult, callCarrier } from './call-carrier.ts';
import { checkAnswer } from './check-answer.ts';
import {
  type Circumstances,
  type Decision,
  decideAfterFault,
  decideAfterStop,
  decideAfterTimeout,
  decideAfterVainLookup,
  endWithError,
} from './decide.ts';
import { createGroupedStore, type GroupedStoreOptions } from './grouped-store.ts';
import type { InFlight } from './in-flight.ts';
import { createLanePace, type LanePace } from './lane-pace.ts';
import { createSlots, type Slots } from './slots.ts';

export interface WorkerOptions extends GroupedStoreOptions {
  readonly carriers: readonly CatalogCarrier[];
  readonly inFlight: InFlight;
  readonly random: () => number;
  /** How much longer than a call a lease is. */
  readonly leaseMarginMs: number;
  /** Whether a carrier's concurrency is kept here, because the queue delivers more jobs than may call at once. */
  readonly keepsSlots: boolean;
  /** Something is due in so long: do not wait for the next sweep. */
  readonly wakeIn: (delayMs: number) => void;
}

export interface Worker {
  /**
   * Works on one delivery: takes the rate and asks its carrier. Resolves when the carrier need not be waited for any
   * longer; what came of it is written down meanwhile. Never rejects for a carrier's fault.
   */
  readonly deliver: (delivery: Delivery) => Promise<void>;
  /** Resolves when everything that came of deliveries is written down, or given up. */
  idle(): Promise<void>;
}

/** What a worker knows of its hold on a rate. */
interface HoldState {
  /** When the lease was asked for. */
  readonly heldSince: number;
  /** Whether it is noted that the carrier is asked. */
  readonly noted: boolean;
}

interface LaneState {
  readonly carrier: CatalogCarrier;
  readonly breaker: Breaker;
  readonly pace: LanePace;
  readonly slots: Slots;
}

export function createWorker(options: WorkerOptions): Worker {
  const { listener, inFlight, leaseMarginMs, wakeIn, random } = options;
  const store = createGroupedStore(options);
  const lanes = new Map<string, LaneState>(
    options.carriers.map((carrier) => {
      const { key } = carrier.adapter;
      const breaker = createBreaker(carrier.limits.breaker, (broken) =>
        listener({ type: broken ? 'carrier_given_up' : 'carrier_back', carrierKey: key }),
      );
      const slots = createSlots(options.keepsSlots ? carrier.limits.concurrency : Number.POSITIVE_INFINITY);
      return [key, { carrier, breaker, pace: createLanePace(options.store, key, carrier.limits.rateLimit), slots }];
    }),
  );

  const putOff = async (job: JobRef, waitMs: number) => {
    // Spread a little, so that those who wait for the same moment do not all come in it.
    const delayMs = waitMs * (1 + random() * 0.1);
    await store.putOff(job, delayMs);
    wakeIn(delayMs);
  };

  const writing = new Set<Promise<void>>();

  async function deliver(delivery: Delivery): Promise<void> {
    const lane = lanes.get(delivery.lane);
    if (lane === undefined || delivery.signal.aborted) return;
    const { limits } = lane.carrier;
    const admission = lane.breaker.admit();
    if (admission.kind === 'resting') return putOff(delivery, admission.waitMs);
    // Whoever need not wait for a slot asks at once; whoever waits may yet be killed without having asked.
    const noted = !options.keepsSlots && !lane.carrier.adapter.idempotent;
    let claimed: ClaimedRate | undefined;
    let claimedAt: number;
    try {
      const permit = await lane.pace.take(delivery.signal);
      if (!permit.granted) {
        lane.breaker.forgo(admission);
        return await putOff(delivery, permit.waitMs);
      }
      const leaseMs = limits.deadlineMs + leaseMarginMs;
      const { key } = delivery;
      claimedAt = performance.now();
      claimed = await store.claim({ key, lane: delivery.lane, token: randomUUID(), leaseMs, sent: noted });
    } catch (error) {
      lane.breaker.forgo(admission);
      throw error;
    }
    if (claimed === undefined) return lane.breaker.forgo(admission);
    await workOn(claimed, lane, admission, delivery.signal, { heldSince: claimedAt, noted });
  }

  async function workOn(
    claimed: ClaimedRate,
    lane: LaneState,
    admission: Admission,
    signal: AbortSignal,
    hold: HoldState,
  ): Promise<void> {
    const start = performance.now();
    const work = inFlight.start(claimed, signal);
    const calls: Call<unknown>[] = [];
    await lane.slots.take();
    try {
      const decision = await attempt(claimed, lane, admission, { stop: work.signal, calls, start, hold });
      // The carrier is free for the next call while this is written.
      const written: Promise<void> = settle(claimed, decision, start)
        .catch((error: unknown) => listener({ type: 'trouble', where: 'settle', error }))
        .finally(() => writing.delete(written));
      writing.add(written);
      // An adapter that takes no notice of its signal keeps its place in the lane, for a while.
      await within(leaseMarginMs, Promise.all(calls.map((call) => call.settled)));
    } finally {
      lane.slots.giveBack();
      lane.breaker.forgo(admission);
      work.end();
    }
  }

  async function attempt(
    claimed: ClaimedRate,
    lane: LaneState,
    admission: Admission,
    work: {
      readonly stop: AbortSignal;
      readonly calls: Call<unknown>[];
      readonly start: number;
      readonly hold: HoldState;
    },
  ): Promise<Decision> {
    const { adapter, limits } = lane.carrier;
    const { fields } = claimed;
    if (fields === 'erased') {
      return endWithError('cancelled', { code: 'erased', message: 'The personal data was erased.' }, false);
    }
    if (fields === 'unreadable') {
      const message = 'The fields of the quote are encrypted under a key that this worker does not have.';
      return endWithError('failed', { code: 'fields_unreadable', message }, true);
    }
    const request: CarrierRequest = {
      rateId: claimed.rateId,
      quoteRequestId: claimed.quoteId,
      teamId: claimed.teamId,
      productCode: claimed.productCode,
      formType: claimed.formType,
      effectiveDate: claimed.effectiveDate,
      producerEmail: claimed.producerEmail,
      fields,
    };
    const circumstances = (): Circumstances => ({
      idempotent: adapter.idempotent,
      canLookUp: adapter.lookup !== undefined,
      attempts: claimed.attempts,
      remainingMs: claimed.remainingMs - (performance.now() - work.start),
      limits,
      random,
    });
    const call = async <Answer>(
      ask: (request: CarrierRequest, context: CallContext) => Promise<Answer>,
      deadlineMs: number,
    ): Promise<CallResult<Answer>> => {
      const { attempts, rateId } = claimed;
      const context = { idempotencyKey: rateId, deadlineMs, attempt: attempts };
      const made = callCarrier((signal) => ask(request, { ...context, signal }), { deadlineMs, stop: work.stop });
      work.calls.push(made);
      try {
        await lane.breaker.run(admission, () => countTrouble(made.result));
      } catch (error) {
        if (!(error instanceof CarrierTrouble)) throw error;
      }
      const result = await made.result;
      if (result.kind === 'fault' && result.fault.code === 'adapter_error') {
        listener({ type: 'trouble', where: `adapter ${adapter.key}`, error: result.fault.cause });
      }
      return result;
    };
    const timeLeft = () => Math.min(limits.deadlineMs, circumstances().remainingMs);

    if (claimed.sent && !adapter.idempotent) {
      const lookup = adapter.lookup?.bind(adapter);
      const vain = { code: 'no_answer', message: 'The carrier was asked, and its answer never came.' };
      if (lookup === undefined || timeLeft() <= 0)
        return decideAfterVainLookup(vain, { ...circumstances(), canLookUp: false });
      const looked = await call<LookupAnswer>(lookup, timeLeft());
      if (looked.kind === 'aborted' && looked.why === 'hold_lost') return { kind: 'none' };
      if (looked.kind === 'aborted' && looked.why === 'stopping') return decideAfterStop(circumstances());
      const answer = looked.kind === 'answer' ? looked.answer : undefined;
      if (answer?.status === 'found') return decideAfterAnswer(answer.answer);
      // A worker that was paused may still be about to ask: only a new rate can be asked for safely.
      if (answer?.status === 'absent') return endWithError('failed', neverArrived, true);
      return decideAfterVainLookup(vain, circumstances());
    }
    if (timeLeft() <= 0) {
      return endWithError('timed_out', { code: 'deadline', message: 'The time for this quote ran out.' }, true);
    }
    if (claimed.attempts > limits.maxAttempts) {
      const message = `The carrier was asked ${limits.maxAttempts} times, and each time the worker was lost.`;
      return endWithError('failed', { code: 'too_many_attempts', message }, true);
    }
    if (work.stop.aborted) return work.stop.reason === 'hold_lost' ? { kind: 'none' } : notAsked();
    if (!(await holdOn(claimed, lane, work.hold))) return { kind: 'none' };
    const { rateId } = claimed;
    const { quoteId, carrierKey, formType, attempts: attempt } = claimed;
    listener({ type: 'carrier_asked', rateId, quoteId, carrierKey, formType, attempt });
    const deadlineMs = timeLeft();
    const result = await call<CarrierAnswer>(adapter.quote.bind(adapter), Math.max(1, deadlineMs));
    switch (result.kind) {
      case 'answer':
        return decideAfterAnswer(result.answer);
      case 'fault':
        if (result.fault.retryAfterMs !== undefined) await lane.pace.rest(result.fault.retryAfterMs).catch(() => {});
        return decideAfterFault(result.fault, circumstances());
      case 'aborted':
        if (result.why === 'hold_lost') return { kind: 'none' };
        if (result.why === 'stopping') return decideAfterStop(circumstances());
        return decideAfterTimeout(deadlineMs, circumstances());
    }
  }

  /**
   * Before a carrier is asked: notes that it is, so that whoever holds the rate next knows, and renews a lease of which
   * some is used up: a slot came late, the store was slow, or this process was paused. False where the hold is lost.
   */
  async function holdOn({ rateId, fence }: ClaimedRate, { carrier }: LaneState, hold: HoldState): Promise<boolean> {
    const leaseMs = carrier.limits.deadlineMs + leaseMarginMs;
    const sent = !carrier.adapter.idempotent;
    let { heldSince, noted } = hold;
    // Not for ever: where the store is so slow, the answer may come too late, and that is all.
    for (let tries = 0; tries < 3; tries++) {
      if ((noted || !sent) && performance.now() - heldSince < leaseMarginMs / 3) break;
      heldSince = performance.now();
      noted = true;
      if (!(await store.hold({ rateId, fence, leaseMs, sent }))) return false;
    }
    return true;
  }

  async function settle(claimed: ClaimedRate, decision: Decision, start: number): Promise<void> {
    const { rateId, fence, quoteId, carrierKey, formType, attempts } = claimed;
    const about = { rateId, quoteId, carrierKey };
    if (decision.kind === 'end') {
      const { outcome, premiumCents, answer, retryable } = decision;
      const held = await store.finish({ rateId, fence, outcome, premiumCents, answer, retryable });
      const tookMs = performance.now() - start;
      listener(
        held ? { type: 'rate_ended', ...about, formType, outcome, attempts, tookMs } : { type: 'hold_lost', ...about },
      );
    } else if (decision.kind === 'again') {
      const { delayMs, keepSent, uncounted, reason } = decision;
      const held = await store.release({ rateId, fence, delayMs, keepSent, uncounted, reason });
      listener(held ? { type: 'rate_requeued', ...about, reason, delayMs } : { type: 'hold_lost', ...about });
      if (held) wakeIn(delayMs);
    } else listener({ type: 'hold_lost', ...about });
  }

  return {
    deliver,
    async idle() {
      while (writing.size > 0) await Promise.all(writing);
    },
  };
}

const neverArrived = { code: 'never_arrived', message: 'The request did not reach the carrier.' };

function notAsked(): Decision {
  return { kind: 'again', delayMs: 0, keepSent: false, uncounted: true, reason: 'worker_stopped' };
}

function decideAfterAnswer(answer: CarrierAnswer): Decision {
  try {
    return checkAnswer(answer);
  } catch (error) {
    const fault =
      error instanceof CarrierFault ? error : { code: 'unreadable_answer', message: 'The answer cannot be read.' };
    return endWithError('invalid', { code: fault.code, message: fault.message }, false);
  }
}

/** A carrier that is down or silent counts against it; a full one (429), a strange one and our own stopping do not. */
async function countTrouble(result: Promise<CallResult<unknown>>): Promise<void> {
  const settled = await result;
  const down = settled.kind === 'fault' && settled.fault.kind !== 'invalid' && settled.fault.code !== 'http_429';
  if (down || (settled.kind === 'aborted' && settled.why === 'deadline')) throw new CarrierTrouble();
}
