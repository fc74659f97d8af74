import type { Property } from '../request/property.ts';
import { type Status, statuses, type Verdict } from '../verdict/verdict.ts';
import { type NextQuestion, nextQuestions } from './next-questions.ts';

/** How many carriers and policy types stand at each status. */
export type Counts = Readonly<Record<Status, number>>;

/** What all carriers of a catalog say of one property. */
export interface Decision {
  readonly counts: Counts;
  /** Best first: eligible, referral, needs information, ineligible; not offered is only counted. */
  readonly verdicts: readonly Verdict[];
  /** What to ask next, most useful first. */
  readonly nextQuestions: readonly NextQuestion[];
}

const noCounts: Counts = { eligible: 0, referral: 0, needs_information: 0, ineligible: 0, not_offered: 0 };

export function emptyDecision(): Decision {
  return { counts: noCounts, verdicts: [], nextQuestions: [] };
}

export function decisionOf(property: Property, verdicts: readonly Verdict[], notOffered: number): Decision {
  const counts = { ...noCounts, not_offered: notOffered };
  for (const verdict of verdicts) counts[verdict.status]++;
  const { policyTypes } = property.vocabulary;
  const sorted = [...verdicts].sort(
    (a, b) =>
      statuses.indexOf(a.status) - statuses.indexOf(b.status) ||
      a.requirements.length - b.requirements.length ||
      compare(a.carrierName, b.carrierName) ||
      policyTypes.indexOf(a.policyType) - policyTypes.indexOf(b.policyType) ||
      compare(a.carrierKey, b.carrierKey),
  );
  return { counts, verdicts: sorted, nextQuestions: nextQuestions(verdicts, property.vocabulary) };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
