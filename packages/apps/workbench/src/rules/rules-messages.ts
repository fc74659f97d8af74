/** What the page asks of the rules’ program: texts as they stand, under the number of the question. */
export interface RulesQuestion {
  readonly number: number;
  readonly text: string;
  /** The text as it was opened or saved last; undefined where there is none. */
  readonly saved: string | undefined;
  /** Cases as they stand in `cases.json`; undefined where none were opened. */
  readonly cases?: string | undefined;
}

/** What stands somewhere in the text, and where: it can be written over there. */
export interface PlacedText {
  readonly text: string;
  /** Offsets of the JSON value; undefined where the text has it in another form. */
  readonly at: readonly [from: number, to: number] | undefined;
}

/** A line of a condition: what combines others, or a test with the value it tests by. */
export interface ConditionLine {
  readonly depth: number;
  readonly words: string;
  /** A word as it is, anything else as JSON. */
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

/** What cases say of a text. */
export interface TestedCases {
  readonly cases: readonly {
    readonly note: string;
    readonly expected: string;
    readonly came: string;
    readonly failures: readonly string[];
  }[];
  /** What is wrong with the file of cases. */
  readonly faults: readonly string[];
  /** By the id of a rule. */
  readonly reached: Readonly<Record<string, ReachedRule>>;
}

/** What may be written where, for completion and hover. */
export interface Vocabulary {
  readonly words: Readonly<Record<'fact' | 'operator' | 'outcome' | 'code', readonly Word[]>>;
}

export interface Word {
  readonly name: string;
  readonly meaning: string;
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
  /** The first of them: as many as a table shows. */
  readonly table?: readonly RuleRow[];
  readonly tested?: TestedCases;
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
