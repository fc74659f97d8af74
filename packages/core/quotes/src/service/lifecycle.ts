import type { CatalogCarrier } from '../catalog/carrier-catalog.ts';
import type { Documents } from '../documents/documents.ts';
import type { CarrierCooldowns } from '../orchestrator/carrier-cooldowns.ts';
import type { ClosureWatch } from '../orchestrator/closure-watch.ts';
import type { Dispatcher } from '../orchestrator/dispatcher.ts';
import type { EventFeed } from '../orchestrator/event-feed.ts';
import type { Heartbeat } from '../orchestrator/heartbeat.ts';
import type { Housekeeper } from '../orchestrator/housekeeper.ts';
import type { InFlight } from '../orchestrator/in-flight.ts';
import type { QuoteListener } from '../orchestrator/quote-event.ts';
import type { Worker } from '../orchestrator/worker.ts';
import type { CarrierLimits } from '../ports/carrier-adapter.ts';
import type { QueueBackend } from '../ports/queue-backend.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import type { WebhookSender } from '../webhooks/webhook-sender.ts';

/*
 * Life of a quoting service: created → started (with or without work) → stopped. A failed start returns to created.
 *
 *     start   cooldowns → heartbeat → queue → sweeps → closures
 *     stop    closures → sweeps → events and webhooks → queue (grace period) → writes of the worker → undelivered jobs → heartbeat
 */

export interface LifecycleOptions {
  readonly store: Pick<SqlQuoteStore, 'postpone'>;
  readonly queue: QueueBackend;
  readonly carriers: readonly CatalogCarrier[];
  readonly cooldowns: CarrierCooldowns;
  readonly dispatcher: Dispatcher;
  readonly worker: Worker;
  readonly housekeeper: Housekeeper;
  readonly heartbeat: Heartbeat;
  readonly closures: ClosureWatch | undefined;
  readonly feed: EventFeed;
  readonly sender: WebhookSender;
  readonly post: { close(): void };
  readonly documents: Documents;
  readonly inFlight: InFlight;
  readonly listener: QuoteListener;
  readonly leaseMarginMs: number;
  readonly limitsConcurrency: boolean;
  readonly abandon: AbortController;
  readonly state: { isStarted: boolean; isWorking: boolean };
}

export class Lifecycle {
  readonly #parts: LifecycleOptions;

  constructor(parts: LifecycleOptions) {
    this.#parts = parts;
  }

  async start(work: boolean): Promise<void> {
    const { state, heartbeat, housekeeper } = this.#parts;
    if (state.isStarted) throw new Error('Quoting was already started.');
    state.isStarted = true;
    try {
      if (work) await this.#startWork();
    } catch (error) {
      state.isStarted = false;
      await heartbeat.stop();
      throw error;
    }
    housekeeper.start();
    this.#parts.closures?.start();
  }

  async stop(graceMs: number): Promise<void> {
    const { store, queue, dispatcher, worker, housekeeper, heartbeat, feed, sender, post, documents } = this.#parts;
    const { inFlight, listener, abandon, state } = this.#parts;
    await this.#parts.closures?.stop();
    await housekeeper.stop();
    await feed.stop();
    await sender.stop();
    post.close();
    documents.close();
    state.isWorking = false;
    // Handlers may wait for the store: give it up after the grace period.
    const timer = setTimeout(() => abandon.abort(), graceMs);
    await queue.stop({ graceMs });
    await worker.idle();
    clearTimeout(timer);
    inFlight.stop();
    abandon.abort();
    const undelivered = dispatcher.takeUndelivered();
    if (undelivered.length > 0) {
      await store
        .postpone(undelivered, 0)
        .catch((error: unknown) => listener({ type: 'failure', where: 'put_off', error }));
    }
    await heartbeat.stop();
  }

  async #startWork(): Promise<void> {
    const { queue, carriers, cooldowns, dispatcher, worker, heartbeat, leaseMarginMs, limitsConcurrency, state } =
      this.#parts;
    const carrierQueues = carriers.map(({ adapter, limits }) => ({
      key: adapter.key,
      concurrency: limits.concurrency + (limitsConcurrency ? claimsAhead(limits) : 0),
      maxRunMs: limits.deadlineMs + 2 * leaseMarginMs,
    }));
    // A durable queue delivers old jobs at once: load paused carriers first.
    await cooldowns.refresh();
    await heartbeat.start();
    await queue.start(carrierQueues, (delivery) => {
      dispatcher.delivered(delivery);
      return worker.deliver(delivery);
    });
    state.isWorking = true;
  }
}

/**
 * Rates claimed while all slots are busy, so that the next call waits for no claim. Few, because a killed process loses them for a
 * lease; none with a rate limit, because a permit expires.
 */
function claimsAhead({ concurrency, rateLimit }: CarrierLimits): number {
  if (rateLimit !== undefined) return 0;
  return concurrency > 16 ? concurrency : Math.ceil(concurrency / 4);
}
