/** Something that is given up when its time is over. */
interface Waiting {
  readonly untilMs: number;
  /** Forgotten when it has ended: tables that the set has outgrown hold on to what was in them. */
  expire: (() => void) | undefined;
}

export interface Deadlines {
  readonly timeoutMs: number;
  /** Calls `expire` when the time is over, unless what this gives was called before. */
  begin(expire: () => void): () => void;
}

/**
 * One time for all, so that whoever began first is due first: a single timer watches the oldest, and none runs while
 * nobody waits. It holds no process up.
 */
export function createDeadlines(timeoutMs: number, nowMs: () => number = () => performance.now()): Deadlines {
  const waiting = new Set<Waiting>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watch = (afterMs: number) => {
    timer = setTimeout(expireDue, afterMs);
    timer.unref?.();
  };
  function expireDue(): void {
    timer = undefined;
    // A timer may fire a fraction of a millisecond early.
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
