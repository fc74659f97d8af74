/** Time between polls of a followed store, in ms. */
export const DEFAULT_POLL_MS = 500;
/** Maximum age of the last poll, in ms, so that a change is in every process within two seconds. */
export const DEFAULT_MAX_AGE_MS = 1_500;

/** A store whose changes raise a number. */
export interface PollingOptions {
  /** True if nothing changed since the last `read`. */
  isCurrent(): Promise<boolean>;
  /** Reads and applies the state. */
  read(): Promise<void>;
  readonly pollMs: number;
  readonly maxAgeMs: number;
  /** Monotonic, in ms. */
  clock(): number;
  onError(error: unknown): void;
}

/** Follows a store: polls until stopped, and never serves a state whose last poll is older than `maxAgeMs`. */
export interface Polling {
  readonly isStopped: boolean;
  /** When the state was last known to be current, by the clock. */
  readonly confirmedAt: number;
  /** The state, or a promise if a poll must come first. Rejects if that fails. */
  whenFresh<State>(state: () => State): State | Promise<State>;
  /** Resolves after the first poll, then polls on. Rejects if the store cannot be read. */
  start(): Promise<void>;
  /** Concurrent calls share one poll. */
  pollOnce(): Promise<void>;
  /** Resolves when no poll is under way. */
  settled(): Promise<void>;
  stop(): void;
}

export function createPolling({ isCurrent, read, pollMs, maxAgeMs, clock, onError }: PollingOptions): Polling {
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let polling: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const pollUntilCurrent = async (): Promise<void> => {
    for (;;) {
      const startedAt = clock();
      if (await isCurrent()) {
        confirmedAt = startedAt;
        return;
      }
      const readAt = clock();
      await read();
      confirmedAt = readAt;
    }
  };
  const pollOnce = (): Promise<void> => {
    polling ??= pollUntilCurrent().finally(() => {
      polling = undefined;
    });
    return polling;
  };
  const schedule = () => {
    timer = setTimeout(() => {
      pollOnce()
        .catch((error: unknown) => {
          if (!isStopped) onError(error);
        })
        .finally(() => {
          if (!isStopped) schedule();
        });
    }, pollMs);
    timer.unref();
  };
  const isFresh = () => clock() - confirmedAt <= maxAgeMs;
  const pollFirst = async <State>(state: () => State): Promise<State> => {
    while (!isFresh()) await pollOnce();
    return state();
  };
  return {
    get isStopped() {
      return isStopped;
    },
    get confirmedAt() {
      return confirmedAt;
    },
    whenFresh: (state) => (isFresh() ? state() : pollFirst(state)),
    async start() {
      await pollOnce();
      schedule();
    },
    pollOnce,
    settled: async () => polling?.catch(() => {}),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
