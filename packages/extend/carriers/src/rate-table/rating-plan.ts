import type { Cents, FormType } from '@leeward/terms';
import type { Rational, RoundingMode } from './rational.ts';

/** A checked rating plan. */
export interface RatingPlan {
  readonly carrierKey: string;
  readonly carrierName: string;
  readonly version: string;
  /** Inclusive, `YYYY-MM-DD`. */
  readonly effectiveFrom: string;
  /** Exclusive; undefined if open. */
  readonly effectiveUntil: string | undefined;
  readonly programs: readonly RatingProgram[];
}

/** Rates of form types in states. Programs of a plan do not overlap. */
export interface RatingProgram {
  readonly id: string;
  readonly formTypes: readonly FormType[];
  readonly states: readonly string[];
  /** The base premium is a territory's rate for every `per` of the field. */
  readonly base: { readonly field: string; readonly per: Rational };
  /** Tried in order; one without places matches everything. */
  readonly territories: readonly Territory[];
  readonly factors: readonly Factor[];
  readonly minPremiumCents: Cents;
  readonly rounding: { readonly stepCents: Cents; readonly mode: RoundingMode };
  readonly fees: readonly Charge[];
  readonly taxes: readonly Charge[];
  readonly coverages: readonly PlanAmount[];
  readonly deductibles: readonly PlanAmount[];
  readonly validDays: number;
  /** With `{number}` for the quote's number. */
  readonly quoteUrl: string | undefined;
}

export interface Territory {
  readonly id: string;
  /** County names, folded, by state. */
  readonly counties: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  readonly zipPrefixes: readonly string[] | undefined;
  readonly rate: Rational;
}

/** Multiplies the premium, by the value of a field. */
export interface Factor {
  readonly id: string;
  readonly field: string;
  /** Factor if the field is missing. */
  readonly missing: Rational | undefined;
  readonly table:
    | {
        readonly kind: 'values';
        readonly values: ReadonlyMap<string, Rational>;
        readonly otherwise: Rational | undefined;
      }
    /** `interpolated` between points, else stepwise; constant beyond the first and last. */
    | { readonly kind: 'points'; readonly interpolated: boolean; readonly points: readonly FactorPoint[] };
}

export interface FactorPoint {
  readonly at: number;
  readonly factor: Rational;
}

/** A fee or tax: an amount, or a percentage of the premium (taxes: optionally with fees). */
export interface Charge {
  readonly code: string;
  readonly name: string;
  readonly amountCents: Cents | undefined;
  readonly percent: Rational | undefined;
  readonly onFees: boolean;
}

/** A coverage or deductible: an amount, or a percentage of coverage A. */
export interface PlanAmount {
  readonly code: string;
  readonly name: string;
  readonly amountCents: Cents | undefined;
  readonly percentOfDwelling: Rational | undefined;
}
