import type { Leaf } from '../condition/condition.ts';
import type { Almanac } from '../reference/almanac.ts';
import { readTestedFacts, testedFacts } from '../reference/fact-uses.ts';
import type { Rule } from '../rule-set/rule-set.ts';

export type HostAnswers = ReadonlyMap<Leaf, ReadonlyMap<string, unknown>>;

/** The host facts of some rules' tests, by test, because of its `params`. */
export async function hostAnswersOf(
  rules: readonly Rule[],
  almanac: Almanac,
  policyType: string,
): Promise<HostAnswers> {
  const readFact = await readTestedFacts(rules, almanac, policyType);
  const answers = new Map<Leaf, Map<string, unknown>>();
  for (const { leaf, name, params } of testedFacts(rules, almanac)) {
    const ofLeaf = answers.get(leaf) ?? new Map<string, unknown>();
    answers.set(leaf, ofLeaf.set(name, readFact(name, params)));
  }
  return answers;
}
