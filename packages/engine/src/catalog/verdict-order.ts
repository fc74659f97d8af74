import type { Verdict } from '../verdict/verdict.ts';
import type { Era } from './eras.ts';

const byEra = new WeakMap<Era, readonly (readonly number[])[]>();

/** Carriers of an era by name, then by key; those of one name together. */
export function carriersByName(era: Era): readonly (readonly number[])[] {
  let order = byEra.get(era);
  if (!order) {
    const byName = new Map<string, number[]>();
    era.versions.forEach((version, carrier) => {
      if (!version) return;
      const { carrierName } = version.ruleSet;
      byName.set(carrierName, [...(byName.get(carrierName) ?? []), carrier]);
    });
    const keyOf = (carrier: number) => era.versions[carrier]!.ruleSet.carrierKey;
    order = [...byName]
      .sort(([a], [b]) => compare(a, b))
      .map(([, carriers]) => carriers.sort((a, b) => compare(keyOf(a), keyOf(b))));
    byEra.set(era, order);
  }
  return order;
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const STATUS_ORDER: readonly Verdict['status'][] = ['eligible', 'referral', 'needs_information', 'ineligible'];

/** Best first, and of those the ones with the fewest requirements; otherwise as they come. */
export function bestFirst(verdicts: readonly Verdict[]): Verdict[] {
  const ordered: Verdict[] = [];
  for (const status of STATUS_ORDER) {
    const from = ordered.length;
    let most = 0;
    for (const verdict of verdicts) {
      if (verdict.status !== status) continue;
      ordered.push(verdict);
      most = Math.max(most, verdict.requirements.length);
    }
    if (most === 0) continue;
    const sorted = ordered.splice(from).sort((a, b) => a.requirements.length - b.requirements.length);
    for (const verdict of sorted) ordered.push(verdict);
  }
  return ordered;
}
