import type { RuleSet } from '../rule-set/rule-set.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { type CompiledProgram, compileProgram, isCompiled, type NotCompiled } from './compile-program.ts';
import { type CompiledLadder, isLadder, ladderAt, withLadder } from './ladder.ts';
import { programAtYear } from './program-at-year.ts';

/** Maximum number of cached effective years of a rule set. */
const MAX_CACHED_YEARS = 4;

type Answer = CompiledProgram | CompiledLadder | NotCompiled | undefined;
const byRuleSet = new WeakMap<RuleSet, Map<number, Map<string, Answer>>>();

/** The compiled program or ladder of a rule set for a policy type and effective year. Cached by rule set, for all catalogs. */
export function compiledProgram(
  ruleSet: RuleSet,
  policyType: string,
  effectiveYear: number,
  vocabulary: Vocabulary,
): Answer {
  const typesOfYear = typesOf(ruleSet, effectiveYear);
  if (typesOfYear?.has(policyType)) return typesOfYear.get(policyType);
  const answer =
    fromAnotherYear(ruleSet, policyType, effectiveYear) ??
    withLadder(compileProgram(ruleSet, policyType, effectiveYear, vocabulary));
  const years = byRuleSet.get(ruleSet) ?? new Map<number, Map<string, Answer>>();
  byRuleSet.set(ruleSet, years);
  const types = years.get(effectiveYear) ?? new Map<string, Answer>();
  if (!years.has(effectiveYear)) {
    if (years.size >= MAX_CACHED_YEARS) years.delete(years.keys().next().value!);
    years.set(effectiveYear, types);
  }
  types.set(policyType, answer);
  return answer;
}

export function forgetCompiled(ruleSet: RuleSet): void {
  byRuleSet.delete(ruleSet);
}

function typesOf(ruleSet: RuleSet, effectiveYear: number): Map<string, Answer> | undefined {
  return byRuleSet.get(ruleSet)?.get(effectiveYear);
}

/** Reuses the program of another year if its terms are the same. */
function fromAnotherYear(ruleSet: RuleSet, policyType: string, effectiveYear: number): Answer {
  for (const types of byRuleSet.get(ruleSet)?.values() ?? []) {
    const other = types.get(policyType);
    if (!other) continue;
    if (isLadder(other)) return ladderAt(other, (program) => programAtYear(program, effectiveYear));
    return isCompiled(other) ? programAtYear(other, effectiveYear) : other;
  }
  return undefined;
}
