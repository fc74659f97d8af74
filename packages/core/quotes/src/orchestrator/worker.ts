import { randomUUID } from 'node:crypto';
import type { CatalogCarrier } from '../catalog/carrier-catalog.ts';
import { createRunning } from '../queues/running.ts';
import { within } from '../queues/within.ts';
import type { HandOutRequest } from '../store/hand-out.ts';
import type { LeasedRate } from '../store/lease.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import { attempt } from './attempt.ts';
import { type Admission, createBreaker } from './breaker.ts';
import type { Call } from './call-carrier.ts';
import type { CarrierCooldowns } from './carrier-cooldowns.ts';
import type { ExchangeRecorder } from './exchange-recorder.ts';
import { createGroupedStore, type GroupedStoreOptions } from './grouped-store.ts';
import type { InFlight } from './in-flight.ts';
import { prepareCall } from './prepare-call.ts';
import { createRateLimiter, withQuotas } from './rate-limiter.ts';
import { settle } from './settle.ts';
import type { CarrierRuntime, Work, WorkTools } from './work.ts';

/*
 * Path of a rate:
 *
 *     slot free → admitted (cooldown, rate limit, breaker) → handed out by the store → prepared → attempt → settled
 *
 * The store leases a rate to this process; everything written later carries the lease's fence. Hand-outs follow a
 * wake-up of the carrier (by a queue or a sweep) and the end of a call.
 */

export interface WorkerOptions extends GroupedStoreOptions {
  readonly store: SqlQuoteStore;
  readonly carriers: readonly CatalogCarrier[];
  readonly cooldowns: CarrierCooldowns;
  readonly inFlight: InFlight;
  readonly random: () => number;
  readonly leaseMarginMs: number;
  /** Requests a sweep. */
  readonly wakeIn: (delayMs: number) => void;
  readonly wake: (quoteIds: readonly string[]) => void;
  /** More rates are due than one hand-out takes: other processes may help. */
  readonly share: (carrierKey: string) => void;
  readonly exchanges: ExchangeRecorder;
}

/** Rates per hand-out of a carrier, so that processes share a backlog. */
const MAX_RATES = 64;
const MAX_WAIT_MS = 1000;
/** Steps in which due rates become ready. */
const MAX_STEPS = 60;

const stopped = AbortSignal.abort();

interface Place extends CarrierRuntime {
  /** Calls, and adapters that ignore their signal. */
  busy: number;
  /** Rates whose call is over and whose result is being written. */
  readonly settling: Set<string>;
  filling: Promise<void> | undefined;
  isWoken: boolean;
}

export class Worker {
  readonly #options: WorkerOptions;
  readonly #tools: WorkTools;
  readonly #places: ReadonlyMap<string, Place>;
  readonly #writes = new Set<Promise<void>>();
  readonly #running = createRunning();
  #isWorking = false;

