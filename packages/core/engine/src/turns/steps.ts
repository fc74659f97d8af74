/**
 * Work that pauses between its steps, none of which takes long: run to its end at once, or in turns between
 * which others have their turn.
 */
export type Steps<T> = Generator<void, T>;

/** Runs all steps at once. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
