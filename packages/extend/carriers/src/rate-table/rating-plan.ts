import type { Cents, FormType } from '@leeward/terms';
import type { Rational, RoundingMode } from './rational.ts';

/** A rating plan, checked and ready to rate by. */
export interface RatingPlan {
  readonly carrierKey: string;
  readonly carrierName: string;
  readonly version: string;
  /** Included, `YYYY-MM-DD`. */
  readonly effectiveFrom: string;
  /** Excluded; undefined while open. */
  readonly effectiveUntil: string | undefined;
  readonly programs: readonly RatingProgram[];
}

/** How some forms are rated in some states. For one form and state at most one program of a plan fits. */
export interface RatingProgram {
  readonly id: string;
  readonly formTypes: readonly FormType[];
  readonly states: readonly string[];
  /** The base premium is a territory's rate for every `per` of the field. */
  readonly base: { readonly field: string; readonly per: Rational };
  /** Tried in order; one without places is for the rest. */
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

/** A number that the premium is multiplied by, looked up by one field. */
export interface Factor {
  readonly id: string;
  readonly field: string;
  /** Where the field is not given. */
  readonly missing: Rational | undefined;
  readonly table:
    | {
        readonly kind: 'values';
        readonly values: ReadonlyMap<string, Rational>;
        readonly otherwise: Rational | undefined;
      }
    /** `interpolated` between its points, else stepwise; held beyond the first and the last. */
    | { readonly kind: 'points'; readonly interpolated: boolean; readonly points: readonly FactorPoint[] };
}

export interface FactorPoint {
  readonly at: number;
  readonly factor: Rational;
}

/** A fee or a tax: an amount, or a share of the premium (and, for taxes, of the fees with it). */
export interface Charge {
  readonly code: string;
  readonly name: string;
  readonly amountCents: Cents | undefined;
  readonly percent: Rational | undefined;
  readonly onFees: boolean;
}

/** A coverage or deductible: an amount, or a share of coverage A. */
export interface PlanAmount {
  readonly code: string;
  readonly name: string;
  readonly amountCents: Cents | undefined;
  readonly percentOfDwelling: Rational | undefined;
}
