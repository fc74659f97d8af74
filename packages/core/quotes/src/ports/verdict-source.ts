import type { Cents } from '@leeward/terms';
import type { CarrierRequest, CarrierTerm, CarrierTier, OtherRates } from './carrier-adapter.ts';

/** Evaluates a carrier's rules before the call. A field that the host cannot map to a home is unknown and never a reason to decline. */
export type VerdictSource = (
  carrierKey: string,
  request: CarrierRequest,
  answers?: AnswersOfQuote,
) => Promise<CarrierVerdict>;

/** Answers of the quote so far, for rules that test them. */
export interface AnswersOfQuote {
  /** Reads the rates of other carriers; read only for rules that test them. @default unknown */
  readonly readOthers?: (() => Promise<OtherRates>) | undefined;
  /** Premium of the carrier's rate, after its call. @default unknown */
  readonly ownPremiumCents?: Cents | undefined;
}

/** Result of a carrier's rules. */
export interface CarrierVerdict {
  /** `not_offered`: this form type in this state. */
  readonly status: 'eligible' | 'referral' | 'needs_information' | 'ineligible' | 'not_offered';
  /** Rules that declined or referred. */
  readonly reasons: readonly VerdictReason[];
  /** For `needs_information`. */
  readonly missingFields: readonly string[];
  /** Inspections, photographs. */
  readonly requirements?: readonly VerdictReason[] | undefined;
  /** Terms of acceptance that are certain: deductibles, limits, settlement. */
  readonly terms?: readonly CarrierTerm[] | undefined;
  /** The tier that takes or refers the home, if it is known. */
  readonly tier?: CarrierTier | undefined;
  /** The possible tiers, best first, if missing fields decide. Then a premium is an indication. */
  readonly possibleTiers?: readonly CarrierTier[] | undefined;
  /** True if the rules depend on other carriers that have not ended, and there is time to wait. @default false */
  readonly waitsForOthers?: boolean | undefined;
  /** True if the answers of other carriers were read: the answer states it, and a requote renews it with them. @default false */
  readonly dependsOnOthers?: boolean | undefined;
  /** True if the rules test the premium of the rate: they are evaluated again after the call. @default false */
  readonly testsOwnPremium?: boolean | undefined;
}

/** A rule that decided, or a requirement. */
export interface VerdictReason {
  readonly code: string;
  readonly message: string;
  readonly field?: string | undefined;
}
