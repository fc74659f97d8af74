/** A question of the page to the rules worker: texts, with the number of the question. */
export interface RulesQuestion {
  readonly number: number;
  readonly text: string;
  /** The text as it was opened or saved last; undefined where there is none. */
  readonly saved: string | undefined;
  /** Text of `cases.json`; undefined if none was opened. */
  readonly cases?: string | undefined;
}

/** A piece of the text with its range, which can be overwritten. */
export interface PlacedText {
  readonly text: string;
  /** Offsets of the JSON value; undefined where the text has it in another form. */
  readonly at: readonly [from: number, to: number] | undefined;
}

/** A line of a condition: what combines others, or a test with the value it tests by. */
export interface ConditionLine {
  readonly depth: number;
  readonly words: string;
  /** A word unquoted, any other value as JSON. */
  readonly value?: PlacedText & { readonly isWord: boolean };
}

/** A rule as a row of a table. */
export interface RuleRow {
  /** JSON Pointer of the rule. */
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** The program it is a rule of; undefined: of all. */
  readonly program: string | undefined;
  readonly id: string;
  readonly outcome: PlacedText;
  readonly code: PlacedText;
  readonly message: PlacedText;
  readonly condition: readonly ConditionLine[];
}

/** In how many cases a rule holds and does not, and which sides of its limits they reach. */
export interface ReachedRule {
  readonly holds: number;
  readonly doesNotHold: number;
  readonly sides: readonly { readonly words: string; readonly isReached: boolean }[];
}

/** Results of the cases for a text. */
export interface TestedCases {
  readonly cases: readonly {
    readonly note: string;
    readonly expected: string;
    readonly came: string;
    readonly failures: readonly string[];
  }[];
  /** Faults of the file of cases. */
  readonly faults: readonly string[];
  /** By the id of a rule. */
  readonly reached: Readonly<Record<string, ReachedRule>>;
}

/** The words that each place allows, for completion and hover. */
export interface Vocabulary {
  readonly words: Readonly<Record<'fact' | 'operator' | 'outcome' | 'code', readonly Word[]>>;
}

export interface Word {
  readonly name: string;
  readonly meaning: string;
}

/** A message about a range of the text; offsets in UTF-16 units. */
export interface PlacedFinding {
  readonly from: number;
  readonly to: number;
  readonly code: string;
  readonly message: string;
  readonly severity: 'fault' | 'warning' | 'note';
  readonly allowed?: string;
  /** A home that shows it, as a request has it. */
  readonly example?: Readonly<Record<string, unknown>>;
}

/** Faults come first; findings and changes follow where there are none. */
export interface RulesAnswer {
  readonly number: number;
  readonly faults: readonly PlacedFinding[];
  readonly name?: string;
  readonly rules?: number;
  /** The first of them: as many as a table shows. */
  readonly table?: readonly RuleRow[];
  readonly tested?: TestedCases;
  readonly findings?: readonly PlacedFinding[];
  /** Differences from the saved text; undefined if it cannot be compared. */
  readonly changes?: readonly PlacedFinding[];
  /** The saved text is not a rule set. */
  readonly isOlderUnread?: true;
}

/** Requests a small initial rule set, or returns it. */
export interface NewRuleSet {
  readonly begin: string;
}
