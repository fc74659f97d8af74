import { type AnswerCase, createAnswerCase } from './answer-case.ts';
import { answerParts, type ConformanceAnswer, type ConformanceCase, readCorpus } from './corpus.ts';

/** A part of an answer that differs from the corpus. */
export interface Divergence {
  readonly caseId: string;
  readonly about: string;
  readonly part: keyof ConformanceAnswer;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** The number of cases that match, and all differences. A stronger answer matches where a case allows it. */
export interface Conformance {
  readonly cases: number;
  /** Number of cases without a difference. */
  readonly matching: number;
  readonly divergences: readonly Divergence[];
}

/**
 * Compares an implementation of the rule format with a corpus.
 *
 * @param file Content of `rule-format-1.json`.
 * @param implementation Default: this engine.
 * @throws {RangeError} If the file is not a corpus.
 * @example
 * const { divergences } = await checkConformance(corpus, ({ rule_sets, home }) => myEngine.decide(rule_sets, home));
 */
export async function checkConformance(file: unknown, implementation?: AnswerCase): Promise<Conformance> {
  const { rule_sets, cases } = readCorpus(file);
  const answerCase = implementation ?? createAnswerCase(rule_sets);
  const divergences: Divergence[] = [];
  let matching = 0;
  for (const each of cases) {
    const actual = await answerCase(each);
    const parts = isStronger(each, actual)
      ? []
      : answerParts.filter((part) => JSON.stringify(each.expect[part]) !== JSON.stringify(actual[part]));
    if (parts.length === 0) matching++;
    for (const part of parts) {
      divergences.push({ caseId: each.id, about: each.about, part, expected: each.expect[part], actual: actual[part] });
    }
  }
  return { cases: cases.length, matching, divergences };
}

/**
 * True if the possibilities of an answer to a conservative case are a part of the expected ones. The corpus cannot check that such an
 * answer is right.
 */
function isStronger({ conservative, expect }: ConformanceCase, actual: ConformanceAnswer): boolean {
  if (!conservative) return false;
  const isPartOf = (some: readonly unknown[] = [], all: readonly unknown[] = []) => {
    const texts = new Set(all.map((each) => JSON.stringify(each)));
    return some.every((each) => texts.has(JSON.stringify(each)));
  };
  const possible = ({ status, possible_statuses }: ConformanceAnswer) => possible_statuses ?? [status];
  return (
    possible(actual).length > 0 &&
    isPartOf(possible(actual), possible(expect)) &&
    isPartOf(actual.missing_fields, expect.missing_fields) &&
    isPartOf(expect.requirements, actual.requirements) &&
    isPartOf(actual.possible_requirements, expect.possible_requirements) &&
    isPartOf(actual.requirements, [...(expect.requirements ?? []), ...(expect.possible_requirements ?? [])]) &&
    isPartOf(expect.notes, actual.notes)
  );
}
