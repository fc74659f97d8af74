/**
 * Work that may still be done, in terms of rules that are looked at. It is counted and not timed, so that one file ends at the same
 * place on every machine.
 */
export interface Work {
  left: number;
}

/** There is no work left. */
class WorkSpentError extends Error {
  override readonly name = 'WorkSpentError';
}

/** Takes some of the work; throws if none is left. Undefined: there is any amount of it. */
export function spend(work: Work | undefined, amount: number): void {
  if (work === undefined) return;
  if (work.left <= 0) throw new WorkSpentError('There is no work left.');
  work.left -= amount;
}

/** False if the work was spent before the steps were done. */
export function isDoneWithin(steps: () => void): boolean {
  try {
    steps();
    return true;
  } catch (error) {
    if (error instanceof WorkSpentError) return false;
    throw error;
  }
}
