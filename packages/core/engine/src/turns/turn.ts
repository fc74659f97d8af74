/**
 * Asked between two steps of work that takes a while, so that others have their turn. A host that serves many gives one
 * for each piece of work, all of one scheduler.
 */
export interface Turn {
  /**
   * Undefined: go on. Else a promise of when to ask again; it rejects where nobody waits for the work any longer, and the
   * work ends there.
   */
  rest(): Promise<void> | undefined;
}

/** Milliseconds that work without a scheduler holds the event loop for, at most by a step. */
const ALONE_MS = 4;

/** Turns of work that shares the event loop with nothing but input and output. */
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

/** A turn that throws the reason of a signal once it is aborted. */
export function abortableTurn(turn: Turn, signal: AbortSignal): Turn {
  return {
    rest() {
      signal.throwIfAborted();
      return turn.rest();
    },
  };
}

/** After the callbacks of input and output; by a timer where there is no such thing. */
function afterOthers(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}

/** Waits until the turn comes. */
export async function nextTurn(turn: Turn): Promise<void> {
  for (let pause = turn.rest(); pause; pause = turn.rest()) await pause;
}

/** Like `nextTurn`, but undefined if there is nothing to wait for: a loop then saves a microtask. */
export function pauseOf(turn: Turn): Promise<void> | undefined {
  return turn.rest()?.then(() => nextTurn(turn));
}
