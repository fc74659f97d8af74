import type { WireDecision, WireRuleSets } from '../service/wire.ts';

/** What the page asks of the judge beside it, each question under a number that its answer bears. */
export type JudgeQuestion = {
  readonly rules: { readonly question: WireRuleSets; readonly answer: OpenedRules };
  readonly home: { readonly question: HomeQuestion; readonly answer: JudgedHome };
  readonly appetite: { readonly question: AppetiteQuestion; readonly answer: Appetite };
  readonly book: { readonly question: BookQuestion; readonly answer: JudgedBook };
  readonly change: { readonly question: BookChangeQuestion; readonly answer: BookChange };
  readonly statuses: { readonly question: null; readonly answer: Blob };
  readonly rejects: { readonly question: null; readonly answer: Blob };
};
export type JudgeVerb = keyof JudgeQuestion;

export interface Asked<Verb extends JudgeVerb = JudgeVerb> {
  readonly number: number;
  readonly verb: Verb;
  readonly question: JudgeQuestion[Verb]['question'];
}

export type Told<Verb extends JudgeVerb = JudgeVerb> =
  | { readonly number: number; readonly answer: JudgeQuestion[Verb]['answer'] }
  /** It cannot be done, in words for whoever asked. */
  | { readonly number: number; readonly refused: string }
  /** How much of a file was read, in bytes. */
  | { readonly number: number; readonly read: number };

export interface OpenedRules {
  /** Carriers whose rules ask the service for something: they are not judged here. */
  readonly needService: readonly string[];
}

export type HomeQuestion = Readonly<Record<string, unknown>>;

/** What the carriers say, as the service writes it; or that the request does not fit. */
export type JudgedHome =
  | { readonly ok: true; readonly decision: WireDecision }
  | { readonly ok: false; readonly errors: readonly { path: string; code: string; message: string }[] };

export interface AppetiteQuestion {
  readonly home: HomeQuestion;
  /** Lower-case code; empty: all states. */
  readonly state: string;
}

export interface AppetiteRow {
  readonly fips: string;
  readonly name: string;
  readonly state: string;
  /** By carrier, a place in `statuses`. */
  readonly codes: readonly number[];
  /** Carriers that take or refer it. */
  readonly takes: number;
  /** Carriers that could, once their questions are answered. */
  readonly could: number;
  /** Carriers that decline it, whatever is answered. */
  readonly declines: number;
}

/** What every carrier says of one home, county by county; or what does not fit of it. */
export type Appetite =
  | {
      readonly ok: true;
      readonly carriers: readonly string[];
      readonly statuses: readonly string[];
      readonly rows: readonly AppetiteRow[];
    }
  | { readonly ok: false; readonly messages: readonly string[] };

export interface BookQuestion {
  readonly file: File;
  /** Instant at which all of it is judged. */
  readonly asOf: string;
  readonly effectiveDate: string | undefined;
}

/** A book, and two versions of a rule set as text: each is asked as though it were in force. */
export interface BookChangeQuestion extends BookQuestion {
  readonly older: string;
  readonly newer: string;
}

/** A policy that two versions answer otherwise. */
export interface MovedPolicy {
  readonly row: number;
  readonly line: number | undefined;
  readonly policyType: string;
  readonly state: string;
  readonly county: string;
  /** Edited rules behind it. */
  readonly ruleIds: readonly string[];
}

/** Policies that move from one status to another: how many, and the first of them. */
export interface ChangeBand {
  readonly before: string;
  readonly after: string;
  readonly count: number;
  readonly policies: readonly MovedPolicy[];
}

/** What another version of a rule set changes in a book. */
export interface BookChange {
  readonly rows: number;
  readonly rejected: number;
  /** Policies of which some answer is another. */
  readonly moved: number;
  /** Most first. */
  readonly bands: readonly ChangeBand[];
  /** Answers by the edited rule behind them, most first. */
  readonly rules: readonly (readonly [ruleId: string, count: number])[];
}

/** Policies by status, in the order of `policyStatuses`. */
export type Counts = readonly number[];

/** A row that was not judged, and why. */
export interface RefusedRow {
  readonly row: number;
  readonly line: number | undefined;
  readonly messages: readonly string[];
  readonly text: string;
}

/** What a book has in a county. */
export interface CountyOfBook {
  readonly fips: string;
  readonly name: string;
  readonly policies: number;
  /** Those that some carrier takes or refers. */
  readonly taken: number;
  /** Those that none takes or refers yet, but some carrier could once its questions are answered. */
  readonly open: number;
}

export interface JudgedBook {
  readonly name: string;
  readonly rows: number;
  readonly rejected: number;
  /** The first of them. */
  readonly refused: readonly RefusedRow[];
  readonly effectiveDates: readonly (readonly [date: string, policies: number])[];
  readonly warnings: readonly (readonly [code: string, policies: number])[];
  readonly carriers: readonly { readonly key: string; readonly name: string; readonly counts: Counts }[];
  readonly states: readonly (readonly [state: string, counts: Counts])[];
  readonly policyTypes: readonly (readonly [type: string, counts: Counts])[];
  /** Policies × carriers by the code of a decline, most first. */
  readonly reasons: readonly (readonly [code: string, count: number])[];
  /** Policies that so many carriers take or refer: `takers[0]` none, with those that are open. */
  readonly takers: readonly number[];
  /** Policies that none takes or refers yet, but some carrier could once its questions are answered. */
  readonly open: number;
  readonly counties: readonly CountyOfBook[];
  readonly seconds: number;
}
