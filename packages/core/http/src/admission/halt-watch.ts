/** Detects times in which the process did not run: it was halted, or starved by other programs. */
export interface HaltWatch {
  /** Returns the halted time since the last call, in ms. Each halt is reported once. */
  look(nowMs: number): number;
}

export interface HaltClock {
  readonly nowMs: () => number;
  /** Processor time of the thread so far, in ms. */
  readonly workedMs: () => number;
  /** Calls again and again, and keeps no process alive for it. */
  readonly every: (ms: number, tick: () => void) => { stop(): void };
}

/** While there is work it is looked so often whether the process runs. */
const TICK_MS = 100;
/** A pause that is shorter is what every machine has. */
const MIN_HALT_MS = 250;
/** The watch stops after this time without work, in ms. */
const WATCHED_MS = 5_000;

/**
 * A clock that continues during a halt makes waiting work look late. Ticks distinguish the two: a gap between ticks in
 * which the thread computed for less than half the time was a halt. The timer runs only while there is work.
 */
export function createHaltWatch({ nowMs, workedMs, every }: HaltClock): HaltWatch {
  let ticking: { stop(): void } | undefined;
  let seenAtMs = 0;
  let seenWorkedMs = 0;
  let askedAtMs = 0;
  /** Detected by a tick, not yet reported. */
  let untoldMs = 0;

  function see(now: number): void {
    const gapMs = now - seenAtMs - TICK_MS;
    const worked = workedMs();
    if (gapMs >= MIN_HALT_MS && worked - seenWorkedMs < gapMs / 2) untoldMs += gapMs;
    seenAtMs = now;
    seenWorkedMs = worked;
  }

  function tick(): void {
    const now = nowMs();
    see(now);
    if (now - askedAtMs <= WATCHED_MS) return;
    ticking?.stop();
    ticking = undefined;
  }

  return {
    look(now) {
      askedAtMs = now;
      if (ticking === undefined) {
        seenAtMs = now;
        seenWorkedMs = workedMs();
        ticking = every(TICK_MS, tick);
        // A halt found by the last tick belongs to an idle time.
        untoldMs = 0;
        return 0;
      }
      // Sockets are read before timers run, so after a halt a request may arrive before the next tick.
      if (now - seenAtMs >= MIN_HALT_MS + TICK_MS) see(now);
      const halted = untoldMs;
      untoldMs = 0;
      return halted;
    },
  };
}

/** The clocks and timers of Node. */
export function nodeHaltWatch(clocks: Pick<HaltClock, 'nowMs' | 'workedMs'>): HaltWatch {
  return createHaltWatch({
    ...clocks,
    every(ms, tick) {
      const timer = setInterval(tick, ms);
      timer.unref?.();
      return { stop: () => clearInterval(timer) };
    },
  });
}
