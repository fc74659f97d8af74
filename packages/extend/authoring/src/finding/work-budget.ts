/** Remaining work, in terms of rules. Counted work, unlike time, stops at the same place on every machine. */
export interface Work {
  left: number;
}

class WorkSpentError extends Error {
  override readonly name = 'WorkSpentError';
}

/** Charges work; an undefined budget is unlimited. @throws {WorkSpentError} If no work was left. */
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
