import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@leeward/database';
import { type AuditDestination, deliveryReason } from './audit-destination.ts';
import { createStreamStore, type StreamProgress, type StreamStore } from './stream-store.ts';

/*
 * Sends the audit log to destinations: at least once, and each chain in order. Per destination, one process at a time:
 *
 *     standby ── lease free ──▶ streaming ── batch sent, then progress stored ──▶ streaming
 *        ▲                          │
 *        └── failure: pause stored, lease given back; or lease lost
 *
 * Changes are never held up: the stream only reads what they committed. A killed process leaves its lease, which runs out; the next one
 * repeats the batch that was under way.
 */

/** A change in the state of a stream. `destination` is its name. */
export type AuditStreamEvent =
  | { readonly type: 'failed'; readonly destination: string; readonly reason: string; readonly delayMs: number }
  | { readonly type: 'recovered'; readonly destination: string }
  /** The database was unavailable. */
  | { readonly type: 'interrupted'; readonly destination: string; readonly error: unknown };

/** Options of `createAuditStreams`. */
export interface AuditStreamsOptions {
  /** Opened with `accountsMigrations`. */
  readonly database: Database;
  readonly destinations: readonly AuditDestination[];
  /** If omitted, failures are only in `statuses`. */
  readonly listener?: ((event: AuditStreamEvent) => void) | undefined;
  /** Time between looks for new entries, in ms. @default 1_000 */
  readonly pollMs?: number | undefined;
  /** Another process takes over this long after a crash, in ms. @default 30_000 */
  readonly leaseMs?: number | undefined;
  /** Maximum time of a batch; less than half of the lease. @default 10_000 */
  readonly sendTimeoutMs?: number | undefined;
  /** Pause after the first failure; doubled with each further one. @default 1_000 */
  readonly firstPauseMs?: number | undefined;
  /** @default 60_000 */
  readonly maxPauseMs?: number | undefined;
  /** Maximum number of entries of a batch. @default 500 */
  readonly maxBatchEntries?: number | undefined;
}

/** State of a stream, the same in every process. */
export interface AuditStreamStatus extends StreamProgress {
  readonly kind: AuditDestination['kind'];
  readonly name: string;
}

/** The streams of the audit log. */
export interface AuditStreams {
  start(): void;
  /** Entries that this process sent, by name of the destination; repeated ones count again. */
  readonly sent: ReadonlyMap<string, number>;
  statuses(): Promise<readonly AuditStreamStatus[]>;
  /** Waits for batches under way, for at most this long, in ms. */
  stop(graceMs?: number): Promise<void>;
}

type Setting = Exclude<keyof AuditStreamsOptions, 'database' | 'destinations' | 'listener'>;
type Settings = { readonly [Key in Setting]: number };

const MAX_BATCH_BYTES = 1_048_576;

/**
 * Streams the audit log to destinations, from its beginning and then as it grows.
 *
 * @example
 * createAuditStreams({ database, destinations: [createFileDestination('/var/log/audit.ndjson')] }).start();
 */
export function createAuditStreams(options: AuditStreamsOptions): AuditStreams {
  const { database, destinations, listener = () => {} } = options;
  const settings: Settings = {
    pollMs: options.pollMs ?? 1_000,
    leaseMs: options.leaseMs ?? 30_000,
    sendTimeoutMs: options.sendTimeoutMs ?? 10_000,
    firstPauseMs: options.firstPauseMs ?? 1_000,
    maxPauseMs: options.maxPauseMs ?? 60_000,
    maxBatchEntries: options.maxBatchEntries ?? 500,
  };
  const store = createStreamStore(database);
  const sent = new Map(destinations.map(({ name }) => [name, 0]));
  const [stopping, ending] = [new AbortController(), new AbortController()];
  const count = (name: string, entries: number) => sent.set(name, (sent.get(name) ?? 0) + entries);
  const streams = destinations.map(
    (destination) =>
      new Stream({ destination, store, database, settings, listener, count, stopping, ending: ending.signal }),
  );
  let running: Promise<unknown> = Promise.resolve();
  return {
    start() {
      running = Promise.all(streams.map((stream) => stream.run()));
    },
    sent,
    statuses: () =>
      Promise.all(destinations.map(async ({ id, kind, name }) => ({ kind, name, ...(await store.progress(id)) }))),
    async stop(graceMs = 2_000) {
      stopping.abort();
      const timer = setTimeout(() => ending.abort(), graceMs);
      await running;
      clearTimeout(timer);
      await Promise.all(destinations.map((destination) => destination.close?.()));
    },
  };
}

