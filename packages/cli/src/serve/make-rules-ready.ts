import type { Catalog } from '@leeward/engine';
import type { FairTurns } from '@leeward/http';

export interface MakingReady {
  /** Resolves when it is done, or was stopped. */
  readonly ended: Promise<void>;
  stop(): void;
}

/**
 * Compiles a catalog for today, while requests are answered already: whoever needs what is not there yet waits for it, and
 * helps. In turns of its own, so that nobody waits for all of it.
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
  const today = now().toISOString().slice(0, 10);
  return {
    ended: catalog.prepare(today, undefined, turn).catch((error: unknown) => {
      if (error !== stopped) onTrouble(error);
    }),
    stop() {
      isStopped = true;
    },
  };
}
