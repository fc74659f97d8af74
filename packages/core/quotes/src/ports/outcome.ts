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
