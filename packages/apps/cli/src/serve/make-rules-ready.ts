import type { Catalog } from '@leeward/engine';
import { createTurn, type Turn } from '@leeward/engine/compiled';

export interface MakingReady {
  /** Resolves when done or stopped. */
  readonly ended: Promise<void>;
  stop(): void;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Compiles a catalog for today and tomorrow in short slices, and repeats every hour. A request that needs a missing program compiles it.
 */
export function makeRulesReady(
  catalog: Catalog,
  onError: (error: unknown) => void,
  now: () => Date = () => new Date(),
  slices: Turn = createTurn(),
): MakingReady {
  const stopped = new Error('Stopped.');
  let isStopped = false;
  const turn: Turn = {
    rest() {
      if (isStopped) throw stopped;
      return slices.rest();
    },
  };
  const prepare = async () => {
    try {
      for (const afterMs of [0, DAY_MS]) {
        const date = new Date(now().getTime() + afterMs).toISOString().slice(0, 10);
        await catalog.prepare(date, undefined, turn);
      }
    } catch (error) {
      if (error !== stopped) onError(error);
    }
  };
  const timer = setInterval(() => void prepare(), HOUR_MS);
  timer.unref();
  return {
    ended: prepare(),
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
