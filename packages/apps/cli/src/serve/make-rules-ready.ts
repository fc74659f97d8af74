import type { Catalog } from '@leeward/engine';
import type { FairTurns } from '@leeward/http';

export interface MakingReady {
  /** Resolves when it is done, or was stopped. */
  readonly ended: Promise<void>;
  stop(): void;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Compiles a catalog for today and tomorrow, while requests are answered already: whoever needs what is not there yet waits
 * for it, and helps. In turns of its own, so that nobody waits for all of it. Looked at every hour: on New Year's Eve, and
 * before another version comes into force, the rules of the next day are there before anybody asks.
 */
export function makeRulesReady(
  catalog: Catalog,
  turns: FairTurns,
  onTrouble: (error: unknown) => void,
  now: () => Date = () => new Date(),
): MakingReady {
  const stopped = new Error('Stopped.');
  let isStopped = false;
  const turn = turns.pieceOf('rules of all', () => (isStopped ? stopped : undefined));
  const prepare = async () => {
    try {
      for (const afterMs of [0, DAY_MS]) {
        const date = new Date(now().getTime() + afterMs).toISOString().slice(0, 10);
        await catalog.prepare(date, undefined, turn);
      }
    } catch (error) {
      if (error !== stopped) onTrouble(error);
    } finally {
      turn.end();
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
