import type { RuleSet } from '../rule-set/rule-set.ts';
import type { CarrierRules } from '../verdict/carrier-rules.ts';
import { carriersOf } from './carriers-of.ts';
import type { CatalogOptions } from './catalog-options.ts';
import { type CatalogEntry, checkEntries } from './check-entries.ts';
import { RuleSetError } from './rule-set-error.ts';
import type { Carrier } from './versions.ts';

/** What changes from one catalog to the next. */
export interface CatalogChange {
  /** New rule sets: each takes the place of the one of its carrier with the same version or the same `from`. */
  readonly put?: readonly CatalogEntry[];
  /** Carriers that leave, or one version of one. */
  readonly remove?: readonly CarrierVersion[];
}

/** A carrier, or one version of it. */
export interface CarrierVersion {
  readonly carrierKey: string;
  readonly version?: string;
}

/**
 * Carriers after a change: whoever stays keeps its place, and is neither checked nor compiled again. Throws a
 * `RuleSetError` with all that is wrong with the new files, or with what is to be removed.
 */
export function changedCarriers(
  carriers: readonly Carrier[],
  { put = [], remove = [] }: CatalogChange,
  options: CatalogOptions,
): Carrier[] {
  const unknown = remove.filter((each) => !carriers.some(({ versions }) => versions.some(isMeant(each))));
  if (unknown.length > 0) {
    throw new RuleSetError(
      unknown.map(({ carrierKey, version }) => ({
        source: carrierKey,
        path: '',
        code: 'unknown_carrier',
        message: `There is no ${version === undefined ? '' : `version "${version}" of a `}carrier "${carrierKey}" to remove.`,
      })),
    );
  }
  const added = checkEntries(put, options);
  const stays = ({ ruleSet }: CarrierRules) =>
    !remove.some((each) => isMeant(each)({ ruleSet })) && !added.some((each) => replaces(each.ruleSet, ruleSet));
  const changed = new Map(carriers.map(({ key, versions }) => [key, versions.filter(stays)]));
  for (const each of added) {
    const { carrierKey } = each.ruleSet;
    changed.set(carrierKey, [...(changed.get(carrierKey) ?? []), { ruleSet: each.ruleSet, source: each.source }]);
  }
  return carriersOf([...changed.values()].flat());
}

function isMeant({ carrierKey, version }: CarrierVersion): (rules: Pick<CarrierRules, 'ruleSet'>) => boolean {
  return ({ ruleSet }) => ruleSet.carrierKey === carrierKey && (version ?? ruleSet.version) === ruleSet.version;
}

function replaces(newer: RuleSet, older: RuleSet): boolean {
  if (newer.carrierKey !== older.carrierKey) return false;
  return newer.version === older.version || newer.effectiveFrom === older.effectiveFrom;
}
