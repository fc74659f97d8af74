import type { RuleSet } from '../rule-set/rule-set.ts';
import type { CarrierRules } from '../verdict/carrier-rules.ts';
import { carriersOf } from './carriers-of.ts';
import type { CatalogOptions } from './catalog-options.ts';
import { type CatalogEntry, checkEntries } from './check-entries.ts';
import { RuleSetError } from './rule-set-error.ts';
import type { Carrier } from './versions.ts';

/** A change of a catalog. */
export interface CatalogChange {
  /** Each replaces the version of its carrier with the same version name or the same `from`. */
  readonly put?: readonly CatalogEntry[];
  readonly remove?: readonly CarrierVersion[];
}

/** A carrier, or one of its versions. */
export interface CarrierVersion {
  readonly carrierKey: string;
  readonly version?: string;
}

/**
 * Returns the carriers after a change. Unchanged carriers keep their position and are not checked or compiled again.
 *
 * @throws RuleSetError listing the faults of new files and of removals
 */
export function changedCarriers(
  carriers: readonly Carrier[],
  { put = [], remove = [] }: CatalogChange,
  options: CatalogOptions,
): Carrier[] {
  const unknown = remove.filter((each) => !carriers.some(({ versions }) => versions.some(isVersionOf(each))));
  if (unknown.length > 0) {
    throw new RuleSetError(
      unknown.map(({ carrierKey, version }) => ({
        source: carrierKey,
        path: '',
        code: 'unknown_carrier',
        message: `Cannot remove ${version === undefined ? '' : `version "${version}" of `}carrier "${carrierKey}": it is not in the catalog.`,
      })),
    );
  }
  const added = checkEntries(put, options);
  const stays = ({ ruleSet }: CarrierRules) =>
    !remove.some((each) => isVersionOf(each)({ ruleSet })) && !added.some((each) => replaces(each.ruleSet, ruleSet));
  const changed = new Map(carriers.map(({ key, versions }) => [key, versions.filter(stays)]));
  for (const each of added) {
    const { carrierKey } = each.ruleSet;
    changed.set(carrierKey, [...(changed.get(carrierKey) ?? []), { ruleSet: each.ruleSet, source: each.source }]);
  }
  return carriersOf([...changed.values()].flat());
}

function isVersionOf({ carrierKey, version }: CarrierVersion): (rules: Pick<CarrierRules, 'ruleSet'>) => boolean {
  return ({ ruleSet }) => ruleSet.carrierKey === carrierKey && (version ?? ruleSet.version) === ruleSet.version;
}

function replaces(newer: RuleSet, older: RuleSet): boolean {
  if (newer.carrierKey !== older.carrierKey) return false;
  return newer.version === older.version || newer.effectiveFrom === older.effectiveFrom;
}
