import type { CatalogCarrier } from '../catalog/carrier-catalog.ts';
import type { Documents } from '../documents/documents.ts';
import type { CarrierCooldowns } from '../orchestrator/carrier-cooldowns.ts';
import type { ClosureWatch } from '../orchestrator/closure-watch.ts';
import type { EventFeed } from '../orchestrator/event-feed.ts';
import type { Heartbeat } from '../orchestrator/heartbeat.ts';
import type { HomeWatch } from '../orchestrator/home-watch.ts';
import type { Housekeeper } from '../orchestrator/housekeeper.ts';
import type { InFlight } from '../orchestrator/in-flight.ts';
import type { Worker } from '../orchestrator/worker.ts';
import type { QueueBackend } from '../ports/queue-backend.ts';
import type { WebhookSender } from '../webhooks/webhook-sender.ts';

/*
 * Life of a quoting service: created → started (with or without work) → stopped. A failed start returns to created.
 *
 *     start   cooldowns → heartbeat → queue → sweeps → closures and watched homes
 *     stop    closures and watched homes → sweeps → events and webhooks → queue → calls (grace period) and their writes → heartbeat
 */

export interface LifecycleOptions {
  readonly queue: QueueBackend | undefined;
  readonly carriers: readonly CatalogCarrier[];
  readonly cooldowns: CarrierCooldowns;
  readonly worker: Worker;
  readonly housekeeper: Housekeeper;
  readonly heartbeat: Heartbeat;
  readonly closures: ClosureWatch | undefined;
  readonly homes: HomeWatch | undefined;
  readonly feed: EventFeed;
  readonly sender: WebhookSender;
  readonly post: { close(): void };
  readonly documents: Documents;
  readonly inFlight: InFlight;
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
    this.#parts.homes?.start();
  }

  async stop(graceMs: number): Promise<void> {
    const { queue, worker, housekeeper, heartbeat, feed, sender, post, documents } = this.#parts;
    const { inFlight, abandon, state } = this.#parts;
    await Promise.all([this.#parts.closures?.stop(), this.#parts.homes?.stop()]);
    await housekeeper.stop();
    await feed.stop();
    await sender.stop();
    post.close();
    documents.close();
    state.isWorking = false;
    // Calls may wait for the store: give it up after the grace period.
    const timer = setTimeout(() => abandon.abort(), graceMs);
    await Promise.all([queue?.stop({ graceMs }), worker.stop(graceMs)]);
    clearTimeout(timer);
    inFlight.stop();
    abandon.abort();
    await heartbeat.stop();
  }

  async #startWork(): Promise<void> {
    const { queue, carriers, cooldowns, worker, heartbeat, state } = this.#parts;
    const carrierQueues = carriers.map(({ adapter, limits }) => ({
      key: adapter.key,
      concurrency: limits.concurrency,
      maxRunMs: MAX_WAKE_MS,
    }));
    // The first hand-out may follow at once: load paused carriers first.
    await cooldowns.refresh();
    await heartbeat.start();
    await queue?.start(carrierQueues, async ({ queue: carrierKey }) => worker.wake(carrierKey));
    worker.start();
    state.isWorking = true;
  }
}

const MAX_WAKE_MS = 60_000;
