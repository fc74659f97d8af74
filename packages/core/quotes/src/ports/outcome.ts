/** An outcome of a failed rate. */
export type FaultOutcome = (typeof faultOutcomes)[number];

/** Outcomes without a valid answer of the carrier. */
export const faultOutcomes = ['invalid', 'failed', 'timed_out', 'unknown_outcome'] as const satisfies Outcome[];

/** All outcomes of a rate. */
export const outcomes = [
  'quoted',
  'referred',
  'declined',
  'ineligible',
  'needs_information',
  'invalid',
  'failed',
  'timed_out',
  'unknown_outcome',
  'cancelled',
] as const;
/** Outcome of a rate. */
export type Outcome = (typeof outcomes)[number];

/** Outcome of an answer. A fault is not an answer: see `CarrierFault`. */
export type AnswerOutcome = 'quoted' | 'referred' | 'declined' | 'ineligible' | 'needs_information' | 'pending';
