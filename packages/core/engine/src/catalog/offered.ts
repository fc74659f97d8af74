import { states } from '@leeward/places/counties';
import type { Property } from '../request/property.ts';
import { coversState } from '../rule-set/places.ts';
import type { RuleSet } from '../rule-set/rule-set.ts';
import type { CarrierRules } from '../verdict/carrier-rules.ts';
import type { DecideOptions } from './catalog.ts';
import { isOffered, type NotOffered } from './decision.ts';
import type { Carrier } from './versions.ts';

/** States in which a rule set offers a policy type, by their places in the list of all. */
export function statesOffered({ programs }: RuleSet, policyType: string): ReadonlySet<number> {
  const offering = programs.filter((program) => program.policyTypes.includes(policyType));
  return new Set(
    states.flatMap(({ code }, index) => (offering.some(({ places }) => coversState(places, code)) ? [index] : [])),
  );
}

/** Who offers a policy type not at all, and why. */
export function notOfferedOf(
  carriers: readonly Carrier[],
  versions: readonly (CarrierRules | undefined)[],
  property: Property,
  policyType: string,
  isAppointed: DecideOptions['isAppointed'],
): NotOffered[] {
  const found: NotOffered[] = [];
  carriers.forEach(({ key, name }, carrier) => {
    const ruleSet = versions[carrier]?.ruleSet;
    const is = (code: NotOffered['code']) =>
      void found.push({ carrierKey: key, carrierName: ruleSet?.carrierName ?? name, policyType, code });
    if (isAppointed?.(key, policyType, property) === false) is('not_appointed');
    else if (!ruleSet) is('no_version');
    else if (!isOffered(ruleSet, policyType, property)) is('no_program');
  });
  return found;
}
