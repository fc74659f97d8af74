/** Says when the process was not scheduled: halted, or starved by what else runs on the machine. */
export interface HaltWatch {
  /** How long it was halted since it was last looked, where that is told for the first time; else 0. */
  look(nowMs: number): number;
}

export interface HaltClock {
  readonly nowMs: () => number;
  /** What the thread has computed so far. */
  readonly workedMs: () => number;
  /** Calls again and again, and keeps no process alive for it. */
  readonly every: (ms: number, tick: () => void) => { stop(): void };
}

/** While there is work it is looked so often whether the process runs. */
const TICK_MS = 100;
/** A pause that is shorter is what every machine has. */
const MIN_HALT_MS = 250;
/** After so long without work nobody looks any longer. */
const WATCHED_MS = 5_000;

/**
 * A clock that goes on while the process does not says that what waited has waited long, and that nothing was done for it. A
 * tick tells the two apart: a gap in which there was none, and in which the thread has computed less than half the time,
 * was no work of anybody's. Where nothing is asked for, no timer runs.
 */
export function createHaltWatch({ nowMs, workedMs, every }: HaltClock): HaltWatch {
  let ticking: { stop(): void } | undefined;
  let seenAtMs = 0;
  let seenWorkedMs = 0;
  let askedAtMs = 0;
  /** Found by a tick, and not told yet. */
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
        // What a tick found as it ended was of a time in which nobody waited.
        untoldMs = 0;
        return 0;
      }
      // What came over a connection is read before timers are: whoever woke has had no tick yet.
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
