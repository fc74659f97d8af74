import type { Leaf } from '../condition/condition.ts';
import type { Almanac } from '../reference/almanac.ts';
import { readTestedFacts, testedFacts } from '../reference/fact-uses.ts';
import type { Rule } from '../rule-set/rule-set.ts';

/** For each test that uses host facts: these facts by name. */
export type HostAnswers = ReadonlyMap<Leaf, ReadonlyMap<string, unknown>>;

/** Returns the host facts that the tests of some rules read, for each test with its `params`. */
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
