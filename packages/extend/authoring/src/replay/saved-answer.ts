import type { Decision, Status, Verdict } from '@leeward/engine';

/** The answer of a carrier to a home, in the form of `expect` in `cases.json`. */
export interface SavedAnswer {
  readonly status: Status;
  /** Distinct codes of the reasons and of the requirements that certainly apply, in alphabetical order. */
  readonly codes: readonly string[];
  readonly missing_fields: readonly string[];
}

/** Answers by carrier key, then by policy type. Missing ones are `not_offered`. */
export type SavedAnswers = Readonly<Record<string, Readonly<Record<string, SavedAnswer>>>>;

/** The answer of a verdict. Without a verdict, the policy type is not offered. */
export function answerOfVerdict(verdict: Verdict | undefined): SavedAnswer {
  if (!verdict) return { status: 'not_offered', codes: [], missing_fields: [] };
  const codes = new Set([...verdict.reasons, ...verdict.requirements].map(({ code }) => code));
  return { status: verdict.status, codes: [...codes].sort(), missing_fields: [...verdict.missingFields].sort() };
}

/**
 * The answers of all carriers of a decision.
 *
 * @example
 * answersOf(decision)['bayou']?.['ho3']?.status; // eligible
 */
export function answersOf({ verdicts }: Pick<Decision, 'verdicts'>): SavedAnswers {
  const answers: Record<string, Record<string, SavedAnswer>> = {};
  for (const verdict of verdicts) {
    const { carrierKey, policyType } = verdict;
    if (!Object.hasOwn(answers, carrierKey)) answers[carrierKey] = {};
    answers[carrierKey]![policyType] = answerOfVerdict(verdict);
  }
  return answers;
}

/** True if two answers have the same status, codes and missing fields. */
export function isSameAnswer(a: SavedAnswer, b: SavedAnswer): boolean {
  const same = (x: readonly string[], y: readonly string[]) =>
    x.length === y.length && x.every((text, index) => text === y[index]);
  return a.status === b.status && same(a.codes, b.codes) && same(a.missing_fields, b.missing_fields);
}
