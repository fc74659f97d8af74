import { capitalized, codeWords } from '@leeward/terms/words';
/** Statuses from best to worst. */
export const statusWords = {
  eligible: { mark: '✓', word: capitalized(codeWords.status.eligible) },
  referral: { mark: '◆', word: capitalized(codeWords.status.referral) },
  needs_information: { mark: '?', word: capitalized(codeWords.status.needs_information) },
  ineligible: { mark: '✕', word: capitalized(codeWords.status.ineligible) },
  not_offered: { mark: '–', word: capitalized(codeWords.status.not_offered) },
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