  constructor(options: WorkerOptions) {
    const { listener, cooldowns, random, leaseMarginMs, exchanges } = options;
    this.#options = options;
    const readOtherRates = (rateId: string) => options.store.readOtherRates(rateId);
    const store = createGroupedStore(options);
    this.#tools = { store, listener, cooldowns, random, leaseMarginMs, readOtherRates, exchanges };
    this.#places = new Map(
      options.carriers.map((carrier) => [
        carrier.adapter.key,
        { ...runtimeOf(carrier, options), busy: 0, settling: new Set(), filling: undefined, isWoken: false },
      ]),
    );
  }

  start(): void {
    this.#isWorking = true;
  }

  /** Waits up to `graceMs` for calls, and aborts the others. Abandon the store if it takes longer. */
  async stop(graceMs: number): Promise<void> {
    this.#isWorking = false;
    // A hand-out in progress returns its rates to the store.
    await Promise.all([...this.#places.values()].map((place) => place.filling));
    await this.#running.drain(graceMs);
    while (this.#writes.size > 0) await Promise.all(this.#writes);
    await this.#options.exchanges.stop();
  }

  /** Fills free slots with due rates. Never rejects. */
  wake(carrierKey: string): void {
    const place = this.#places.get(carrierKey);
    if (place === undefined || !this.#isWorking) return;
    place.isWoken = true;
    place.filling ??= this.#fill(place);
  }

  /** Resolves after the hand-outs, or soon if the store does not answer. */
  async wakeAll(): Promise<void> {
    for (const carrierKey of this.#places.keys()) this.wake(carrierKey);
    await within(MAX_WAIT_MS, Promise.all([...this.#places.values()].map((place) => place.filling)));
  }

  async #fill(place: Place): Promise<void> {
    try {
      while (place.isWoken && this.#isWorking) {
        place.isWoken = false;
        await this.#take(place);
      }
    } catch (error) {
      this.#options.listener({ type: 'failure', where: 'hand_out', error });
    } finally {
      place.filling = undefined;
    }
  }

  async #take(place: Place): Promise<void> {
    const { adapter, limits } = place.carrier;
    const admissions = this.#admit(place);
    if (admissions.length === 0) return;
    let rates: readonly LeasedRate[] = [];
    const since = performance.now();
    // A call that directly follows its hand-out is recorded by it.
    const isSentRecorded =
      !adapter.idempotent &&
      adapter.prepare === undefined &&
      limits.rateLimit === undefined &&
      limits.quotas.length === 0;
    try {
      rates = await this.#handOut({
        carrierKey: adapter.key,
        count: admissions.length,
        concurrency: limits.concurrency,
        settling: [...place.settling],
        leaseMs: limits.deadlineMs + this.#options.leaseMarginMs,
        sent: isSentRecorded,
        token: randomUUID(),
      });
    } finally {
      for (const unused of admissions.splice(rates.length)) place.breaker.cancel(unused);
    }
    place.busy += rates.length;
    for (const [index, rate] of rates.entries()) {
      const hold = { since, isSentRecorded };
      void this.#running
        .run((signal) => this.#workOn(rate, place, admissions[index]!, this.#isWorking ? signal : stopped, hold))
        .finally(() => {
          place.busy--;
          this.wake(adapter.key);
        });
    }
    if (rates.length === MAX_RATES) this.#options.share(adapter.key);
  }

  async #handOut(request: HandOutRequest): Promise<readonly LeasedRate[]> {
    for (let step = 1; ; step++) {
      const rates = await this.#tools.store.handOut({ ...request, isLast: step === MAX_STEPS });
      if (rates !== 'again') return rates;
    }
  }

  /** One admission per free slot. */
  #admit({ carrier, rateLimiter, breaker, busy }: Place): Admission[] {
    const { concurrency, rateLimit } = carrier.limits;
    const cooldownMs = this.#options.cooldowns.remainingMs(carrier.adapter.key);
    const permit = rateLimiter.foresee();
    const waitMs = cooldownMs > 0 ? cooldownMs : permit.granted ? 0 : permit.waitMs;
    const admissions: Admission[] = [];
    if (waitMs > 0) this.#options.wakeIn(waitMs);
    else {
      const count = Math.min(MAX_RATES, concurrency - busy, rateLimit?.calls ?? MAX_RATES);
      while (admissions.length < count) {
        const admission = breaker.admit();
        if (admission.kind !== 'refused') admissions.push(admission);
        else {
          this.#options.wakeIn(admission.waitMs);
          break;
        }
      }
    }
    return admissions;
  }

  /** Resolves when the carrier is free for the next call; the result is written in the background. Never rejects for a carrier's fault. */
  async #workOn(
    claimed: LeasedRate,
    runtime: Place,
    admission: Admission,
    signal: AbortSignal,
    hold: Work['hold'],
  ): Promise<void> {
    const startedAt = performance.now();
    const entry = this.#options.inFlight.start(claimed, signal);
    const calls: Call<unknown>[] = [];
    const work: Work = { claimed, runtime, admission, stop: entry.signal, calls, startedAt, hold };
    try {
      const prepared = await prepareCall(work, this.#tools);
      const decision = 'decision' in prepared ? prepared.decision : await attempt(work, prepared, this.#tools);
      // The slot is free while the decision is written.
      const { listener, wakeIn, wake } = this.#options;
      const { maxPendingMs } = runtime.carrier.limits;
      const settling = { store: this.#tools.store, listener, wakeIn, wake, maxPendingMs };
      const write: Promise<void> = settle(claimed, decision, startedAt, settling)
        .catch((error: unknown) => listener({ type: 'failure', where: 'settle', error }))
        .finally(() => {
          runtime.settling.delete(claimed.rateId);
          this.#writes.delete(write);
        });
      this.#writes.add(write);
      runtime.settling.add(claimed.rateId);
      // An adapter that ignores its signal keeps its slot, for a limited time.
      await within(this.#options.leaseMarginMs, Promise.all(calls.map((call) => call.settled)));
    } finally {
      runtime.breaker.cancel(admission);
      entry.end();
    }
  }
}

function runtimeOf(carrier: CatalogCarrier, { store, listener }: WorkerOptions): CarrierRuntime {
  const { key: carrierKey } = carrier.adapter;
  const { breaker: breakerLimits, rateLimit, quotas } = carrier.limits;
  return {
    carrier,
    breaker: createBreaker(breakerLimits, (isOpen) =>
      listener({ type: isOpen ? 'carrier_given_up' : 'carrier_back', carrierKey }),
    ),
    rateLimiter: withQuotas(createRateLimiter(store, carrierKey, rateLimit), store, carrierKey, quotas),
  };
}
