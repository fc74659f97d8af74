/** An outcome that is no answer of a carrier. */
export type FaultOutcome = (typeof faultOutcomes)[number];

/** Outcomes that are no answer of a carrier: something went wrong. */
export const faultOutcomes = ['invalid', 'failed', 'timed_out', 'unknown_outcome'] as const satisfies Outcome[];

/** How a rate can end. */
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
/** How a rate ended. */
export type Outcome = (typeof outcomes)[number];
