/** Highest first. */
export type FindingSeverity = 'fault' | 'warning' | 'note';

/** A finding of a review, in wire names. */
export interface ReviewFinding {
  readonly code: string;
  /** JSON Pointer into the rule set, or into the cases. */
  readonly path: string;
  readonly message: string;
  readonly severity: FindingSeverity;
  readonly rule_id?: string;
  /** The author's explanation. */
  readonly allowed?: string;
  /** An example home, and details. */
  readonly [more: string]: unknown;
}

type Counted = Readonly<Record<string, number>>;

/** In the form of cases. */
export interface CarrierAnswer {
  readonly status: string;
  readonly codes: readonly string[];
  readonly missing_fields: readonly string[];
  /** Certain terms by name. */
  readonly terms?: Readonly<Record<string, unknown>>;
  /** Program id of the tier. */
  readonly tier?: string;
}

/** Number of homes whose answer a version changes, in wire names. */
export interface HomesCompared {
  readonly homes: number;
  readonly changed: number;
  /** Saved homes that the rules in force answer differently now. */
  readonly changed_since: number;
  readonly by_move: Counted;
  readonly by_code: Counted;
  readonly by_rule: Counted;
  readonly by_state: Counted;
  readonly not_judged: readonly { readonly why: string; readonly homes: number; readonly first: string }[];
}

/** With the first changes in detail. */
export interface HomesReplayed extends HomesCompared {
  readonly changes: readonly {
    readonly id: string;
    readonly policy_type: string;
    readonly state: string;
    readonly before: CarrierAnswer;
    readonly after: CarrierAnswer;
    /** null without a saved answer. */
    readonly answered: CarrierAnswer | null;
    readonly rule_ids: readonly string[];
  }[];
}

/** Stored with the version. */
export interface RuleSetReview {
  readonly cases: { readonly run: number; readonly failures: readonly ReviewFinding[] };
  /** Check and analysis. */
  readonly findings: readonly ReviewFinding[];
  /** Changed answers, and edits. */
  readonly changes: readonly ReviewFinding[];
  /** Beyond the maximum. */
  readonly omitted: number;
  /** Includes omitted ones. */
  readonly unexplained: { readonly [S in FindingSeverity]: number };
  /** Missing without saved decisions. */
  readonly saved?: HomesCompared;
  /** The proposed book. */
  readonly book?: HomesCompared;
}
