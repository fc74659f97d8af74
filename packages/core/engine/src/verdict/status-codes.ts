/** `Catalog.statusCodes` and books write one byte per carrier, an index into this list. */
export const STATUS_CODES = [
  'not_offered',
  'eligible',
  'referral',
  'needs_information',
  'ineligible',
  'not_judged',
] as const;
/** The code of a carrier whose rules need the host. */
export const NOT_JUDGED = STATUS_CODES.indexOf('not_judged');
