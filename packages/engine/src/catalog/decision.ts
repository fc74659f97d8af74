import type { Status, Verdict } from '../verdict/verdict.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { type NextQuestion, nextQuestions } from './next-questions.ts';
import { type NotJudged, type NotOffered, nobodySilent, type SilentCarriers } from './silent-carriers.ts';
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
  /**
   * Carriers that offer a policy type not at all, each with why. Found when read, and no part of the decision as JSON,
   * nor of what is spread.
   */
  readonly notOffered: readonly NotOffered[];
  /** Carriers that were asked and could not be judged: nothing is known of them. Likewise. */
  readonly notJudged: readonly NotJudged[];
}

const noCounts: Counts = { eligible: 0, referral: 0, needs_information: 0, ineligible: 0, not_offered: 0 };

export function emptyDecision(): Decision {
  return silently({ counts: noCounts, verdicts: [], nextQuestions: [] }, () => nobodySilent);
}

/** Counts answers by status. */
export function countStatuses(statuses: Iterable<Verdict['status']>, notOffered: number): Counts {
  const counts = { ...noCounts, not_offered: notOffered };
  for (const status of statuses) counts[status]++;
  return counts;
}

/** Adds who is silent: found when read, and not enumerated, so that the decision as JSON is what it always was. */
export function silently(
  told: Pick<Decision, 'counts' | 'verdicts' | 'nextQuestions'>,
  find: () => SilentCarriers,
): Decision {
  let found: SilentCarriers | undefined;
  const silent = () => {
    found ??= find();
    return found;
  };
  return Object.defineProperties(told, {
    notOffered: { get: () => silent().notOffered },
    notJudged: { get: () => silent().notJudged },
  }) as Decision;
}

/** A decision whose verdicts are written when they are read: `write` gives them by name, policy type and key. */
export function lazyDecision(
  counts: Counts,
  write: () => readonly Verdict[],
  vocabulary: Vocabulary,
  silent: () => SilentCarriers,
): Decision {
  let verdicts: readonly Verdict[] | undefined;
  let questions: readonly NextQuestion[] | undefined;
  const written = () => {
    verdicts ??= bestFirst(write());
    return verdicts;
  };
  const told = {
    counts,
    get verdicts() {
      return written();
    },
    get nextQuestions() {
      questions ??= nextQuestions(written(), vocabulary);
      return questions;
    },
  };
  return silently(told, silent);
}

/** One decision of several parts, which ask different carriers. */
export function mergeDecisions(
  parts: readonly Decision[],
  vocabulary: Vocabulary,
  silent: () => SilentCarriers,
): Decision {
  const counts = { ...noCounts };
  for (const part of parts) {
    for (const [status, count] of Object.entries(part.counts) as [Status, number][]) counts[status] += count;
  }
  const { policyTypes } = vocabulary;
  const byName = () =>
    parts
      .flatMap(({ verdicts }) => verdicts)
      .sort(
        (a, b) =>
          compare(a.carrierName, b.carrierName) ||
          policyTypes.indexOf(a.policyType) - policyTypes.indexOf(b.policyType) ||
          compare(a.carrierKey, b.carrierKey),
      );
  return lazyDecision(counts, byName, vocabulary, silent);
}
