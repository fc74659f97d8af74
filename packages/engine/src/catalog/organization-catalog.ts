import type { Fault } from '@leeward/terms';
import type { Property } from '../request/property.ts';
import { checkRuleSet } from '../rule-set/check.ts';
import { applyOverride, checkOverride } from '../rule-set/override.ts';
import type { CarrierRules } from '../verdict/verdict-of.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { type Catalog, type CatalogOptions, carriersOf, catalogOf } from './catalog.ts';
import { type Decision, decisionOf } from './decision.ts';
import type { Carrier } from './versions.ts';

/** Whoever can say what carriers think of a property: a catalog, or an organization's view of one. */
export interface Decider {
  readonly vocabulary: Vocabulary;
  readonly options: CatalogOptions;
  /** Everyone who can be asked, with the rules as they apply here. */
  readonly carriers: readonly Carrier[];
  /** Who is asked for a property; absent: everyone. */
  readonly isAppointed?: IsAppointed;
  decide(property: Property): Promise<Decision>;
}

/** Whether an organization may sell a carrier's policy type for this property. */
export type IsAppointed = (carrierKey: string, policyType: string, property: Property) => boolean;

/** What an organization brings: its appointments, rule sets and overrides. */
export interface OrganizationRules {
  /** Everybody's carriers: shared, and not compiled again. */
  readonly base: Catalog;
  readonly isAppointed: IsAppointed;
  /** The organization's own rule sets, as JSON has them; these are judged without an appointment. */
  readonly ownRuleSets: readonly unknown[];
  /** Overrides as JSON has them, of carriers of the base. */
  readonly overrides: readonly unknown[];
}

/** An organization's view, with what of its own did not fit. */
export interface OrganizationCatalog extends Decider {
  /** Own rule sets and overrides that do not fit (any more): left out, and told here. */
  readonly faults: readonly Fault[];
}

/**
 * An organization's view: the carriers of the base that appointed it, its own carriers (`source`
 * organization) and the carriers it tightened (`source` override). Only the last two are compiled for it;
 * the base is judged by its own tables and filtered.
 */
export function createOrganizationCatalog(rules: OrganizationRules): OrganizationCatalog {
  const { base, isAppointed } = rules;
  const { vocabulary } = base;
  const faults: Fault[] = [];
  const own: CarrierRules[] = [];
  rules.ownRuleSets.forEach((file, index) => {
    const checked = checkRuleSet(file, { vocabulary, fromStranger: true });
    if (checked.ruleSet) own.push({ ruleSet: checked.ruleSet, source: 'organization' });
    for (const fault of checked.faults) faults.push({ ...fault, path: `/own_rule_sets/${index}${fault.path}` });
  });
  const overridden = new Map<string, readonly CarrierRules[]>();
  rules.overrides.forEach((file, index) => {
    const { override, faults: found } = checkOverride(file, [], vocabulary);
    for (const fault of found) faults.push({ ...fault, path: `/overrides/${index}${fault.path}` });
    const carrier = override && base.carriers.find((each) => each.key === override.carrierKey);
    if (!override || !carrier) return;
    overridden.set(
      carrier.key,
      carrier.versions.map(({ ruleSet }) => ({
        ruleSet: applyOverride(ruleSet, override),
        source: 'override',
        overrideSha256: override.sha256,
      })),
    );
  });
  const ownKeys = new Set(own.map((each) => each.ruleSet.carrierKey));
  const apart = catalogOf(carriersOf([...own, ...[...overridden.values()].flat()]), base.options);
  const fromBase: IsAppointed = (carrierKey, policyType, property) =>
    !overridden.has(carrierKey) && !ownKeys.has(carrierKey) && isAppointed(carrierKey, policyType, property);
  const fromApart: IsAppointed = (carrierKey, policyType, property) =>
    ownKeys.has(carrierKey) || isAppointed(carrierKey, policyType, property);
  return {
    vocabulary,
    options: base.options,
    carriers: [...base.carriers.filter(({ key }) => !overridden.has(key) && !ownKeys.has(key)), ...apart.carriers],
    isAppointed: fromApart,
    faults,
    async decide(property) {
      const parts = await Promise.all([
        base.decide(property, { isAppointed: fromBase }),
        apart.decide(property, { isAppointed: fromApart }),
      ]);
      const notOffered = parts.reduce((sum, part) => sum + part.counts.not_offered, 0);
      const verdicts = parts.flatMap((part) => part.verdicts);
      return property.counties?.length === 0 ? parts[0] : decisionOf(property, verdicts, notOffered);
    },
  };
}
