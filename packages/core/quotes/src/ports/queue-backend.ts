/** The queue of one carrier: each process runs at most `concurrency` jobs at once, independent of other carriers. */
export interface CarrierQueue {
  readonly key: string;
  readonly concurrency: number;
  /** A job that takes longer may be given up. */
  readonly maxRunMs: number;
}

/** Wakes a worker: the carrier has work. The store decides which. */
export interface JobRef {
  /** Within its queue; enqueuing it again while unfinished adds no job. */
  readonly key: string;
  readonly queue: string;
}

/** A job as a worker receives it. */
export interface Delivery extends JobRef {
  /** Aborted after the grace period of a stop. */
  readonly signal: AbortSignal;
}

/** Properties of a queue backend. */
export interface QueueCapabilities {
  /** Jobs outlive this process. */
  readonly durable: boolean;
  /** Jobs reach other processes. */
  readonly distributed: boolean;
}

/**
 * Wakes workers. It may lose jobs and repeat them: workers poll too, and only the store hands out rates. No retries, deadlines,
 * cancellation, circuit breaking or rate limits.
 */
export interface QueueBackend {
  readonly caps: QueueCapabilities;
  /** Delivers jobs to `handler` until stopped. Called once. A rejected handler ends its job too. */
  start(queues: readonly CarrierQueue[], handler: (delivery: Delivery) => Promise<void>): Promise<void>;
  /** Idempotent per key while that job is unfinished. Works without `start`. */
  enqueue(jobs: readonly JobRef[]): Promise<void>;
  /** Waits up to `graceMs` for handlers, then aborts their signals. Resolves when all have ended or were abandoned. */
  stop(options: { readonly graceMs: number }): Promise<void>;
  /** Rejects with the reason if the backend does not answer. Omitted without a server. */
  ping?(): Promise<void>;
}
