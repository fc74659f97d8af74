/** The handlers that a backend has under way, and how it ends them. */
export interface Running {
  readonly size: number;
  /** Runs a handler with a signal of its own. Never rejects: a job is delivered, and done. */
  run(handler: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** Waits up to `graceMs`, then aborts what is left and gives it a moment to put things in order. */
  drain(graceMs: number): Promise<void>;
}

/** How long a handler may take to come back once its signal is aborted. */
const LAST_MOMENT_MS = 3000;

export function createRunning(): Running {
  const controllers = new Set<AbortController>();
  let whenIdle: (() => void) | undefined;

  const idleWithin = async (timeoutMs: number) => {
    if (controllers.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    whenIdle = resolve;
    const timer = setTimeout(resolve, timeoutMs);
    await promise;
    clearTimeout(timer);
    whenIdle = undefined;
  };
  return {
    get size() {
      return controllers.size;
    },
    async run(handler) {
      const controller = new AbortController();
      controllers.add(controller);
      try {
        await handler(controller.signal);
      } catch {
        // Whoever handles a job reports what went wrong; the store's sweep repeats it.
      } finally {
        controllers.delete(controller);
        if (controllers.size === 0) whenIdle?.();
      }
    },
    async drain(graceMs) {
      await idleWithin(graceMs);
      for (const controller of controllers) controller.abort(new Error('The queue is stopping.'));
      await idleWithin(LAST_MOMENT_MS);
    },
  };
}
