import type { FinancialStrength, Inclusion, Settlement } from '@leeward/quotes';
import type { Cents, FormType } from '@leeward/terms';
import type { Rational, RoundingMode } from './rational.ts';

/** A checked rating plan. */
export interface RatingPlan {
  readonly carrierKey: string;
  readonly carrierName: string;
  readonly financialStrength: FinancialStrength | undefined;
  readonly version: string;
  /** Inclusive, `YYYY-MM-DD`. */
  readonly effectiveFrom: string;
  /** Exclusive; undefined if open. */
  readonly effectiveUntil: string | undefined;
  readonly programs: readonly RatingProgram[];
}

export interface RatingProgram {
  readonly id: string;
  readonly formTypes: readonly FormType[];
  readonly states: readonly string[];
  /** A territory's rate for every `per` of the field. */
  readonly base: { readonly field: string; readonly per: Rational };
  /** In order; one without places matches everything. */
  readonly territories: readonly Territory[];
  readonly factors: readonly Factor[];
  readonly minPremiumCents: Cents;
  readonly rounding: { readonly stepCents: Cents; readonly mode: RoundingMode };
  readonly fees: readonly Charge[];
  readonly taxes: readonly Charge[];
  readonly coverages: readonly PlanAmount[];
  readonly deductibles: readonly PlanAmount[];
  readonly endorsements: readonly PlanAmount[];
  readonly validDays: number;
  /** With `{number}`. */
  readonly quoteUrl: string | undefined;
}

export interface Territory {
  readonly id: string;
  /** Folded, by state. */
  readonly counties: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  readonly zipPrefixes: readonly string[] | undefined;
  readonly rate: Rational;
}

/** By the value of a field. */
export interface Factor {
  readonly id: string;
  readonly field: string;
  /** If the field is missing. */
  readonly missing: Rational | undefined;
  readonly table:
    | {
        readonly kind: 'values';
        readonly values: ReadonlyMap<string, Rational>;
        readonly otherwise: Rational | undefined;
      }
    /** `interpolated` or stepwise; constant beyond the ends. */
    | { readonly kind: 'points'; readonly interpolated: boolean; readonly points: readonly FactorPoint[] };
}

export interface FactorPoint {
  readonly at: number;
  readonly factor: Rational;
}

/** An amount, or a percentage of the premium (taxes: optionally with fees). */
export interface Charge {
  readonly code: string;
  readonly name: string;
  readonly amountCents: Cents | undefined;
  readonly percent: Rational | undefined;
  readonly onFees: boolean;
}

/** An amount, or a percentage of coverage A. */
export interface PlanAmount {
  readonly code: string;
  readonly name: string;
  readonly amountCents: Cents | undefined;
  readonly percentOfDwelling: Rational | undefined;
  /** Percentages that a request may choose. */
  readonly percentOptions: readonly number[];
  readonly inclusion: Inclusion | undefined;
  readonly settlement: Settlement | undefined;
}
