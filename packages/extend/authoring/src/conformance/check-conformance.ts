import { type AnswerCase, createAnswerCase } from './answer-case.ts';
import { answerParts, type ConformanceAnswer, readCorpus } from './corpus.ts';

/** A part of an answer that differs from the corpus. */
export interface Divergence {
  readonly caseId: string;
  readonly about: string;
  readonly part: keyof ConformanceAnswer;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** The number of cases that match, and all differences. */
export interface Conformance {
  readonly cases: number;
  /** Number of cases whose whole answer matches. */
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
    const parts = answerParts.filter((part) => JSON.stringify(each.expect[part]) !== JSON.stringify(actual[part]));
    if (parts.length === 0) matching++;
    for (const part of parts) {
      divergences.push({ caseId: each.id, about: each.about, part, expected: each.expect[part], actual: actual[part] });
    }
  }
  return { cases: cases.length, matching, divergences };
}
