import type { Property } from '../request/property.ts';
import type { CarrierRules } from '../verdict/carrier-rules.ts';
import type { DecideOptions } from './catalog.ts';
import { isOffered, type NotOffered } from './decision.ts';
import type { Carrier } from './versions.ts';

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
