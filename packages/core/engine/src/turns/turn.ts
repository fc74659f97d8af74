/** Called between two steps of long work, so that other work can run. All turns of a host come from one scheduler. */
export interface Turn {
  /** Undefined to continue, else a promise to wait for before calling again. It rejects if the work was abandoned. */
  rest(): Promise<void> | undefined;
}

/** Maximum time between two yields without a scheduler, in ms, plus one step. */
const ALONE_MS = 4;

/**
 * Creates a time slice for work without a scheduler.
 *
 * @example
 * const turn = createTurn();
 * for (const home of homes) {
 *   await nextTurn(turn);
 *   decide(home);
 * }
 */
export function createTurn(turnMs = ALONE_MS): Turn {
  let end = performance.now() + turnMs;
  return {
    rest() {
      if (performance.now() < end) return undefined;
      return afterOthers().then(() => {
        end = performance.now() + turnMs;
      });
    },
  };
}

/** A time slice that throws the reason of an aborted signal. */
export function abortableTurn(turn: Turn, signal: AbortSignal): Turn {
  return {
    rest() {
      signal.throwIfAborted();
      return turn.rest();
    },
  };
}

function afterOthers(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}

/**
 * Waits until the work may continue.
 *
 * @example await nextTurn(turn);
 */
export async function nextTurn(turn: Turn): Promise<void> {
  for (let pause = turn.rest(); pause; pause = turn.rest()) await pause;
}

/** Undefined if the work may continue: this saves a microtask in a loop. */
export function pauseOf(turn: Turn): Promise<void> | undefined {
  return turn.rest()?.then(() => nextTurn(turn));
}
