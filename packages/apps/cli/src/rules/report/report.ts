import type { LocatedFinding } from '../located-finding.ts';

/** The findings of a command, for people, pull requests and builds. */
export interface Report {
  /** `check`, `analyse`, `diff`, `coverage`. */
  readonly command: string;
  readonly findings: readonly LocatedFinding[];
  /** The files that were looked at, as their user would write them. */
  readonly files: readonly string[];
  /** The result in one sentence. */
  readonly summary: string;
  /** Further lines, such as the time of evaluation or results of a book. */
  readonly details?: readonly string[];
  /** True if a finding fails the run. */
  readonly fails: (finding: LocatedFinding) => boolean;
}
