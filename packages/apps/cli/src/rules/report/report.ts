import type { LocatedFinding } from '../located-finding.ts';

/** What a command found, for whoever reads it: a person, a pull request, a build. */
export interface Report {
  /** `check`, `analyse`, `diff`, `coverage`. */
  readonly command: string;
  readonly findings: readonly LocatedFinding[];
  /** The files that were looked at, as their user would write them. */
  readonly files: readonly string[];
  /** What came out, in a sentence. */
  readonly summary: string;
  /** What else there is to say, a line each: when it was asked, what a book says. */
  readonly details?: readonly string[];
  /** Whether a finding fails the run. */
  readonly fails: (finding: LocatedFinding) => boolean;
}
