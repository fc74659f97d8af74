import type { EventLoop } from './event-loop.ts';

/** The slice of each turn of the event loop in which scheduled work may run, and a meter of that work. */
export interface LoopSlice {
  /** Number of the slice; it changes with each turn of the event loop that has scheduled work. */
  readonly number: number;
  /** Returns true if the current slice has time left. Begins a slice if none is current. */
  hasTime(now: number): boolean;
  /** True if the slice `number` is not over, even if it is used up. */
  isCurrent(number: number): boolean;
  /** Skips the next slice, so that the event loop reads input. A few in a row at most. */
  skipNext(): void;
  /** Starts the meter, unless it started at this very time. */
  startMeter(now: number): void;
  /** Reads the work since the meter started, in ms, and starts it again; undefined if the slice `number` is over. */
  readMeter(number: number, now: number): number | undefined;
  /** True if it is time to read the meter: reading it costs more than reading a clock. */
  isMeterDue(now: number): boolean;
}

/** Skipped slices in a row. */
const MAX_SKIPPED = 16;
/** Work that may go unmetered while a tenant goes on, in ms. */
const UNMETERED_MS = 0.25;

export function createLoopSlice(
  sliceMs: number,
  { afterTurn, nowMs, workedMs = nowMs }: Pick<EventLoop, 'afterTurn' | 'nowMs' | 'workedMs'>,
): LoopSlice {
  let number = 0;
  /** Undefined between two iterations of the event loop; minus infinity if the slice is skipped. */
  let beganMs: number | undefined;
  let meteredMs = 0;
  let meteredAtMs = 0;
  let mustSkip = false;
  let skipped = 0;
  const restartMeter = (now: number): void => {
    meteredMs = workedMs();
    meteredAtMs = now;
  };
  return {
    get number() {
      return number;
    },
    hasTime(now) {
      if (beganMs === undefined) {
        const isSkipped = mustSkip && skipped < MAX_SKIPPED;
        mustSkip = false;
        skipped = isSkipped ? skipped + 1 : 0;
        beganMs = isSkipped ? Number.NEGATIVE_INFINITY : now;
        number++;
        restartMeter(now);
        afterTurn(() => {
          beganMs = undefined;
        });
      }
      return now - beganMs < sliceMs;
    },
    isCurrent: (ofSlice) => ofSlice === number && beganMs !== undefined,
    skipNext() {
      mustSkip = true;
    },
    startMeter(now) {
      if (meteredAtMs !== now) restartMeter(now);
    },
    readMeter(ofSlice, now) {
      if (ofSlice !== number || beganMs === undefined) return undefined;
      const before = meteredMs;
      restartMeter(now);
      return Math.max(0, meteredMs - before);
    },
    isMeterDue: (now) => now - meteredAtMs >= UNMETERED_MS || now - beganMs! >= sliceMs,
  };
}
