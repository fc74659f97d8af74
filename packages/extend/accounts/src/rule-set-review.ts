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

type Counted = Readonly<Record<string, number>>;

/** How a carrier answers, as cases expect it. */
export interface CarrierAnswer {
  readonly status: string;
  readonly codes: readonly string[];
  readonly missing_fields: readonly string[];
}

/** How many homes a version answers otherwise than what is in force, in wire names. */
export interface HomesCompared {
  /** Homes evaluated for the carrier. */
  readonly homes: number;
  readonly changed: number;
  /** Of the homes that were asked about: answered otherwise than then by what is in force already. */
  readonly changed_since: number;
  readonly by_move: Counted;
  readonly by_code: Counted;
  readonly by_rule: Counted;
  readonly by_state: Counted;
  readonly not_judged: readonly { readonly why: string; readonly homes: number; readonly first: string }[];
}

/** The same, with the first changes one by one. */
export interface HomesReplayed extends HomesCompared {
  readonly changes: readonly {
    readonly id: string;
    readonly policy_type: string;
    readonly state: string;
    readonly before: CarrierAnswer;
    readonly after: CarrierAnswer;
    /** What was answered then; null: it was not asked of anybody. */
    readonly answered: CarrierAnswer | null;
    readonly rule_ids: readonly string[];
  }[];
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
  /** Against saved decisions; left out: none were saved. */
  readonly saved?: HomesCompared;
  /** Against the book that was proposed with it. */
  readonly book?: HomesCompared;
}
