/** The queue of one carrier. A backend runs at most `concurrency` of its jobs at once, independent of other carriers. */
export interface CarrierQueue {
  /** Key of the carrier. */
  readonly key: string;
  readonly concurrency: number;
  /** Maximum time that a job runs, in ms. A backend may give up a job that takes longer. */
  readonly maxRunMs: number;
}

/** A job: it wakes a worker for one rate. The rate's row in the store decides what the worker does. */
export interface JobRef {
  /** `<rateId>-<fence>`. Unique: enqueuing it again while it is unfinished adds no job. */
  readonly key: string;
  /** Key of the {@link CarrierQueue}. */
  readonly queue: string;
}

/** A job as a worker receives it. */
export interface Delivery extends JobRef {
  /** Aborted when the backend stops and its grace period has passed. */
  readonly signal: AbortSignal;
}

/** Properties of a queue backend. */
export interface QueueCapabilities {
  /** True if jobs outlive this process. */
  readonly durable: boolean;
  /** True if jobs enqueued by one process reach other processes. */
  readonly distributed: boolean;
  /** True if `enqueue` can join a transaction passed as `tx`. */
  readonly transactional: boolean;
  /** Scope of a carrier queue's `concurrency`: each process, or all processes together. */
  readonly concurrencyScope: 'process' | 'cluster';
}

/**
 * Wakes workers. It may lose jobs and deliver some twice: the store finds lost ones again and fences off the second delivery.
 * It delivers each job without retries, deadlines, cancellation, circuit breaking or rate limits.
 */
export interface QueueBackend {
  readonly caps: QueueCapabilities;
  /** Delivers jobs of these queues to `handler` until stopped. Called once. A rejected handler ends its job too. */
  start(queues: readonly CarrierQueue[], handler: (delivery: Delivery) => Promise<void>): Promise<void>;
  /** Adds jobs; idempotent per key while that job is unfinished. Works without `start`, for a process that only enqueues. */
  enqueue(jobs: readonly JobRef[], options?: { readonly tx?: unknown }): Promise<void>;
  /** Removes jobs that have not been delivered. Ignores the others. */
  discard(jobs: readonly JobRef[]): Promise<void>;
  /** Stops delivering, waits up to `graceMs` for handlers, then aborts their signals. Resolves when all handlers have ended or were abandoned. */
  stop(options: { readonly graceMs: number }): Promise<void>;
  /** Resolves if the backend answers; rejects with the reason if not. Omitted by a backend without a server. */
  ping?(): Promise<void>;
}
