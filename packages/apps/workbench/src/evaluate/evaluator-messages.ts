import type { ColumnMap } from '@leeward/books/evaluate';
import type { WireDecision, WireRuleSets } from '../service/wire.ts';

/** Questions to the evaluator. An answer has the number of its question. */
export type EvaluatorQuestion = {
  readonly rules: { readonly question: WireRuleSets; readonly answer: OpenedRules };
  readonly home: { readonly question: HomeQuestion; readonly answer: EvaluatedHome };
  readonly appetite: { readonly question: AppetiteQuestion; readonly answer: Appetite };
  readonly book: { readonly question: BookQuestion; readonly answer: EvaluatedBook };
  readonly peek: { readonly question: File; readonly answer: PeekedBook };
  readonly preview: { readonly question: ChosenColumns; readonly answer: readonly PreviewRow[] };
  readonly policies: { readonly question: PolicySelection; readonly answer: ListedPolicies };
  readonly policyFile: { readonly question: PolicySelection; readonly answer: Blob };
  readonly change: { readonly question: BookChangeQuestion; readonly answer: BookChange };
  readonly statuses: { readonly question: null; readonly answer: Blob };
  readonly rejects: { readonly question: null; readonly answer: Blob };
};
export type EvaluatorVerb = keyof EvaluatorQuestion;

export interface EvaluatorRequest<Verb extends EvaluatorVerb = EvaluatorVerb> {
  readonly number: number;
  readonly verb: Verb;
  readonly question: EvaluatorQuestion[Verb]['question'];
}

export type EvaluatorReply<Verb extends EvaluatorVerb = EvaluatorVerb> =
  | { readonly number: number; readonly answer: EvaluatorQuestion[Verb]['answer'] }
  /** `refused` is a message for the user. */
  | { readonly number: number; readonly refused: string }
  | { readonly number: number; readonly read: number };

export interface OpenedRules {
  /** Carriers that only the service can evaluate. */
  readonly needService: readonly string[];
  /** True if rules test storms and other events, which only the service knows. */
  readonly needEvents: boolean;
}

export type HomeQuestion = Readonly<Record<string, unknown>>;

/** The decision as the service writes it, or faults of the request. */
export type EvaluatedHome =
  | { readonly ok: true; readonly decision: WireDecision }
  | { readonly ok: false; readonly errors: RequestFaults };

export type RequestFaults = readonly { readonly path: string; readonly code: string; readonly message: string }[];

export interface AppetiteQuestion {
  readonly home: HomeQuestion;
  /** Lower-case code; empty: all states. */
  readonly state: string;
}

export interface AppetiteRow {
  readonly fips: string;
  readonly name: string;
  readonly state: string;
  /** Positions in `statuses`, by carrier. */
  readonly codes: readonly number[];
  /** Carriers that take or refer it. */
  readonly takes: number;
  readonly could: number;
  /** Carriers that decline under every answer to the open questions. */
  readonly declines: number;
}

/** Results by county, or faults of the home. */
export type Appetite =
  | {
      readonly ok: true;
      readonly carriers: readonly string[];
      readonly statuses: readonly string[];
      readonly rows: readonly AppetiteRow[];
    }
  | { readonly ok: false; readonly errors: RequestFaults };

export interface BookQuestion {
  readonly file: File;
  /** Instant of all evaluations. */
  readonly asOf: string;
  readonly effectiveDate: string | undefined;
  /** If omitted, columns have the names of fields. */
  readonly columns?: ChosenColumns | undefined;
}

/** The fields of columns, and the columns that are carried to lists and downloads. */
export interface ChosenColumns {
  readonly map: ColumnMap;
  readonly keep: readonly KeptColumn[];
}

export interface KeptColumn {
  readonly name: string;
  /** As the file has it. */
  readonly title: string;
}

export interface PeekedBook {
  /** Names of the columns, in order. */
  readonly names: readonly string[];
  /** As the file has them. */
  readonly titles: readonly string[];
  /** The guessed field of each column. */
  readonly guesses: readonly (string | undefined)[];
  /** The first values of each column. */
  readonly samples: readonly (readonly string[])[];
  readonly fields: readonly { readonly name: string; readonly label: string; readonly isUsual: boolean }[];
  readonly policyTypes: readonly string[];
  /** Codes, in upper case. */
  readonly states: readonly string[];
}

