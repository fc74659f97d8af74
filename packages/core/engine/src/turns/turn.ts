import type { Steps } from './steps.ts';

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
const ALONE_MS = 8;

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

/** Waits for its turn where it is not. */
export async function nextTurn(turn: Turn): Promise<void> {
  for (let pause = turn.rest(); pause; pause = turn.rest()) await pause;
}

/** Runs steps to their end, resting where it must. */
export async function runInTurns<T>(steps: Steps<T>, turn: Turn): Promise<T> {
  for (;;) {
    const pause = turn.rest();
    if (pause) {
      await pause;
      continue;
    }
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Work that several wait for: it goes on in the turns of them all, for as long as one of them waits. */
export interface SharedWork<T> {
  finish(turn: Turn): Promise<T>;
  /** Whether it has come to its end, good or bad. */
  readonly isOver: boolean;
}

export function shareWork<T>(steps: Steps<T>): SharedWork<T> {
  let ended: { readonly value: T } | undefined;
  let failed: { readonly error: unknown } | undefined;
  return {
    get isOver() {
      return ended !== undefined || failed !== undefined;
    },
    async finish(turn) {
      for (;;) {
        if (ended) return ended.value;
        if (failed) throw failed.error;
        const pause = turn.rest();
        if (pause) {
          await pause;
          continue;
        }
        try {
          const { done, value } = steps.next();
          if (done) ended = { value };
        } catch (error) {
          failed = { error };
        }
      }
    },
  };
}
