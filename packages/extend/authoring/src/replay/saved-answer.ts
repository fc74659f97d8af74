import type { Decision, Status, Verdict } from '@leeward/engine';
import { canonicalJson } from '@leeward/terms';

/** The answer of a carrier to a home, in the form of `expect` in `cases.json`. */
export interface SavedAnswer {
  readonly status: Status;
  /** Distinct codes of the reasons and of the requirements that certainly apply, sorted. */
  readonly codes: readonly string[];
  readonly missing_fields: readonly string[];
  /** Certain terms by name. Absent if there are none. */
  readonly terms?: Readonly<Record<string, SavedTerm>>;
  /** Program id of the tier that takes or refers the home. Absent if there is none, or if it is open. */
  readonly tier?: string;
}

/** Bounds of a term. */
export interface SavedTerm {
  readonly min?: number;
  readonly max?: number;
  readonly one_of?: readonly string[];
  readonly applies?: true;
}

/** Answers by carrier key, then by policy type. Missing ones are `not_offered`. */
export type SavedAnswers = Readonly<Record<string, Readonly<Record<string, SavedAnswer>>>>;

export function answerOfVerdict(verdict: Verdict | undefined): SavedAnswer {
  if (!verdict) return { status: 'not_offered', codes: [], missing_fields: [] };
  const codes = new Set([...verdict.reasons, ...verdict.requirements].map(({ code }) => code));
  return {
    status: verdict.status,
    codes: [...codes].sort(),
    missing_fields: [...verdict.missingFields].sort(),
    ...(verdict.terms ? { terms: savedTerms(verdict.terms) } : {}),
    ...(verdict.tier ? { tier: verdict.tier.programId } : {}),
  };
}

function savedTerms(terms: NonNullable<Verdict['terms']>): Record<string, SavedTerm> {
  return Object.fromEntries(
    Object.entries(terms)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { min, max, oneOf, applies }]) => [
        name,
        {
          ...(min === undefined ? {} : { min }),
          ...(max === undefined ? {} : { max }),
          ...(oneOf ? { one_of: oneOf } : {}),
          ...(applies ? { applies } : {}),
        },
      ]),
  );
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

/** True if two answers have the same status, codes, missing fields, terms and tier. */
export function isSameAnswer(a: SavedAnswer, b: SavedAnswer): boolean {
  const same = (x: readonly string[], y: readonly string[]) =>
    x.length === y.length && x.every((text, index) => text === y[index]);
  const isSame = a.status === b.status && same(a.codes, b.codes) && same(a.missing_fields, b.missing_fields);
  return isSame && a.tier === b.tier && isSameTerms(a.terms, b.terms);
}

/** True if two answers have the same terms, in any order of keys. */
export function isSameTerms(a: SavedAnswer['terms'], b: SavedAnswer['terms']): boolean {
  return canonicalJson(a ?? {}) === canonicalJson(b ?? {});
}
