import type { CarrierRequest } from './carrier-adapter.ts';

/**
 * What a carrier's own rules say of a home, asked before the carrier is. Implemented where quoting meets underwriting;
 * it maps the quote's fields to a home, and what it cannot map is unknown, never a reason to decline.
 */
export type Judge = (carrierKey: string, request: CarrierRequest) => Promise<CarrierVerdict>;

/** What a carrier's own rules say of the home, before it is rated. */
export interface CarrierVerdict {
  /** `not_offered`: this carrier does not write this form there. */
  readonly status: 'eligible' | 'referral' | 'needs_information' | 'ineligible' | 'not_offered';
  /** Why: declining rules of an ineligible home, referring ones of a referral. */
  readonly reasons: readonly VerdictReason[];
  /** Names of the fields on which a status of `needs_information` hangs. */
  readonly missingFields: readonly string[];
  /** What the carrier would ask for besides: inspections, photographs. */
  readonly requirements?: readonly VerdictReason[] | undefined;
}

/** Why a carrier's own rules say what they say. */
export interface VerdictReason {
  readonly code: string;
  readonly message: string;
  readonly field?: string | undefined;
}
