import { STATUS_CODES } from '@leeward/engine';

/** Unknown is neither a yes nor a no. */
export interface AnswerCounts {
  readonly takes: number;
  readonly could: number;
  readonly declines: number;
}

const [YES, OPEN, NO] = [1, 2, 3];
/** The count of each status code; 0 if the carrier does not offer the type. */
const kinds = Uint8Array.from(STATUS_CODES, (status) => {
  if (status === 'eligible' || status === 'referral') return YES;
  if (status === 'needs_information' || status === 'not_judged') return OPEN;
  return status === 'ineligible' ? NO : 0;
});

export function countAnswers(codes: ArrayLike<number>, from = 0, to = codes.length): AnswerCounts {
  const counts = [0, 0, 0, 0];
  for (let at = from; at < to; at++) counts[kinds[codes[at]!]!]! += 1;
  return { takes: counts[YES]!, could: counts[OPEN]!, declines: counts[NO]! };
}
