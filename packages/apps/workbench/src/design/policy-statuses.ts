/** In the order of the counts. `not_judged`: only the service can evaluate the carrier. */
export const policyStatuses = [
  'eligible',
  'referral',
  'needs_information',
  'ineligible',
  'not_offered',
  'not_judged',
] as const;
