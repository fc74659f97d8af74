import type { Fault } from '@leeward/terms';
import { type CheckedRuleSet, type CheckOptions, checkRuleSet } from '../rule-set/check.ts';
import type { RuleChecker } from '../rule-set/rule-checker.ts';
import type { CarrierRules } from '../verdict/carrier-rules.ts';
import type { Source } from '../verdict/verdict.ts';
import type { CatalogOptions } from './catalog-options.ts';
import { RuleSetError } from './rule-set-error.ts';

/** A rule set for a catalog. */
export interface CatalogEntry {
  /** Parsed JSON. */
  readonly file: unknown;
  /** Name in faults, such as a path. @default `rule set` and its number */
  readonly name?: string;
  /** @default 'catalog' */
  readonly source?: Source;
  /** Result of an earlier check of `file`, for example on a worker thread. @default checks the file */
  readonly checked?: CheckedRuleSet;
}

type NamedRules = CarrierRules & { readonly name: string };

/**
 * Checks the files of a catalog with a checker, for example on a worker thread.
 *
 * @returns the entries with `checked`
 * @example
 *  const entries = await checkEntriesWith(createThreadChecker({ pool }), files.map((file) => ({ file })));
 *  const catalog = createCatalog(entries);
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

/** @throws RuleSetError with the faults of all files */
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

/** Reports versions of one carrier with the same first date, because their precedence is undefined. */
function versionFaults(rules: readonly (CarrierRules & { name: string })[]): (Fault & { source: string })[] {
  const firstNames = new Map<string, string>();
  const faults: (Fault & { source: string })[] = [];
  for (const { ruleSet, name } of rules) {
    const key = `${ruleSet.carrierKey} ${ruleSet.effectiveFrom}`;
    const first = firstNames.get(key);
    if (first === undefined) {
      firstNames.set(key, name);
      continue;
    }
    const message = `"${ruleSet.carrierKey}" has another version from ${ruleSet.effectiveFrom} (${first}); change one of the dates.`;
    faults.push({ source: name, path: '/effective/from', code: 'same_effective_date', message });
  }
  return faults;
}
