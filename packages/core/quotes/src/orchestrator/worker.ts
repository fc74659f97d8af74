import { randomUUID } from 'node:crypto';
import type { CatalogCarrier } from '../catalog/carrier-catalog.ts';
import type { CallContext, CarrierAnswer, CarrierRequest, LookupAnswer } from '../ports/carrier-adapter.ts';
import type { Delivery, JobRef } from '../ports/queue-backend.ts';
import { within } from '../queues/within.ts';
import type { ClaimedRate } from '../store/claim.ts';
import type { Permit } from '../store/pace.ts';
import { type Admission, CarrierTrouble, createBreaker } from './breaker.ts';
import { type Call, type CallResult, callCarrier } from './call-carrier.ts';
import type { CarrierRests } from './carrier-rests.ts';
import { decideAfterAnswer } from './check-answer.ts';
import {
  type Decision,
  decideAfterFailedLookup,
  decideAfterFault,
  decideAfterStop,
  decideAfterTimeout,
  decideWithoutCall,
  endWithError,
  lookLater,
  noAnswer,
} from './decide.ts';
import { createGroupedStore, type GroupedStoreOptions } from './grouped-store.ts';
import type { InFlight } from './in-flight.ts';
import { createLanePace, permitFurther, withQuotas } from './lane-pace.ts';
import { lookAtPending } from './look-at-pending.ts';
import { makeReady } from './make-ready.ts';
import { createSlots, type Slots } from './slots.ts';
import { decideAfterUsedQuota, usedUpCode } from './used-quota.ts';
import {
  circumstancesOf,
  type HoldState,
  type LaneState,
  type Ready,
  restAsAsked,
  timeLeft,
  type Work,
} from './work.ts';

export interface WorkerOptions extends GroupedStoreOptions {
  readonly carriers: readonly CatalogCarrier[];
  readonly rests: CarrierRests;
  readonly inFlight: InFlight;
  readonly random: () => number;
  /** How much longer than a call a lease is. */
  readonly leaseMarginMs: number;
  /** Whether a carrier's concurrency is kept here, because the queue delivers more jobs than may call at once. */
  readonly keepsSlots: boolean;
  /** Something is due in so long: do not wait for the next sweep. */
  readonly wakeIn: (delayMs: number) => void;
  /** There are events of these quotes. */
  readonly wake: (quoteIds: readonly string[]) => void;
}

export interface Worker {
  /**
   * Works on one delivery: takes the rate and asks its carrier. Resolves when the carrier need not be waited for any
   * longer; what came of it is written down meanwhile. Never rejects for a carrier's fault.
   */
  readonly deliver: (delivery: Delivery) => Promise<void>;
  /** Whether a carrier is left alone because it kept failing. */
  readonly givesRest: (carrierKey: string) => boolean;
  /** Resolves when everything that came of deliveries is written down, or given up. */
  idle(): Promise<void>;
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
      const { rateLimit, quotas } = carrier.limits;
      const pace = withQuotas(createLanePace(options.store, key, rateLimit), options.store, key, quotas);
      return [key, { carrier, breaker, pace, slots }];
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
    const { limits, adapter } = lane.carrier;
    const restMs = options.rests.remainingMs(adapter.key);
    if (restMs > 0) {
      // Due, and passed over by every sweep until the rest ends or is lifted.
      await store.putOff(delivery, 0);
      return wakeIn(restMs);
    }
    const foreseen = lane.pace.foresee();
    if (!foreseen.granted) return putOff(delivery, foreseen.waitMs);
    const admission = lane.breaker.admit();
    if (admission.kind === 'resting') return putOff(delivery, admission.waitMs);
    // Where nothing comes between the claim and the call, the claim notes the call as well.
    const noted =
      !options.keepsSlots &&
      !adapter.idempotent &&
      adapter.prepare === undefined &&
      limits.rateLimit === undefined &&
      limits.quotas.length === 0;
    let claimed: ClaimedRate | undefined;
    let claimedAt: number;
    try {
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
    const inHand = inFlight.start(claimed, signal);
    const calls: Call<unknown>[] = [];
    const work: Work = { claimed, lane, admission, stop: inHand.signal, calls, start, hold };
    let slots: Slots | undefined;
    try {
      // What is ours to do takes no slot of the carrier's.
      const ready = await makeReady(work, options);
      let decision: Decision;
      if ('decision' in ready) decision = ready.decision;
      else {
        await lane.slots.take();
        slots = lane.slots;
        decision = await attempt(work, ready);
      }
      // The carrier is free for the next call while this is written.
      const written: Promise<void> = settle(claimed, decision, start)
        .catch((error: unknown) => listener({ type: 'trouble', where: 'settle', error }))
        .finally(() => writing.delete(written));
      writing.add(written);
      // An adapter that takes no notice of its signal keeps its place in the lane, for a while.
      await within(leaseMarginMs, Promise.all(calls.map((call) => call.settled)));
    } finally {
      slots?.giveBack();
      lane.breaker.forgo(admission);
      inHand.end();
    }
  }

