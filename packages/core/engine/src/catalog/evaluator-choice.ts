import { isCompiled } from '../compiled/compile-program.ts';
import { compiledProgram } from '../compiled/compiled-programs.ts';
import { isLadder } from '../compiled/ladder.ts';
import type { CarrierRules } from '../verdict/carrier-rules.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** Evaluator of one version of a carrier's rules. */
export interface EvaluatorChoice {
  readonly carrierKey: string;
  readonly version: string;
  readonly evaluator: 'compiled' | 'reference';
  /** Reason for using json-rules-engine. */
  readonly reason?: string;
}

/** @param compiled false if the catalog evaluates all rules with json-rules-engine */
export function choiceOf({ ruleSet }: CarrierRules, vocabulary: Vocabulary, compiled: boolean): EvaluatorChoice {
  const of = { carrierKey: ruleSet.carrierKey, version: ruleSet.version };
  if (!compiled) return { ...of, evaluator: 'reference', reason: 'requested by the option evaluator' };
  const year = Number(ruleSet.effectiveFrom.slice(0, 4));
  for (const policyType of vocabulary.policyTypes) {
    const program = compiledProgram(ruleSet, policyType, year, vocabulary);
    if (program && !isCompiled(program) && !isLadder(program))
      return { ...of, evaluator: 'reference', reason: program.reason };
  }
  return { ...of, evaluator: 'compiled' };
}