/** A row as it will be read. */
export interface PreviewRow {
  readonly values: Readonly<Record<string, string>>;
  readonly faults: readonly string[];
}

/** A carrier takes or refers the policy, one could once questions are answered, or neither. */
export type Placement = 'carrier' | 'possible' | 'none';

/** Policies behind a number of the overview. Counties are FIPS codes. */
export type PolicySelection =
  | { readonly kind: 'placement'; readonly placement: Placement; readonly county?: string }
  /** By the number of carriers that take or refer a policy. */
  | { readonly kind: 'takers'; readonly from: number; readonly to: number }
  /** A carrier has the status, a place in `policyStatuses`. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly carrier?: string;
      readonly state?: string;
      readonly policyType?: string;
    }
  | { readonly kind: 'county'; readonly fips: string }
  /** A carrier certainly declines it for this reason code. */
  | { readonly kind: 'reason'; readonly code: string };

export interface ListedPolicies {
  readonly count: number;
  /** Titles of the kept columns. */
  readonly extraTitles: readonly string[];
  /** The first ones. */
  readonly policies: readonly ListedPolicy[];
}

export interface ListedPolicy {
  readonly row: number;
  readonly line: number | undefined;
  readonly policyType: string;
  readonly place: string;
  /** Values of the kept columns. */
  readonly extras: readonly string[];
  readonly takes: number;
  readonly could: number;
}

/** Two versions of a rule set as text, each evaluated as if in force. */
export interface BookChangeQuestion extends BookQuestion {
  readonly older: string;
  readonly newer: string;
}

export interface MovedPolicy {
  readonly row: number;
  readonly line: number | undefined;
  readonly policyType: string;
  readonly state: string;
  readonly county: string;
  /** Values of the kept columns. */
  readonly extras: readonly string[];
  readonly ruleIds: readonly string[];
}

export interface ChangeBand {
  readonly before: string;
  readonly after: string;
  readonly count: number;
  readonly policies: readonly MovedPolicy[];
}

export interface BookChange {
  /** Titles of the kept columns. */
  readonly extraTitles: readonly string[];
  readonly rows: number;
  readonly rejected: number;
  /** Policies with at least one changed answer. */
  readonly moved: number;
  /** Most first. */
  readonly bands: readonly ChangeBand[];
  /** Changed answers by edited rule, most first. */
  readonly rules: readonly (readonly [ruleId: string, count: number])[];
}

/** Policies by status, in the order of `policyStatuses`. */
export type Counts = readonly number[];

export interface RefusedRow {
  readonly row: number;
  readonly line: number | undefined;
  readonly messages: readonly string[];
  readonly text: string;
}

export interface CountyOfBook {
  readonly fips: string;
  readonly name: string;
  readonly policies: number;
  /** Policies that some carrier takes or refers. */
  readonly withTaker: number;
  /** Policies that some carrier could take once questions are answered. */
  readonly open: number;
}

export interface EvaluatedBook {
  readonly name: string;
  readonly rows: number;
  readonly rejected: number;
  readonly refused: readonly RefusedRow[];
  readonly effectiveDates: readonly (readonly [date: string, policies: number])[];
  readonly warnings: readonly (readonly [code: string, policies: number])[];
  readonly carriers: readonly { readonly key: string; readonly name: string; readonly counts: Counts }[];
  readonly states: readonly (readonly [state: string, counts: Counts])[];
  readonly policyTypes: readonly (readonly [type: string, counts: Counts])[];
  /** Policies × carriers by decline code, most first. */
  readonly reasons: readonly (readonly [code: string, count: number])[];
  /** Policies by the number of carriers that take or refer them; `takers[0]` includes `open`. */
  readonly takers: readonly number[];
  /** As in `CountyOfBook`. */
  readonly open: number;
  readonly counties: readonly CountyOfBook[];
  /** By label of a field, the share of sampled policies with open answers whose most useful answer it is. */
  readonly settling: readonly (readonly [label: string, share: number])[];
  readonly seconds: number;
}
