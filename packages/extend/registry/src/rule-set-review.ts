/** Severity of a finding, highest first. */
export type FindingSeverity = 'fault' | 'warning' | 'note';

/** One finding of a review, in wire names, at a place in the file. */
export interface ReviewFinding {
  readonly code: string;
  /** JSON Pointer into the rule set; of a case that fails, into its cases. */
  readonly path: string;
  readonly message: string;
  readonly severity: FindingSeverity;
  readonly rule_id?: string;
  /** The author's explanation of why the finding is acceptable. */
  readonly allowed?: string;
  /** An example home, and further details. */
  readonly [more: string]: unknown;
}

type Counted = Readonly<Record<string, number>>;

/** A carrier's answer, as cases expect it. */
export interface CarrierAnswer {
  readonly status: string;
  readonly codes: readonly string[];
  readonly missing_fields: readonly string[];
}

/** Number of homes whose answer differs between a version and what is in force, in wire names. */
export interface HomesCompared {
  /** Homes evaluated for the carrier. */
  readonly homes: number;
  readonly changed: number;
  /** Number of saved homes whose answer by the rules in force differs from the saved answer. */
  readonly changed_since: number;
  readonly by_move: Counted;
  readonly by_code: Counted;
  readonly by_rule: Counted;
  readonly by_state: Counted;
  readonly not_judged: readonly { readonly why: string; readonly homes: number; readonly first: string }[];
}

/** The comparison, with the first changes in detail. */
export interface HomesReplayed extends HomesCompared {
  readonly changes: readonly {
    readonly id: string;
    readonly policy_type: string;
    readonly state: string;
    readonly before: CarrierAnswer;
    readonly after: CarrierAnswer;
    /** The saved answer; null: there is none. */
    readonly answered: CarrierAnswer | null;
    readonly rule_ids: readonly string[];
  }[];
}

/** The review of a proposed version, stored with it. */
export interface RuleSetReview {
  readonly cases: { readonly run: number; readonly failures: readonly ReviewFinding[] };
  /** Findings of the check and the analysis. */
  readonly findings: readonly ReviewFinding[];
  /** Homes whose answers change, and the edits. */
  readonly changes: readonly ReviewFinding[];
  /** Number of findings and changes left out because of the maximum. */
  readonly omitted: number;
  /** Findings without an explanation, by severity: those that were left out as well. */
  readonly unexplained: { readonly [S in FindingSeverity]: number };
  /** Against saved decisions; left out: none were saved. */
  readonly saved?: HomesCompared;
  /** Against the book that was proposed with it. */
  readonly book?: HomesCompared;
}
