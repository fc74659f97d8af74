/** How much a finding weighs. */
export type FindingSeverity = 'fault' | 'warning' | 'note';

/** One thing that a review says, in wire names, at a place in the file. */
export interface ReviewFinding {
  readonly code: string;
  /** JSON Pointer into the rule set; of a case that fails, into its cases. */
  readonly path: string;
  readonly message: string;
  readonly severity: FindingSeverity;
  readonly rule_id?: string;
  /** Why it may stand, in the words of the file's author. */
  readonly allowed?: string;
  /** A home that shows it, and whatever else is told. */
  readonly [more: string]: unknown;
}

/** What is found out about a proposed version, and kept with it. */
export interface RuleSetReview {
  readonly cases: { readonly run: number; readonly failures: readonly ReviewFinding[] };
  /** Of the check and the analysis. */
  readonly findings: readonly ReviewFinding[];
  /** Which homes are answered otherwise than by what is in force, and what was edited. */
  readonly changes: readonly ReviewFinding[];
  /** How many findings and changes were left out, where there are too many to keep. */
  readonly omitted: number;
  /** Findings without an explanation, by severity: those that were left out as well. */
  readonly unexplained: { readonly [S in FindingSeverity]: number };
}
