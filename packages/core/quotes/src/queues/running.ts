export interface Running {
  readonly size: number;
  /** Never rejects: a failed job counts as delivered. */
  run(handler: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** Waits up to `graceMs`, aborts the remaining handlers and waits up to {@link ABORT_GRACE_MS}. */
  drain(graceMs: number): Promise<void>;
}

const ABORT_GRACE_MS = 3000;

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
        // Handlers report their errors; a sweep repeats the work.
      } finally {
        controllers.delete(controller);
        if (controllers.size === 0) whenIdle?.();
      }
    },
    async drain(graceMs) {
      await idleWithin(graceMs);
      for (const controller of controllers) controller.abort(new Error('The queue is stopping.'));
      await idleWithin(ABORT_GRACE_MS);
    },
  };
}
