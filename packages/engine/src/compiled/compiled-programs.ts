import type { RuleSet } from '../rule-set/rule-set.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { type CompiledProgram, compileProgram, type NotCompiled } from './compile-program.ts';

/** Effective years kept a rule set: a caller who walks through centuries must not fill the memory. */
const YEARS_KEPT = 4;

type Answer = CompiledProgram | NotCompiled | undefined;
const byRuleSet = new WeakMap<RuleSet, Map<number, Map<string, Answer>>>();

/**
 * A rule set's program for a policy type and effective year, compiled once: every catalog that holds the
 * rule set shares it.
 */
export function compiledProgram(
  ruleSet: RuleSet,
  policyType: string,
  effectiveYear: number,
  vocabulary: Vocabulary,
): Answer {
  const years = byRuleSet.get(ruleSet) ?? new Map<number, Map<string, Answer>>();
  byRuleSet.set(ruleSet, years);
  const types = years.get(effectiveYear) ?? new Map<string, Answer>();
  if (!years.has(effectiveYear)) {
    if (years.size >= YEARS_KEPT) years.delete(years.keys().next().value!);
    years.set(effectiveYear, types);
  }
  if (types.has(policyType)) return types.get(policyType);
  const answer = compileProgram(ruleSet, policyType, effectiveYear, vocabulary);
  types.set(policyType, answer);
  return answer;
}
