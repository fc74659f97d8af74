/** A carrier's share of the queue: so many of its jobs at once, whatever the other carriers do. */
export interface Lane {
  /** The carrier's key. */
  readonly key: string;
  readonly concurrency: number;
  /** No job of the lane runs longer; a backend may give up on one that does. */
  readonly maxRunMs: number;
}

/** What is queued: a nudge to look at one rate. The rate's row in the store decides what is done. */
export interface JobRef {
  /** `<rateId>-<fence>`, and unique: enqueued again while unfinished, it is the same job. */
  readonly key: string;
  readonly lane: string;
}

/** A job that is handed to a worker; the signal is aborted when the worker must stop. */
export interface Delivery extends JobRef {
  /** Aborted when the backend stops and has waited long enough. */
  readonly signal: AbortSignal;
}

/** What a queue promises: to outlive the process, to be shared, to join a transaction, and over what a lane holds. */
export interface QueueCapabilities {
  /** Jobs outlive this process. */
  readonly durable: boolean;
  /** Jobs enqueued by one process are delivered to others. */
  readonly distributed: boolean;
  /** `enqueue` can join a transaction given as `tx`. */
  readonly transactional: boolean;
  /** Whether a lane's concurrency is that of one process or of all together. */
  readonly laneScope: 'process' | 'cluster';
}

/**
 * Wakes workers. It may lose jobs and deliver some twice: the store repairs the one and fences off the other. Retries,
 * deadlines, cancellation, circuit breaking and rate limits are not its business: a job is delivered, and done.
 */
export interface QueueBackend {
  readonly caps: QueueCapabilities;
  /** Delivers jobs of these lanes to `handler` until stopped. Called once. A handler that rejects ends its job all the same. */
  start(lanes: readonly Lane[], handler: (delivery: Delivery) => Promise<void>): Promise<void>;
  /** Adds jobs; idempotent per key while that job is unfinished. Works without `start`, for a process that only asks. */
  enqueue(jobs: readonly JobRef[], options?: { readonly tx?: unknown }): Promise<void>;
  /** Takes jobs back that have not been delivered; others are left alone. */
  discard(jobs: readonly JobRef[]): Promise<void>;
  /** Delivers nothing more, waits up to `graceMs` for handlers, then aborts their signals; resolves when all have ended or been let go. */
  stop(options: { readonly graceMs: number }): Promise<void>;
  /** Resolves when the backend answers; rejects with what is wrong. Where left out, it has nothing that could be out of reach. */
  ping?(): Promise<void>;
}
