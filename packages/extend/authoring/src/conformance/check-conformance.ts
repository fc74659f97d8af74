import { type AnswerCase, createAnswerCase } from './answer-case.ts';
import { answerParts, type ConformanceAnswer, readCorpus } from './corpus.ts';

/** One part of an answer that is not as the corpus has it. */
export interface Divergence {
  readonly caseId: string;
  readonly about: string;
  readonly part: keyof ConformanceAnswer;
  readonly expected: unknown;
  readonly got: unknown;
}

/** How many cases held, and each that did not. */
export interface Conformance {
  readonly cases: number;
  /** Cases answered as the corpus has it, whole. */
  readonly held: number;
  readonly divergences: readonly Divergence[];
}

/**
 * Holds an implementation of the rule format to a corpus; by default this engine. Throws a `RangeError` where the file is
 * no corpus.
 */
export async function checkConformance(file: unknown, implementation?: AnswerCase): Promise<Conformance> {
  const { rule_sets, cases } = readCorpus(file);
  const answerCase = implementation ?? createAnswerCase(rule_sets);
  const divergences: Divergence[] = [];
  let held = 0;
  for (const each of cases) {
    const got = await answerCase(each);
    const parts = answerParts.filter((part) => JSON.stringify(each.expect[part]) !== JSON.stringify(got[part]));
    if (parts.length === 0) held++;
    for (const part of parts) {
      divergences.push({ caseId: each.id, about: each.about, part, expected: each.expect[part], got: got[part] });
    }
  }
  return { cases: cases.length, held, divergences };
}
