/** A question to the rules worker, with its number. */
export interface RulesQuestion {
  readonly number: number;
  readonly text: string;
  /** As opened or saved last. */
  readonly saved: string | undefined;
  /** Text of `cases.json`, if opened. */
  readonly cases?: string | undefined;
  /** A home, as a request, for which the rules are tested. */
  readonly home?: Readonly<Record<string, unknown>> | undefined;
}

/** A piece of text that can be overwritten. */
export interface PlacedText {
  readonly text: string;
  /** Offsets of the JSON value; undefined if the text has another form. */
  readonly at: readonly [from: number, to: number] | undefined;
}

/** A line of a condition: a combination, or a test with its value. */
export interface ConditionLine {
  readonly depth: number;
  /** The combination, or what precedes the test. */
  readonly words: string;
  readonly label?: string;
  readonly operator?: TestOperator;
  readonly value?: TestValue;
}

export interface TestOperator extends PlacedText {
  readonly words: string;
  /** Operators for the same kind of value. */
  readonly options: readonly Option[];
}

export type Option = readonly [value: string, words: string];

/** `text` is a word without quotation marks, or JSON. */
export type TestValue =
  | (PlacedText & { readonly kind: 'number'; readonly display: string; readonly unit: string | undefined })
  | (PlacedText & { readonly kind: 'choice'; readonly isWord: boolean; readonly options: readonly Option[] })
  | (PlacedText & {
      readonly kind: 'choices';
      readonly chosen: readonly string[];
      readonly options: readonly Option[];
      readonly display: string;
    })
  | (PlacedText & { readonly kind: 'text'; readonly isWord: boolean });

export interface RuleRow {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** Program of the rule; undefined: all. */
  readonly program: string | undefined;
  readonly id: string;
  /** False for a rule of json-rules-engine. */
  readonly isOurs: boolean;
  readonly outcome: PlacedText;
  readonly code: PlacedText;
  readonly message: PlacedText;
  readonly condition: readonly ConditionLine[];
}

/** Cases by whether a rule holds, and the sides of its limits that they reach. */
export interface ReachedRule {
  readonly holds: number;
  readonly doesNotHold: number;
  readonly sides: readonly { readonly words: string; readonly isReached: boolean }[];
}

export interface TestedCases {
  readonly cases: readonly {
    readonly note: string;
    readonly expected: string;
    readonly came: string;
    readonly failures: readonly string[];
  }[];
  /** Faults of `cases.json`. */
  readonly faults: readonly string[];
  readonly reached: Readonly<Record<string, ReachedRule>>;
}

/** Allowed words by place, for completion and hover. */
export interface Vocabulary {
  readonly words: Readonly<Record<'fact' | 'operator' | 'outcome' | 'code', readonly Word[]>>;
}

export interface Word {
  readonly name: string;
  readonly meaning: string;
}

export interface RuleSetIdentity {
  readonly carrierKey: string;
  readonly version: PlacedText;
}

/** Offsets in UTF-16 units. */
export interface PlacedFinding {
  readonly from: number;
  readonly to: number;
  readonly code: string;
  readonly message: string;
  readonly severity: 'fault' | 'warning' | 'note';
  readonly allowed?: string;
  /** An example home, as a request. */
  readonly example?: Readonly<Record<string, unknown>>;
}

/** Faults first; without faults, findings and changes follow. */
export interface RulesAnswer {
  readonly number: number;
  readonly faults: readonly PlacedFinding[];
  readonly name?: string;
  readonly identity?: RuleSetIdentity;
  readonly rules?: number;
  /** The first rules, up to the size of the table. */
  readonly table?: readonly RuleRow[];
  readonly tested?: TestedCases;
  /** Results for the home of the question, by rule. */
  readonly homeResults?: Readonly<Record<string, 'holds' | 'does not hold' | 'not known'>>;
  readonly findings?: readonly PlacedFinding[];
  /** Changes from the saved text; undefined if it cannot be compared. */
  readonly changes?: readonly PlacedFinding[];
  /** The saved text is not a rule set. */
  readonly isOlderUnread?: true;
}

export interface NewRuleSet {
  readonly begin: string;
}
