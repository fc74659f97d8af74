import { createProperty, homeVocabulary, type Property, type RuleSet, type WrittenItem } from '@leeward/engine';
import { factIndex, forEachRuleLeaf, sourcesOf, typicalValue } from '@leeward/engine/compiled';
import { countiesOf } from '@leeward/places/counties';
import { pick, wholeNumber } from '../random.ts';

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
  const computedFrom = new Set<string>();
  for (const ruleSet of ruleSets) {
    forEachRuleLeaf(ruleSet, (leaf) => {
      if (leaf.computed) for (const name of sourcesOf(leaf.computed)) computedFrom.add(name);
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
    .filter((field) => !field.isOnDemand || computedFrom.has(field.name))
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
      values: {
        ...Object.fromEntries(
          fields.map(({ name, values }) => [
            name,
            random() < ordinary
              ? typicalValue(homeVocabulary, name, effectiveYear)
              : pick(random, values as readonly number[]),
          ]),
        ),
        ...randomLists(computedFrom, random, effectiveYear),
      },
      asOfMs,
      effectiveDate,
    });
  };
}

/** Up to three items of each list that a rule counts, with ages around three years. */
function randomLists(
  names: ReadonlySet<string>,
  random: () => number,
  effectiveYear: number,
): Record<string, readonly WrittenItem[]> {
  const lists = homeVocabulary.lists!.filter(({ name }) => names.has(name));
  return Object.fromEntries(
    lists.map(({ name, fields }) => [
      name,
      Array.from({ length: wholeNumber(random, 0, 3) }, () =>
        Object.fromEntries(
          fields.map((field): [string, string | number | boolean] => {
            if (field.kind === 'word') return [field.name, pick(random, field.words)];
            if (field.kind === 'flag') return [field.name, random() < 0.5];
            if (field.kind === 'number') return [field.name, wholeNumber(random, field.min, 50_000)];
            return [field.name, `${effectiveYear - wholeNumber(random, 0, 5)}-0${wholeNumber(random, 1, 9)}-11`];
          }),
        ),
      ),
    ]),
  );
}
