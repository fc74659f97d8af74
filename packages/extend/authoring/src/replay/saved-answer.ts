import type { Decision, Status, Verdict } from '@leeward/engine';

/** What was said of a home, as cases expect it and in their words. */
export interface SavedAnswer {
  readonly status: Status;
  /** Of the reasons and of the requirements that certainly apply, each once, in alphabetical order. */
  readonly codes: readonly string[];
  readonly missing_fields: readonly string[];
}

/** By carrier, then by policy type; whoever is not here offered nothing. */
export type SavedAnswers = Readonly<Record<string, Readonly<Record<string, SavedAnswer>>>>;

/** A verdict without its words; none: the policy type is not offered. */
export function answerOfVerdict(verdict: Verdict | undefined): SavedAnswer {
  if (!verdict) return { status: 'not_offered', codes: [], missing_fields: [] };
  const codes = new Set([...verdict.reasons, ...verdict.requirements].map(({ code }) => code));
  return { status: verdict.status, codes: [...codes].sort(), missing_fields: [...verdict.missingFields].sort() };
}

/** What all carriers said. */
export function answersOf({ verdicts }: Pick<Decision, 'verdicts'>): SavedAnswers {
  const answers: Record<string, Record<string, SavedAnswer>> = {};
  for (const verdict of verdicts) {
    const { carrierKey, policyType } = verdict;
    if (!Object.hasOwn(answers, carrierKey)) answers[carrierKey] = {};
    answers[carrierKey]![policyType] = answerOfVerdict(verdict);
  }
  return answers;
}

/** Whether two answers are one: alike in status, codes and what is missing. */
export function isSameAnswer(a: SavedAnswer, b: SavedAnswer): boolean {
  const same = (x: readonly string[], y: readonly string[]) =>
    x.length === y.length && x.every((text, index) => text === y[index]);
  return a.status === b.status && same(a.codes, b.codes) && same(a.missing_fields, b.missing_fields);
}
