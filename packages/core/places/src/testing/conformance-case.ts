/** One case, for any test runner. */
export interface ConformanceCase {
  readonly name: string;
  /** Rejects with an `AssertionError` if the subject breaks the contract. */
  run(): Promise<void>;
}
