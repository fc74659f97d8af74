/** Statuses from best to worst. */
export const statusWords = {
  eligible: { mark: '✓', word: 'Eligible' },
  referral: { mark: '◆', word: 'Referral' },
  needs_information: { mark: '?', word: 'Needs information' },
  ineligible: { mark: '✕', word: 'Ineligible' },
  not_offered: { mark: '–', word: 'Not offered' },
} as const;
export type ShownStatus = keyof typeof statusWords;
export const shownStatuses = Object.keys(statusWords) as ShownStatus[];

/** In the order of the counts. `not_judged`: only the service can evaluate the carrier. */
export const policyStatuses = [
  'eligible',
  'referral',
  'needs_information',
  'ineligible',
  'not_offered',
  'not_judged',
] as const;
