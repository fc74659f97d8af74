import {
  applyOverride,
  type CarrierRules,
  type CatalogOptions,
  checkOverride,
  checkRuleSet,
  type Decider,
  homeVocabulary,
} from '@leeward/engine';
import type { RecordedRuleSet } from './decision-record.ts';
import { ReplayError } from './replay-error.ts';

/** What stands in a store under the hashes of a record: the files as JSON has them. */
export interface StoredRuleSet {
  readonly file: unknown;
  /** Wanted where the record has an `override_sha256`. */
  readonly override?: unknown;
}

/** A store of rule sets by hash: gives the files, or undefined where it has none of that hash. */
export type RuleSetArchive = (
  wanted: RecordedRuleSet & { readonly sha256: string },
) => StoredRuleSet | undefined | Promise<StoredRuleSet | undefined>;

/** Finds the rules that a record names. Throws a `ReplayError` where they are not there, or are others. */
export async function findRules(
  wanted: RecordedRuleSet & { readonly sha256: string },
  from: Decider | RuleSetArchive,
  options: CatalogOptions,
): Promise<CarrierRules> {
  const found = typeof from === 'function' ? await fromArchive(wanted, from, options) : fromDecider(wanted, from);
  if (found) return found;
  const { carrier_key, version, sha256, override_sha256 } = wanted;
  const override = override_sha256 === undefined ? '' : ` with the override ${override_sha256}`;
  const message = `The rule set of "${carrier_key}", version ${version}, with the hash ${sha256}${override} is not there; keep rule sets as long as the decisions made with them.`;
  throw new ReplayError('rule_set_missing', [{ path: '', message }]);
}

function fromDecider(wanted: RecordedRuleSet, { carriers }: Decider): CarrierRules | undefined {
  return carriers
    .flatMap((carrier) => carrier.versions)
    .find(
      (each) =>
        each.ruleSet.sha256 === wanted.sha256 &&
        each.overrideSha256 === wanted.override_sha256 &&
        each.source === wanted.source,
    );
}

async function fromArchive(
  wanted: RecordedRuleSet & { readonly sha256: string },
  archive: RuleSetArchive,
  { vocabulary = homeVocabulary, facts = {}, operators = {} }: CatalogOptions,
): Promise<CarrierRules | undefined> {
  const stored = await archive(wanted);
  if (stored?.file === undefined) return undefined;
  const host = { facts: new Set(Object.keys(facts)), operators: new Set(Object.keys(operators)) };
  const { ruleSet, faults } = checkRuleSet(stored.file, { vocabulary, host });
  if (!ruleSet) throw new ReplayError('rule_set_differs', faults);
  if (ruleSet.sha256 !== wanted.sha256) throw differs('rule set', wanted, wanted.sha256, ruleSet.sha256);
  const { source, override_sha256: overrideSha256 } = wanted;
  if (overrideSha256 === undefined) return { ruleSet, source };
  if (stored.override === undefined) return undefined;
  const { override, faults: found } = checkOverride(stored.override, [], vocabulary);
  if (!override) throw new ReplayError('rule_set_differs', found);
  if (override.sha256 !== overrideSha256) throw differs('override', wanted, overrideSha256, override.sha256);
  return { ruleSet: applyOverride(ruleSet, override), source, overrideSha256 };
}

function differs(kind: string, { carrier_key }: RecordedRuleSet, wanted: string, found: string): ReplayError {
  const message = `The ${kind} of "${carrier_key}" given for the hash ${wanted} has the hash ${found}.`;
  return new ReplayError('rule_set_differs', [{ path: '', message }]);
}
