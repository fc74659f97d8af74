interface Waiting {
  readonly untilMs: number;
  /** A grown set keeps references in old tables. */
  expire: (() => void) | undefined;
}

/** One timeout for many requests. */
export interface Deadlines {
  readonly timeoutMs: number;
  /** Calls `expire` after the timeout, unless cancelled by the result. */
  begin(expire: () => void): () => void;
}

/** One timer is enough, since all timeouts are equal. Does not keep the process alive. */
export function createDeadlines(timeoutMs: number, nowMs: () => number = () => performance.now()): Deadlines {
  const waiting = new Set<Waiting>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watch = (afterMs: number) => {
    timer = setTimeout(expireDue, afterMs);
    timer.unref?.();
  };
  function expireDue(): void {
    timer = undefined;
    // A timer may fire slightly early.
    const now = nowMs() + 1;
    for (const each of waiting) {
      if (each.untilMs > now) {
        watch(each.untilMs - now + 1);
        return;
      }
      waiting.delete(each);
      each.expire?.();
    }
  }
  return {
    timeoutMs,
    begin(expire) {
      const each: Waiting = { untilMs: nowMs() + timeoutMs, expire };
      waiting.add(each);
      if (timer === undefined) watch(timeoutMs);
      return () => {
        waiting.delete(each);
        each.expire = undefined;
      };
    },
  };
}
