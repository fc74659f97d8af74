import type { Leaf } from '../condition/condition.ts';
import { forEachLeaf, valueFact } from '../condition/condition.ts';
import type { Facts } from '../condition/facts.ts';
import type { HostFact } from '../reference/reference-evaluator.ts';
import type { Rule } from '../rule-set/rule-set.ts';

/** For each test that rests on the host: the host's facts as they answered it. */
export type HostAnswers = ReadonlyMap<Leaf, ReadonlyMap<string, unknown>>;

/** Asks the host for what the tests of these rules rest on, each test with its own `params`. */
export async function askHost(
  rules: readonly Rule[],
  hostFacts: Readonly<Record<string, HostFact>>,
  facts: Facts,
): Promise<HostAnswers> {
  const answers = new Map<Leaf, Map<string, unknown>>();
  const seen = new Set<Rule['condition']>();
  const leaves: Leaf[] = [];
  for (const rule of rules) forEachLeaf(rule.condition, (leaf) => void leaves.push(leaf), seen);
  for (const leaf of leaves) {
    const other = valueFact(leaf.value);
    const asked = new Map<string, unknown>();
    for (const [name, params] of [
      [leaf.fact, leaf.params] as const,
      ...(other ? [[other.fact, other.params] as const] : []),
    ]) {
      if (!Object.hasOwn(hostFacts, name)) continue;
      const fact = hostFacts[name];
      asked.set(name, typeof fact === 'function' ? await fact(params ?? {}, facts) : fact);
    }
    if (asked.size > 0) answers.set(leaf, asked);
  }
  return answers;
}
