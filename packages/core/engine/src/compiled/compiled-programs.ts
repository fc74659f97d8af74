import type { RuleSet } from '../rule-set/rule-set.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { type CompiledProgram, compileProgram, isCompiled, type NotCompiled } from './compile-program.ts';
import { programAtYear } from './program-at-year.ts';

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
  const known = typesOf(ruleSet, effectiveYear);
  if (known?.has(policyType)) return known.get(policyType);
  const answer =
    fromAnotherYear(ruleSet, policyType, effectiveYear) ??
    compileProgram(ruleSet, policyType, effectiveYear, vocabulary);
  const years = byRuleSet.get(ruleSet) ?? new Map<number, Map<string, Answer>>();
  byRuleSet.set(ruleSet, years);
  const types = years.get(effectiveYear) ?? new Map<string, Answer>();
  if (!years.has(effectiveYear)) {
    if (years.size >= YEARS_KEPT) years.delete(years.keys().next().value!);
    years.set(effectiveYear, types);
  }
  types.set(policyType, answer);
  return answer;
}

/** Drops what was compiled of a rule set; it is compiled again when it is next judged by. */
export function forgetCompiled(ruleSet: RuleSet): void {
  byRuleSet.delete(ruleSet);
}

function typesOf(ruleSet: RuleSet, effectiveYear: number): Map<string, Answer> | undefined {
  return byRuleSet.get(ruleSet)?.get(effectiveYear);
}

/** Years change little: what was compiled for one is used for another where its terms are the same. */
function fromAnotherYear(ruleSet: RuleSet, policyType: string, effectiveYear: number): Answer {
  for (const types of byRuleSet.get(ruleSet)?.values() ?? []) {
    const other = types.get(policyType);
    if (!other) continue;
    return isCompiled(other) ? programAtYear(other, effectiveYear) : other;
  }
  return undefined;
}
