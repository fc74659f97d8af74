/** One case of a suite. It belongs to no test runner: give `name` and `run` to yours. */
export interface ConformanceCase {
  readonly name: string;
  /** Rejects with an `AssertionError` where the subject does not hold to the contract. */
  run(): Promise<void>;
}
