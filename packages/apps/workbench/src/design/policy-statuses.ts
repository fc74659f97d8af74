/** What a policy can be for a carrier, in the order in which it is counted; `not_judged` where only the service could say. */
export const policyStatuses = [
  'eligible',
  'referral',
  'needs_information',
  'ineligible',
  'not_offered',
  'not_judged',
] as const;