  async function attempt(work: Work, { request, prepared, toLookUp }: Ready): Promise<Decision> {
    const { claimed, lane, stop } = work;
    const { adapter } = lane.carrier;
    const circumstances = () => circumstancesOf(work, random);
    const notPermitted = ({ waitMs, usedUp }: Permit & { granted: false }, keepSent: boolean) =>
      usedUp === undefined
        ? later(waitMs, keepSent, 'rate_limit')
        : decideAfterUsedQuota({ usedUp, waitMs }, keepSent, circumstances());
    const call = async <Answer>(
      ask: (request: CarrierRequest, context: CallContext) => Promise<Answer>,
      deadlineMs: number,
    ): Promise<CallResult<Answer>> => {
      const { attempts, idempotencyKey } = claimed;
      const context = { idempotencyKey, deadlineMs, attempt: attempts, prepared };
      const made = callCarrier(
        (signal) => ask(request, { ...context, signal, beforeRequest: permitFurther(lane.pace, signal) }),
        { deadlineMs, stop },
      );
      work.calls.push(made);
      try {
        await lane.breaker.run(work.admission, () => countTrouble(made.result));
      } catch (error) {
        if (!(error instanceof CarrierTrouble)) throw error;
      }
      const result = await made.result;
      if (result.kind === 'fault') {
        const { fault } = result;
        if (fault.code === 'adapter_error') {
          listener({ type: 'trouble', where: `adapter ${adapter.key}`, error: fault.cause });
        }
        await restAsAsked(work, options, fault);
      }
      return result;
    };

    const { pending } = claimed;
    if (pending !== undefined) {
      // Paused since it was claimed: due as it was, and passed over until the carrier is resumed.
      if (options.rests.remainingMs(adapter.key) > 0) return lookLater(pending, 0, 'carrier_resting');
      return lookAtPending(work, pending, {
        random,
        holdOn: () => holdOn(claimed, lane, work.hold),
        ask: (deadlineMs) =>
          call(
            (asked, context) => adapter.resume!(asked, { ...context, kept: pending.keep, failures: pending.failures }),
            deadlineMs,
          ),
      });
    }
    if (stop.aborted) return decideWithoutCall(stop, toLookUp);
    // It may have asked to be left alone while this waited for its slot.
    const restMs = options.rests.remainingMs(adapter.key);
    if (restMs > 0) return later(0, toLookUp, 'carrier_resting');
    const permit = await lane.pace.take(stop);
    if (stop.aborted) return decideWithoutCall(stop, toLookUp);
    if (!permit.granted) return notPermitted(permit, toLookUp);
    const permittedAt = performance.now();
    if (toLookUp) {
      const left = timeLeft(work, random);
      if (left <= 0) return decideAfterFailedLookup(noAnswer, { ...circumstances(), canLookUp: false });
      const looked = await call<LookupAnswer>(adapter.lookup!.bind(adapter), left);
      if (looked.kind === 'aborted' && looked.why === 'hold_lost') return { kind: 'none' };
      if (looked.kind === 'aborted' && looked.why === 'stopping') return decideAfterStop(circumstances());
      const answer = looked.kind === 'answer' ? looked.answer : undefined;
      if (answer?.status === 'found') return decideAfterAnswer(answer.answer, adapter);
      // A worker that was paused may still be about to ask: only a new rate can be asked for safely.
      if (answer?.status === 'absent') return endWithError('failed', neverArrived, true, false);
      return decideAfterFailedLookup(noAnswer, circumstances());
    }
    if (!(await holdOn(claimed, lane, work.hold))) return { kind: 'none' };
    // A store that took its time: the permit was for then.
    if (performance.now() - permittedAt > MAX_PERMIT_AGE_MS) {
      const another = await lane.pace.take(stop);
      if (stop.aborted) return decideWithoutCall(stop, false);
      if (!another.granted) return notPermitted(another, false);
    }
    const { rateId, quoteId, carrierKey, formType, attempts } = claimed;
    listener({ type: 'carrier_asked', rateId, quoteId, carrierKey, formType, attempt: attempts });
    const deadlineMs = Math.max(1, timeLeft(work, random));
    const result = await call<CarrierAnswer>(adapter.quote.bind(adapter), deadlineMs);
    switch (result.kind) {
      case 'answer':
        return decideAfterAnswer(result.answer, adapter);
      case 'fault':
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
  async function holdOn(claimed: ClaimedRate, { carrier }: LaneState, hold: HoldState): Promise<boolean> {
    const { rateId, fence } = claimed;
    const leaseMs = carrier.limits.deadlineMs + leaseMarginMs;
    const sent = !carrier.adapter.idempotent && claimed.pending === undefined;
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
      const { outcome, premiumCents, answer, retryable, mayHaveMade } = decision;
      const follow = decision.follow && { ...decision.follow, ...waitingFor(claimed) };
      const ending = { rateId, fence, outcome, premiumCents, answer, retryable, follow, mayHaveMade };
      const held = await store.finish(ending);
      const tookMs = performance.now() - start;
      if (held) options.wake([quoteId]);
      listener(
        held ? { type: 'rate_ended', ...about, formType, outcome, attempts, tookMs } : { type: 'hold_lost', ...about },
      );
    } else if (decision.kind === 'pending') {
      const held = await store.keepPending({ rateId, fence, ...decision.wait, ...waitingFor(claimed) });
      const { delayMs } = decision.wait;
      listener(
        held ? { type: 'rate_pending', ...about, reason: decision.reason, delayMs } : { type: 'hold_lost', ...about },
      );
      if (held && delayMs !== undefined) wakeIn(delayMs);
    } else if (decision.kind === 'again') {
      const { delayMs, keepSent, uncounted, reason, mayHaveMade } = decision;
      const held = await store.release({ rateId, fence, delayMs, keepSent, uncounted, reason, mayHaveMade });
      listener(held ? { type: 'rate_requeued', ...about, reason, delayMs } : { type: 'hold_lost', ...about });
      if (held) wakeIn(delayMs);
    } else listener({ type: 'hold_lost', ...about });
  }

  const waitingFor = ({ carrierKey }: ClaimedRate) => ({
    carrierKey,
    maxPendingMs: lanes.get(carrierKey)!.carrier.limits.maxPendingMs,
  });

  return {
    deliver,
    givesRest: (carrierKey) => lanes.get(carrierKey)?.breaker.isResting() === true,
    async idle() {
      while (writing.size > 0) await Promise.all(writing);
    },
  };
}

/** A call that is made so long after its permit needs another. */
const MAX_PERMIT_AGE_MS = 250;

/** Nothing was tried: that is no attempt. */
function later(delayMs: number, keepSent: boolean, reason: string): Decision {
  return { kind: 'again', delayMs, keepSent, uncounted: true, reason };
}

const neverArrived = { code: 'never_arrived', message: 'The request did not reach the carrier.' };

/** A carrier that is down or silent counts against it; a full one (429), a strange one and our own stopping do not. */
async function countTrouble(result: Promise<CallResult<unknown>>): Promise<void> {
  const settled = await result;
  const down =
    settled.kind === 'fault' &&
    settled.fault.kind !== 'invalid' &&
    settled.fault.kind !== 'unasked' &&
    settled.fault.code !== 'http_429' &&
    settled.fault.code !== usedUpCode;
  if (down || (settled.kind === 'aborted' && settled.why === 'deadline')) throw new CarrierTrouble();
}
