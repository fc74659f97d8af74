import type { Fault } from '../fault.ts';
import { createReferenceEvaluator } from '../reference/reference-evaluator.ts';
import type { Property } from '../request/property.ts';
import { type CheckOptions, checkRuleSet } from '../rule-set/check.ts';
import type { RuleSet } from '../rule-set/rule-set.ts';
import type { Evaluator } from '../verdict/evaluator.ts';
import { type CarrierRules, judge } from '../verdict/judge.ts';
import type { Source } from '../verdict/verdict.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { type Decision, decisionOf, emptyDecision } from './decision.ts';
import { RuleSetError } from './rule-set-error.ts';
import { type Carrier, versionOn } from './versions.ts';

/** A rule set for a catalog: a file as JSON has it, where it comes from, and for whom. */
export interface CatalogEntry {
  readonly file: unknown;
  /** Named in faults: a path, a row. Default: its place in the list. */
  readonly name?: string;
  readonly source?: Source;
}

export interface CatalogOptions extends CheckOptions {
  readonly evaluator?: Evaluator;
}

/** Carriers and their rule sets, ready to judge properties. Immutable: a change is a new catalog. */
export interface Catalog {
  readonly vocabulary: Vocabulary;
  readonly carriers: readonly Carrier[];
  /** What every carrier says of a property: for its policy type, or for every type where none is asked for. */
  decide(property: Property): Promise<Decision>;
}

/** Builds a catalog from rule-set files. Throws one `RuleSetError` with the faults of all files. */
export function createCatalog(entries: readonly CatalogEntry[], options: CatalogOptions = {}): Catalog {
  const faults: (Fault & { source: string })[] = [];
  const rules: (CarrierRules & { name: string })[] = [];
  entries.forEach((entry, index) => {
    const name = entry.name ?? `rule set ${index + 1}`;
    const checked = checkRuleSet(entry.file, options);
    for (const fault of checked.faults) faults.push({ ...fault, source: name });
    if (checked.ruleSet) rules.push({ ruleSet: checked.ruleSet, source: entry.source ?? 'catalog', name });
  });
  faults.push(...versionFaults(rules));
  if (faults.length > 0) throw new RuleSetError(faults);
  return catalogOf(carriersOf(rules), options);
}

/** A catalog of carriers that were checked already. */
export function catalogOf(carriers: readonly Carrier[], options: CatalogOptions = {}): Catalog {
  const vocabulary = options.vocabulary ?? homeVocabulary;
  const evaluator = options.evaluator ?? createReferenceEvaluator();
  return {
    vocabulary,
    carriers,
    async decide(property) {
      // A county of another state, or none at all: nothing is answered.
      if (property.counties?.length === 0) return emptyDecision();
      const policyTypes = property.policyType === undefined ? vocabulary.policyTypes : [property.policyType];
      const verdicts = [];
      let notOffered = 0;
      for (const carrier of carriers) {
        const version = versionOn(carrier, property.effectiveDate);
        for (const policyType of policyTypes) {
          const verdict = version && (await judge(version, policyType, property, evaluator));
          if (verdict) verdicts.push(verdict);
          else notOffered++;
        }
      }
      return decisionOf(property, verdicts, notOffered);
    },
  };
}

/** Groups rule sets by carrier. */
export function carriersOf(rules: readonly CarrierRules[]): Carrier[] {
  const byKey = new Map<string, CarrierRules[]>();
  for (const each of rules) {
    const versions = byKey.get(each.ruleSet.carrierKey) ?? [];
    versions.push(each);
    byKey.set(each.ruleSet.carrierKey, versions);
  }
  return [...byKey].map(([key, versions]) => {
    versions.sort((a, b) => (a.ruleSet.effectiveFrom < b.ruleSet.effectiveFrom ? 1 : -1));
    return { key, name: versions[0]!.ruleSet.carrierName, versions };
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

/** Rule sets of a catalog, all versions. */
export function ruleSetsOf(catalog: Catalog): RuleSet[] {
  return catalog.carriers.flatMap((carrier) => carrier.versions.map((version) => version.ruleSet));
}
