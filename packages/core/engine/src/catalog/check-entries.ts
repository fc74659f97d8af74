import type { Fault } from '@leeward/terms';
import { type CheckedRuleSet, type CheckOptions, checkRuleSet } from '../rule-set/check.ts';
import type { RuleChecker } from '../rule-set/rule-checker.ts';
import type { CarrierRules } from '../verdict/carrier-rules.ts';
import type { Source } from '../verdict/verdict.ts';
import type { CatalogOptions } from './catalog-options.ts';
import { RuleSetError } from './rule-set-error.ts';

/** A rule set for a catalog: a file as JSON has it, where it comes from, and for whom. */
export interface CatalogEntry {
  readonly file: unknown;
  /** Named in faults: a path, a row. Default: its place in the list. */
  readonly name?: string;
  readonly source?: Source;
  /** Result of a check of `file` that was made elsewhere, as on a worker thread. The file is then not checked again. */
  readonly checked?: CheckedRuleSet;
}

type NamedRules = CarrierRules & { readonly name: string };

/**
 * Checks the files of a catalog with a checker, such as one on a thread, one after the other.
 *
 * @returns the entries with `checked`, for `createCatalog` or `catalog.update`, which then check nothing again.
 *
 * @example
 * const entries = await checkEntriesWith(createThreadChecker({ pool }), files.map((file) => ({ file })));
 * const catalog = createCatalog(entries);
 */
export async function checkEntriesWith(
  checker: RuleChecker,
  entries: readonly CatalogEntry[],
  options: CatalogOptions = {},
): Promise<CatalogEntry[]> {
  const checked: CatalogEntry[] = [];
  for (const entry of entries) {
    checked.push({ ...entry, checked: await checker.checkRuleSet(entry.file, checkOptionsOf(options)) });
  }
  return checked;
}

/** Checks files. Throws a `RuleSetError` with the faults of all. */
export function checkEntries(entries: readonly CatalogEntry[], options: CatalogOptions): NamedRules[] {
  const faults: (Fault & { source: string })[] = [];
  const rules: NamedRules[] = [];
  for (const [index, entry] of entries.entries()) {
    const name = entry.name ?? `rule set ${index + 1}`;
    const checked = entry.checked ?? checkForCatalog(entry.file, options);
    for (const fault of checked.faults) faults.push({ ...fault, source: name });
    if (checked.ruleSet) rules.push({ ruleSet: checked.ruleSet, source: entry.source ?? 'catalog', name });
  }
  faults.push(...versionFaults(rules));
  if (faults.length > 0) throw new RuleSetError(faults);
  return rules;
}

function checkForCatalog(file: unknown, options: CatalogOptions): CheckedRuleSet {
  return checkRuleSet(file, checkOptionsOf(options));
}

function checkOptionsOf({ vocabulary, facts, operators }: CatalogOptions): CheckOptions {
  const names = (record: object | undefined) => new Set(Object.keys(record ?? {}));
  return {
    ...(vocabulary ? { vocabulary } : {}),
    host: { facts: names(facts), operators: names(operators) },
  };
}

/** Two versions of one carrier that begin on the same date leave nobody knowing which applies. */
function versionFaults(rules: readonly (CarrierRules & { name: string })[]): (Fault & { source: string })[] {
  const seen = new Map<string, string>();
  const faults: (Fault & { source: string })[] = [];
  for (const { ruleSet, name } of rules) {
    const key = `${ruleSet.carrierKey} ${ruleSet.effectiveFrom}`;
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, name);
      continue;
    }
    const message = `"${ruleSet.carrierKey}" has another version from ${ruleSet.effectiveFrom} (${first}); give one of them another date.`;
    faults.push({ source: name, path: '/effective/from', code: 'same_effective_date', message });
  }
  return faults;
}
