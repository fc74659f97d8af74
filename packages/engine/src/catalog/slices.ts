import type { Steps } from '../compiled/steps.ts';

/** Milliseconds that work in slices holds the event loop for, at most by a step. */
export const DEFAULT_TURN_MS = 8;

/** Lets everything else that waits have its turn. */
export type Pause = () => Promise<void>;

/** The host's own: after the callbacks of input and output; a timer where there is no such thing. */
export const pauseForOthers: Pause = () =>
  new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });

/** Runs steps to their end, in turns of about so long. */
export async function runInSlices<T>(steps: Steps<T>, turnMs = DEFAULT_TURN_MS): Promise<T> {
  let end = performance.now() + turnMs;
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() < end) continue;
    await pauseForOthers();
    end = performance.now() + turnMs;
  }
}

/** Pauses when a turn has lasted long enough; asked between things that each take little. */
export function createTurns(turnMs = DEFAULT_TURN_MS): { rest(): Promise<void> | undefined } {
  let end = performance.now() + turnMs;
  return {
    rest() {
      if (performance.now() < end) return undefined;
      return pauseForOthers().then(() => {
        end = performance.now() + turnMs;
      });
    },
  };
}
