import type { HomeVocabulary } from '../vocabulary/home.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Outcome } from './schema.ts';

/** Each word of a set is a field; rules test the set. */
type FactOf<Name extends string> = Name extends `${infer Set}:${string}` ? Set : Name;
type ComparedWith<Value> = Value extends readonly (infer Word)[] ? Word : Value;

/** A vocabulary without literal names accepts any. */
type ValuesOf<Line extends Vocabulary> = {
  [Each in Line['fields'][number] as FactOf<Each['name']>]: Each extends { readonly '~value'?: infer Value }
    ? ComparedWith<Value>
    : unknown;
} & { [Name in Line['derivedFacts'][number]['name']]: number } & {
  state: string;
  county: string;
  policy_type: Line['policyTypes'][number];
  days_until_effective: number;
};

type Equality = 'equal' | 'notEqual';
type Listing = 'in' | 'notIn';
type Order = 'lessThan' | 'lessThanInclusive' | 'greaterThan' | 'greaterThanInclusive';
type Membership = 'contains' | 'doesNotContain';
type Decorator = 'someFact' | 'everyFact' | 'someValue' | 'everyValue' | 'swap' | 'not';

interface Test<Fact, Operator, Value> {
  readonly fact: Fact;
  readonly operator: Operator;
  readonly value: Value;
  readonly path?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

type NumberTest = {
  readonly operator: Equality | Order | `not:${string}`;
  readonly value: number | Expression;
};

/** A number computed from facts and lists. */
export type Expression =
  | { readonly fact: string }
  | Aggregate
  | { readonly add: readonly (number | Expression)[] }
  | { readonly subtract: readonly [number | Expression, number | Expression] }
  | { readonly multiply: readonly (number | Expression)[] }
  | { readonly percent_of: readonly [number | Expression, number | Expression] }
  | { readonly min: readonly (number | Expression)[] }
  | { readonly max: readonly (number | Expression)[] }
  | { readonly miles_to: string };

/** A test of the location against an area of the file. */
interface LocationTest {
  readonly fact: 'location';
  readonly operator: 'within' | 'entirelyWithin' | 'not:within' | 'not:entirelyWithin';
  /** The name of an area. */
  readonly value: string;
}

/** In degrees. */
type Position = readonly number[];
type Line = readonly Position[];

type Geometry =
  | { readonly type: 'Polygon'; readonly coordinates: readonly Line[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Line[])[] }
  | { readonly type: 'LineString' | 'MultiPoint'; readonly coordinates: Line }
  | { readonly type: 'MultiLineString'; readonly coordinates: readonly Line[] }
  | { readonly type: 'Point'; readonly coordinates: Position };

/** A named area: GeoJSON, a list of ZIP codes, or a file next to the rule file. */
export type AreaFile = { readonly $comment?: unknown } & (
  | ((Geometry | { readonly type: 'Feature'; readonly geometry: Geometry; readonly properties?: unknown }) & {
      /** Required for lines and points: how far the area reaches around them. */
      readonly within_miles?: number;
    })
  | { readonly zipcodes: readonly string[] }
  | { readonly file: string; readonly within_miles?: number }
);

/** A test of the date or the source of a value. */
type EvidenceTest =
  | ({ readonly fact: `${string}.evidence_age_years` } & NumberTest)
  | Test<`${string}.source`, Equality | `not:${string}`, string>
  | Test<`${string}.source`, Listing | `not:${string}`, readonly string[]>;

/** A number computed from the items of a list that match a condition. */
type Aggregate = { readonly where?: ItemCondition } & (
  | { readonly count: string }
  | { readonly sum: string; readonly of: string }
  | { readonly min: string; readonly of: string }
  | { readonly max: string; readonly of: string }
);

type ItemCondition =
  | { readonly all: readonly ItemCondition[] }
  | { readonly any: readonly ItemCondition[] }
  | { readonly not: ItemCondition }
  | Test<string, string, unknown>;

/** A test of a computed number, or of a number against one. */
type ComputedTest<Line extends Vocabulary> =
  | EvidenceTest
  | LocationTest
  | (Exclude<Expression, { readonly fact: string }> & NumberTest)
  | {
      [Fact in keyof ValuesOf<Line>]: ValuesOf<Line>[Fact] extends number
        ? Test<Fact, Equality | Order, Expression>
        : never;
    }[keyof ValuesOf<Line>];

/** A test of one fact: suitable operators and values, or another fact on the right. */
export type TestOf<Line extends Vocabulary = HomeVocabulary> = {
  [Fact in keyof ValuesOf<Line>]:
    | Test<Fact, Equality | Membership, ValuesOf<Line>[Fact]>
    | Test<Fact, Listing, readonly ValuesOf<Line>[Fact][]>
    | (ValuesOf<Line>[Fact] extends number
        ? Test<Fact, Order, number>
        : Test<Fact, unknown extends ValuesOf<Line>[Fact] ? Order : never, unknown>)
    | Test<Fact, Equality | Listing | Order | Membership, { readonly fact: keyof ValuesOf<Line> }>
    | Test<Fact, `${Decorator}:${string}`, unknown>;
}[keyof ValuesOf<Line>];

/** A condition of a rule set file. */
export type ConditionOf<Line extends Vocabulary = HomeVocabulary> =
  | { readonly all: readonly ConditionOf<Line>[] }
  | { readonly any: readonly ConditionOf<Line>[] }
  | { readonly not: ConditionOf<Line> }
  | { readonly condition: string }
  | TestOf<Line>
  | ComputedTest<Line>;

type Root<Line extends Vocabulary> = Exclude<ConditionOf<Line>, TestOf<Line> | ComputedTest<Line>>;

type RegisteredTerm<Line extends Vocabulary> = Exclude<Line['terms'], undefined>[number];

interface NumberBounds {
  readonly min?: number;
  readonly max?: number;
  readonly $comment?: unknown;
}

/** A table by a fact with numbers: the first step whose `below` exceeds the fact applies. */
interface TermTable<Line extends Vocabulary, Step> {
  readonly by: keyof ValuesOf<Line>;
  readonly steps: readonly ({ readonly below?: number; readonly $comment?: unknown } & Step)[];
  readonly $comment?: unknown;
}

interface StepValue<Value> {
  readonly value?: Value;
}

type TermValueOf<Line extends Vocabulary, Term> = Term extends { readonly kind: 'number' }
  ? NumberBounds | TermTable<Line, NumberBounds>
  : Term extends { readonly kind: 'word'; readonly words: readonly (infer Word)[] }
    ? Word | readonly Word[] | TermTable<Line, StepValue<Word | readonly Word[]>>
    : Term extends { readonly kind: 'flag' }
      ? true | TermTable<Line, StepValue<true>>
      : never;

type CustomTermValue<Line extends Vocabulary> =
  | NumberBounds
  | string
  | readonly string[]
  | true
  | TermTable<Line, NumberBounds | StepValue<string | readonly string[] | true>>;

/** The terms of an offer in a rule set file: registered terms, and custom ones `x_…`. */
export type TermsOf<Line extends Vocabulary = HomeVocabulary> = {
  readonly [Term in RegisteredTerm<Line> as Term['name']]?: TermValueOf<Line, Term>;
} & { readonly [Custom in `x_${string}`]?: CustomTermValue<Line> };

type Carrying<Line extends Vocabulary> =
  | { readonly outcome: Exclude<Outcome, 'offer'>; readonly terms?: never }
  | { readonly outcome: 'offer'; readonly terms: TermsOf<Line> };

/** A rule of a rule set file. */
export type RuleFile<Line extends Vocabulary = HomeVocabulary> = {
  readonly id: string;
  readonly code: Line['codes'][number] | `x_${string}`;
  readonly message: string;
  readonly priority?: number;
  readonly $comment?: unknown;
} & Carrying<Line> &
  ({ readonly when: Root<Line>; readonly unless?: never } | { readonly unless: Root<Line>; readonly when?: never });

type Counties = Readonly<
  Record<string, { readonly include: readonly string[] } | { readonly exclude: readonly string[] }>
>;

/** A moratorium: in its window, or while its condition holds. */
type MoratoriumOf<Line extends Vocabulary> = {
  readonly id: string;
  readonly until?: string | null;
  readonly states?: readonly string[];
  readonly counties?: Counties;
  readonly policy_types?: readonly Line['policyTypes'][number][];
  readonly message: string;
  readonly $comment?: unknown;
} & (
  | { readonly from: string; readonly when?: Root<Line>; readonly unless?: Root<Line> }
  | { readonly from?: string; readonly when: Root<Line>; readonly unless?: Root<Line> }
  | { readonly from?: string; readonly when?: Root<Line>; readonly unless: Root<Line> }
);

/**
 * A rule set file in TypeScript: `… satisfies RuleSetFile`, or `RuleSetFile<typeof vocabulary>` for another line. Facts, operators,
 * words and codes are completed and checked; `checkRuleSet` checks the rest, such as counties, dates and unique ids.
 */
export interface RuleSetFile<Line extends Vocabulary = HomeVocabulary> {
  readonly $schema?: string;
  readonly format: 1;
  readonly carrier: { readonly key: string; readonly name: string; readonly $comment?: unknown };
  readonly line?: Line['line'];
  readonly version: string;
  readonly effective: { readonly from: string; readonly until?: string | null };
  /** Certainty of tests of measured distances, above 0.5 and below 1. @default only whole ranges decide */
  readonly certainty?: number;
  readonly conditions?: Readonly<Record<string, ConditionOf<Line>>>;
  readonly areas?: Readonly<Record<string, AreaFile>>;
  readonly rules?: readonly RuleFile<Line>[];
  readonly programs: readonly {
    readonly id: string;
    readonly policy_types: readonly Line['policyTypes'][number][];
    readonly states: readonly string[];
    readonly counties?: Counties;
    readonly tier?: { readonly of: string; readonly rank: number; readonly name?: string; readonly $comment?: unknown };
    readonly rules?: readonly RuleFile<Line>[];
    readonly $comment?: unknown;
  }[];
  readonly moratoria?: readonly MoratoriumOf<Line>[];
  readonly allow?: readonly { readonly code: string; readonly rule_id?: string; readonly why: string }[];
  readonly $comment?: unknown;
}
