import { randomUUID } from 'node:crypto';
import type { CatalogCarrier } from '../catalog/carrier-catalog.ts';
import type { Delivery, JobRef } from '../ports/queue-backend.ts';
import { within } from '../queues/within.ts';
import type { ClaimedRate } from '../store/claim.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import { attempt } from './attempt.ts';
import { type Admission, createBreaker } from './breaker.ts';
import type { Call } from './call-carrier.ts';
import type { CarrierCooldowns } from './carrier-cooldowns.ts';
import { createGroupedStore, type GroupedStoreOptions } from './grouped-store.ts';
import type { InFlight } from './in-flight.ts';
import { prepareCall } from './prepare-call.ts';
import { createRateLimiter, withQuotas } from './rate-limiter.ts';
import { settle } from './settle.ts';
import { type CarrierRuntime, createSlots, type Slots, type Work, type WorkTools } from './work.ts';

/*
 * Path of one job:
 *
 *     delivered → admitted (cooldown, rate limit, breaker) → claimed → prepared → slot → attempt → settled
 *
 * A job that is not admitted is postponed in the store. Only a claim gives the right to work on a rate; everything written
 * later carries the claim's fence.
 */

export interface WorkerOptions extends GroupedStoreOptions {
  readonly store: SqlQuoteStore;
  readonly carriers: readonly CatalogCarrier[];
  readonly cooldowns: CarrierCooldowns;
  readonly inFlight: InFlight;
  readonly random: () => number;
  readonly leaseMarginMs: number;
  readonly limitsConcurrency: boolean;
  /** Requests a sweep. */
  readonly wakeIn: (delayMs: number) => void;
  readonly wake: (quoteIds: readonly string[]) => void;
}

export class Worker {
  readonly #options: WorkerOptions;
  readonly #tools: WorkTools;
  readonly #runtimes: ReadonlyMap<string, CarrierRuntime>;
  readonly #writes = new Set<Promise<void>>();

  constructor(options: WorkerOptions) {
    const { listener, cooldowns, random, leaseMarginMs } = options;
    this.#options = options;
    const readOtherRates = (rateId: string) => options.store.readOtherRates(rateId);
    this.#tools = { store: createGroupedStore(options), listener, cooldowns, random, leaseMarginMs, readOtherRates };
    this.#runtimes = new Map(options.carriers.map((carrier) => [carrier.adapter.key, runtimeOf(carrier, options)]));
  }

  /** Resolves when the carrier is free for the next call; the result is written in the background. Never rejects for a carrier's fault. */
  async deliver(delivery: Delivery): Promise<void> {
    const runtime = this.#runtimes.get(delivery.queue);
    if (runtime === undefined || delivery.signal.aborted) return;
    const admission = await this.#admit(delivery, runtime);
    if (admission === undefined) return;
    const { adapter, limits } = runtime.carrier;
    // A call that directly follows its claim is recorded by the claim.
    const isSentRecorded =
      !this.#options.limitsConcurrency &&
      !adapter.idempotent &&
      adapter.prepare === undefined &&
      limits.rateLimit === undefined &&
      limits.quotas.length === 0;
    const leaseMs = limits.deadlineMs + this.#options.leaseMarginMs;
    const since = performance.now();
    let claimed: ClaimedRate | undefined;
    try {
      const { key, queue } = delivery;
      claimed = await this.#tools.store.claim({ key, queue, token: randomUUID(), leaseMs, sent: isSentRecorded });
    } catch (error) {
      runtime.breaker.cancel(admission);
      throw error;
    }
    if (claimed === undefined) return runtime.breaker.cancel(admission);
    await this.#workOn(claimed, runtime, admission, delivery.signal, { since, isSentRecorded });
  }

  isBreakerOpen(carrierKey: string): boolean {
    return this.#runtimes.get(carrierKey)?.breaker.isOpen() === true;
  }

  async idle(): Promise<void> {
    while (this.#writes.size > 0) await Promise.all(this.#writes);
  }

  async #admit(delivery: Delivery, { carrier, rateLimiter, breaker }: CarrierRuntime): Promise<Admission | undefined> {
    const cooldownMs = this.#options.cooldowns.remainingMs(carrier.adapter.key);
    if (cooldownMs > 0) {
      await this.#tools.store.postpone(delivery, 0);
      this.#options.wakeIn(cooldownMs);
      return undefined;
    }
    const permit = rateLimiter.foresee();
    const admission = permit.granted ? breaker.admit() : undefined;
    if (!permit.granted) await this.#postpone(delivery, permit.waitMs);
    else if (admission?.kind === 'refused') await this.#postpone(delivery, admission.waitMs);
    return admission?.kind === 'refused' ? undefined : admission;
  }

  async #postpone(job: JobRef, waitMs: number): Promise<void> {
    // Jitter keeps jobs from returning together.
    const delayMs = waitMs * (1 + this.#options.random() * 0.1);
    await this.#tools.store.postpone(job, delayMs);
    this.#options.wakeIn(delayMs);
  }

  async #workOn(
    claimed: ClaimedRate,
    runtime: CarrierRuntime,
    admission: Admission,
    signal: AbortSignal,
    hold: Work['hold'],
  ): Promise<void> {
    const startedAt = performance.now();
    const entry = this.#options.inFlight.start(claimed, signal);
    const calls: Call<unknown>[] = [];
    const work: Work = { claimed, runtime, admission, stop: entry.signal, calls, startedAt, hold };
    let slots: Slots | undefined;
    try {
      // Needs no slot of the carrier.
      const prepared = await prepareCall(work, this.#tools);
      let decision = 'decision' in prepared ? prepared.decision : undefined;
      if (!('decision' in prepared)) {
        await runtime.slots.take();
        slots = runtime.slots;
        decision = await attempt(work, prepared, this.#tools);
      }
      // The slot is free while the decision is written.
      const { listener, wakeIn, wake } = this.#options;
      const { maxPendingMs } = runtime.carrier.limits;
      const settling = { store: this.#tools.store, listener, wakeIn, wake, maxPendingMs };
      const write: Promise<void> = settle(claimed, decision!, startedAt, settling)
        .catch((error: unknown) => listener({ type: 'failure', where: 'settle', error }))
        .finally(() => this.#writes.delete(write));
      this.#writes.add(write);
      // An adapter that ignores its signal keeps its slot, for a limited time.
      await within(this.#options.leaseMarginMs, Promise.all(calls.map((call) => call.settled)));
    } finally {
      slots?.release();
      runtime.breaker.cancel(admission);
      entry.end();
    }
  }
}

function runtimeOf(carrier: CatalogCarrier, { store, listener, limitsConcurrency }: WorkerOptions): CarrierRuntime {
  const { key: carrierKey } = carrier.adapter;
  const { breaker: breakerLimits, concurrency, rateLimit, quotas } = carrier.limits;
  return {
    carrier,
    breaker: createBreaker(breakerLimits, (isOpen) =>
      listener({ type: isOpen ? 'carrier_given_up' : 'carrier_back', carrierKey }),
    ),
    rateLimiter: withQuotas(createRateLimiter(store, carrierKey, rateLimit), store, carrierKey, quotas),
    slots: createSlots(limitsConcurrency ? concurrency : Number.POSITIVE_INFINITY),
  };
}
