/** One case, for any test runner. */
export interface ConformanceCase {
  readonly name: string;
  /** Rejects with an `AssertionError`. */
  run(): Promise<void>;
}
