import type { Property } from '../request/property.ts';
import type { Status, Verdict } from '../verdict/verdict.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { type NextQuestion, nextQuestions } from './next-questions.ts';
import { bestFirst, compare } from './verdict-order.ts';

/** How many carriers and policy types stand at each status. */
export type Counts = Readonly<Record<Status, number>>;

/**
 * What all carriers of a catalog say of one property. Plain data to whoever reads it, spreads it or writes it as
 * JSON; verdicts are put into words, and questions counted, when they are first read.
 */
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

/** Counts answers by status. */
export function countStatuses(statuses: Iterable<Verdict['status']>, notOffered: number): Counts {
  const counts = { ...noCounts, not_offered: notOffered };
  for (const status of statuses) counts[status]++;
  return counts;
}

/** A decision whose verdicts are written when they are read: `write` gives them by name, policy type and key. */
export function lazyDecision(counts: Counts, write: () => readonly Verdict[], vocabulary: Vocabulary): Decision {
  let verdicts: readonly Verdict[] | undefined;
  let questions: readonly NextQuestion[] | undefined;
  const written = () => {
    verdicts ??= bestFirst(write());
    return verdicts;
  };
  return {
    counts,
    get verdicts() {
      return written();
    },
    get nextQuestions() {
      questions ??= nextQuestions(written(), vocabulary);
      return questions;
    },
  };
}

/** A decision of verdicts in any order. */
export function decisionOf(property: Property, verdicts: readonly Verdict[], notOffered: number): Decision {
  const { policyTypes } = property.vocabulary;
  const counts = countStatuses(
    verdicts.map(({ status }) => status),
    notOffered,
  );
  const byName = () =>
    [...verdicts].sort(
      (a, b) =>
        compare(a.carrierName, b.carrierName) ||
        policyTypes.indexOf(a.policyType) - policyTypes.indexOf(b.policyType) ||
        compare(a.carrierKey, b.carrierKey),
    );
  return lazyDecision(counts, byName, property.vocabulary);
}
