/** What the page asks of the rules’ program: texts as they stand, under the number of the question. */
export interface RulesQuestion {
  readonly number: number;
  readonly text: string;
  /** The text as it was opened or saved last; undefined where there is none. */
  readonly saved: string | undefined;
}

/** Something said of a place in the text; offsets in UTF-16 units. */
export interface PlacedFinding {
  readonly from: number;
  readonly to: number;
  readonly code: string;
  readonly message: string;
  readonly severity: 'fault' | 'warning' | 'note';
  readonly allowed?: string;
  /** A home that shows it, as a request has it. */
  readonly witness?: Readonly<Record<string, unknown>>;
}

/** Faults come first; findings and changes follow where there are none. */
export interface RulesAnswer {
  readonly number: number;
  readonly faults: readonly PlacedFinding[];
  readonly name?: string;
  readonly rules?: number;
  readonly findings?: readonly PlacedFinding[];
  /** What the text changes against the saved one; undefined where that cannot be judged. */
  readonly changes?: readonly PlacedFinding[];
  /** The saved text is no rule set. */
  readonly isOlderUnread?: true;
}

/** Asks for a small rule set to begin with, or answers it. */
export interface NewRuleSet {
  readonly begin: string;
}
