import type { CarrierRequest, CarrierTerm } from './carrier-adapter.ts';

/** Evaluates a carrier's rules before the call. A field that the host cannot map to a home is unknown and never a reason to decline. */
export type VerdictSource = (carrierKey: string, request: CarrierRequest) => Promise<CarrierVerdict>;

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
}

/** A rule that decided, or a requirement. */
export interface VerdictReason {
  readonly code: string;
  readonly message: string;
  readonly field?: string | undefined;
}
