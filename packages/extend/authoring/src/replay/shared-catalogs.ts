import type { Catalog, CatalogOptions } from '@leeward/engine';
import type { DecisionRecord } from './decision-record.ts';

/** Catalogs kept for each source of rule sets. */
const CATALOGS_KEPT = 4;

type ByRules = Map<string, Catalog>;
const catalogs = new WeakMap<object, WeakMap<object, ByRules>>();

/** The catalog of a record's rule sets, made once for the records of one source that name the same. */
export async function sharedCatalog(
  { rule_sets, evaluator }: DecisionRecord,
  from: object,
  options: CatalogOptions,
  make: () => Promise<Catalog>,
): Promise<Catalog> {
  const bySource = catalogs.get(from) ?? new WeakMap<object, ByRules>();
  catalogs.set(from, bySource);
  const byRules: ByRules = bySource.get(options) ?? new Map();
  bySource.set(options, byRules);
  const key = JSON.stringify([
    evaluator,
    rule_sets.map((each) => [each.carrier_key, each.sha256, each.override_sha256, each.source]),
  ]);
  const catalog = byRules.get(key) ?? (await make());
  // The latest used stays longest.
  byRules.delete(key);
  byRules.set(key, catalog);
  if (byRules.size > CATALOGS_KEPT) byRules.delete(byRules.keys().next().value!);
  return catalog;
}
