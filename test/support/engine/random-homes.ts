import { createProperty, homeVocabulary, type Property, type RuleSet } from '@leeward/engine';
import { factIndex, forEachRuleLeaf, typicalValue } from '@leeward/engine/compiled';
import { countiesOf } from '@leeward/places/counties';
import { pick } from '../random.ts';

/**
 * Complete homes that meet the borders of some rule sets: values at the limits that their rules name, and
 * to either side of them. `ordinary` is the share of fields that are as in most homes, so that not every home is declined.
 */
export function borderHomes(
  ruleSets: readonly RuleSet[],
  effectiveDate: string,
  asOfMs: number,
  ordinary = 0,
): (random: () => number) => Property {
  const effectiveYear = Number(effectiveDate.slice(0, 4));
  const index = factIndex(homeVocabulary);
  const limits = new Map<string, Set<number>>();
  for (const ruleSet of ruleSets) {
    forEachRuleLeaf(ruleSet, (leaf) => {
      const reference = index.find(leaf.fact);
      if (!reference || reference.kind === 'place') return;
      for (const value of [leaf.value].flat()) {
        if (typeof value !== 'number') continue;
        const at = reference.kind === 'derived' ? reference.derived.cuts(value, { effectiveYear }) : [value];
        const known = limits.get(reference.field.name) ?? new Set();
        for (const each of at) for (const step of [0, 1, -1]) known.add(each + step);
        limits.set(reference.field.name, known);
      }
    });
  }
  const states = [
    ...new Set(ruleSets.flatMap(({ programs }) => programs.flatMap(({ places }) => places.states ?? []))),
  ];
  const offered = [...new Set(ruleSets.flatMap(({ programs }) => programs.flatMap(({ policyTypes }) => policyTypes)))];
  const fields = homeVocabulary.fields
    .filter((field) => !field.isOnDemand)
    .map((field) => {
      const domain = field.domain({ effectiveYear });
      if (domain.kind === 'words') return { name: field.name, values: domain.words };
      const near = [...(limits.get(field.name) ?? [])].filter(
        (value) => value >= domain.min && value <= domain.max && (!domain.integer || Number.isInteger(value)),
      );
      return { name: field.name, values: [...near, domain.min, Math.min(domain.max, 2_000_000)] };
    });
  return (random) => {
    const state = pick(random, states);
    return createProperty({
      vocabulary: homeVocabulary,
      policyType: pick(random, random() < 0.9 ? offered : homeVocabulary.policyTypes),
      state,
      counties: [pick(random, countiesOf(state)).fips],
      values: Object.fromEntries(
        fields.map(({ name, values }) => [
          name,
          random() < ordinary
            ? typicalValue(homeVocabulary, name, effectiveYear)
            : pick(random, values as readonly number[]),
        ]),
      ),
      asOfMs,
      effectiveDate,
    });
  };
}
