import type { CarrierRequest } from './carrier-adapter.ts';

/**
 * Evaluates a carrier's rules for a quote, before the carrier is called. The host maps the quote's fields to a home; a field
 * that it cannot map is unknown and never a reason to decline.
 */
export type VerdictSource = (carrierKey: string, request: CarrierRequest) => Promise<CarrierVerdict>;

/** Result of a carrier's rules, before the home is rated. */
export interface CarrierVerdict {
  /** `not_offered`: the carrier does not offer this form type in this state. */
  readonly status: 'eligible' | 'referral' | 'needs_information' | 'ineligible' | 'not_offered';
  /** Rules that declined an ineligible home or referred a referral. */
  readonly reasons: readonly VerdictReason[];
  /** Fields that a status of `needs_information` depends on. */
  readonly missingFields: readonly string[];
  /** Further requirements of the carrier: inspections, photographs. */
  readonly requirements?: readonly VerdictReason[] | undefined;
}

/** A rule that decided, or a requirement. */
export interface VerdictReason {
  readonly code: string;
  readonly message: string;
  readonly field?: string | undefined;
}
