import type { Fault } from '@leeward/terms';
import { type CheckedRuleSet, checkRuleSetInSteps } from '../rule-set/check.ts';
import type { Steps } from '../turns/steps.ts';
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
}

type NamedRules = CarrierRules & { readonly name: string };

/** Checks files, a rule at a time. Throws with the faults of all. */
export function* checkEntries(entries: readonly CatalogEntry[], options: CatalogOptions): Steps<NamedRules[]> {
  const faults: (Fault & { source: string })[] = [];
  const rules: NamedRules[] = [];
  for (const [index, entry] of entries.entries()) {
    const name = entry.name ?? `rule set ${index + 1}`;
    const checked = yield* checkForCatalog(entry.file, options);
    for (const fault of checked.faults) faults.push({ ...fault, source: name });
    if (checked.ruleSet) rules.push({ ruleSet: checked.ruleSet, source: entry.source ?? 'catalog', name });
    yield;
  }
  faults.push(...versionFaults(rules));
  if (faults.length > 0) throw new RuleSetError(faults);
  return rules;
}

function checkForCatalog(file: unknown, { vocabulary, facts, operators }: CatalogOptions): Steps<CheckedRuleSet> {
  const names = (record: object | undefined) => new Set(Object.keys(record ?? {}));
  return checkRuleSetInSteps(file, {
    ...(vocabulary ? { vocabulary } : {}),
    host: { facts: names(facts), operators: names(operators) },
  });
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