interface StreamParts {
  readonly destination: AuditDestination;
  readonly store: StreamStore;
  readonly database: Database;
  readonly settings: Settings;
  readonly listener: (event: AuditStreamEvent) => void;
  readonly count: (name: string, entries: number) => void;
  readonly stopping: AbortController;
  readonly ending: AbortSignal;
}

class Stream {
  readonly #parts: StreamParts;
  readonly #owner = randomUUID();
  /** By the process's monotonic clock. */
  #renewAt = Number.NEGATIVE_INFINITY;
  #attempts = 0;
  #lastChain = '';
  /** Number of commits at which nothing waited. */
  #idleAt: number | undefined;

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  /** Resolves when the streams are stopped. */
  async run(): Promise<void> {
    const { destination, store, settings, listener, stopping } = this.#parts;
    const { signal } = stopping;
    while (!signal.aborted) {
      let pauseMs: number;
      try {
        pauseMs = await this.#step();
      } catch (error) {
        this.#renewAt = Number.NEGATIVE_INFINITY;
        listener({ type: 'interrupted', destination: destination.name, error });
        pauseMs = settings.firstPauseMs;
      }
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
    await store.release(destination.id, this.#owner).catch(() => {});
  }

  /** @returns the time until the next step, in ms */
  async #step(): Promise<number> {
    const { destination, store, database, settings } = this.#parts;
    const { pollMs, leaseMs, maxBatchEntries: maxEntries } = settings;
    if (performance.now() >= this.#renewAt) {
      const acquiredAt = performance.now();
      const acquired = await store.acquire(destination.id, this.#owner, leaseMs);
      if ('waitMs' in acquired) return Math.min(acquired.waitMs, Math.max(pollMs, leaseMs / 4));
      this.#attempts = acquired.attempts;
      this.#renewAt = acquiredAt + leaseMs / 2;
    }
    const commits = database.commits();
    if (commits !== undefined && commits === this.#idleAt) return pollMs;
    const maxBytes = destination.maxBatchBytes ?? MAX_BATCH_BYTES;
    const batch = await store.readBatch(destination.id, { afterChain: this.#lastChain, maxEntries, maxBytes });
    if (batch === undefined) {
      this.#idleAt = commits;
      return pollMs;
    }
    try {
      const timeout = AbortSignal.timeout(settings.sendTimeoutMs);
      await destination.send(batch.lines, AbortSignal.any([timeout, this.#parts.ending]));
    } catch (error) {
      return this.#fail(error);
    }
    this.#parts.count(destination.name, batch.lines.length);
    if (!(await store.advance(destination.id, this.#owner, batch.ends))) {
      this.#renewAt = Number.NEGATIVE_INFINITY;
      return 0;
    }
    if (this.#attempts > 0) this.#parts.listener({ type: 'recovered', destination: destination.name });
    this.#attempts = 0;
    this.#lastChain = batch.lastChain;
    return 0;
  }

  async #fail(error: unknown): Promise<number> {
    const { destination, store, settings, listener, ending } = this.#parts;
    this.#renewAt = Number.NEGATIVE_INFINITY;
    if (ending.aborted) return 0;
    const { retryAfterMs = 0 } = error as { readonly retryAfterMs?: number };
    const bound = Math.min(settings.maxPauseMs, settings.firstPauseMs * 2 ** Math.min(30, this.#attempts));
    const delayMs = Math.max(retryAfterMs, bound * (0.75 + Math.random() / 4));
    this.#attempts++;
    const reason = deliveryReason(error);
    listener({ type: 'failed', destination: destination.name, reason, delayMs });
    await store.fail(destination.id, this.#owner, { reason, delayMs });
    return delayMs;
  }
}
