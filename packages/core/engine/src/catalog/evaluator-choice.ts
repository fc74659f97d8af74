import { isCompiled } from '../compiled/compile-program.ts';
import { compiledProgram } from '../compiled/compiled-programs.ts';
import type { CarrierRules } from '../verdict/carrier-rules.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** Who judges one version of a carrier's rules. */
export interface EvaluatorChoice {
  readonly carrierKey: string;
  readonly version: string;
  readonly evaluator: 'compiled' | 'reference';
  /** Why the reference judges it. */
  readonly reason?: string;
}

/** Who judges a version; `compiled`: whether any is compiled at all. */
export function choiceOf({ ruleSet }: CarrierRules, vocabulary: Vocabulary, compiled: boolean): EvaluatorChoice {
  const of = { carrierKey: ruleSet.carrierKey, version: ruleSet.version };
  if (!compiled) return { ...of, evaluator: 'reference', reason: 'asked for' };
  const year = Number(ruleSet.effectiveFrom.slice(0, 4));
  for (const policyType of vocabulary.policyTypes) {
    const program = compiledProgram(ruleSet, policyType, year, vocabulary);
    if (program && !isCompiled(program)) return { ...of, evaluator: 'reference', reason: program.reason };
  }
  return { ...of, evaluator: 'compiled' };
}
