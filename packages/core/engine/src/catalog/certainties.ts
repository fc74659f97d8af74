import type { Carrier } from './versions.ts';

const byCarriers = new WeakMap<readonly Carrier[], readonly number[]>();

/**
 * The certainties of the carriers' rule sets, lowest first, for `rangesByCertainty` of properties.
 *
 * @example certaintiesOf(catalog); // [0.9, 0.95]
 */
export function certaintiesOf({ carriers }: { readonly carriers: readonly Carrier[] }): readonly number[] {
  let certainties = byCarriers.get(carriers);
  if (!certainties) {
    const all = carriers.flatMap(({ versions }) => versions.flatMap(({ ruleSet }) => ruleSet.certainty ?? []));
    certainties = [...new Set(all)].sort((a, b) => a - b);
    byCarriers.set(carriers, certainties);
  }
  return certainties;
}
