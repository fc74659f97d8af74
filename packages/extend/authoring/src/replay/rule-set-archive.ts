import { type CatalogOptions, checkRuleSet, type Decider, homeVocabulary } from '@leeward/engine';
import type { CarrierRules } from '@leeward/engine/compiled';
import { applyOverride, checkOverride } from '@leeward/engine/organizations';
import type { RecordedRuleSet } from './decision-record.ts';
import { ReplayError } from './replay-error.ts';

/** Files of a store for the hashes of a record. */
export interface StoredRuleSet {
  readonly file: unknown;
  /** Required if the record has an `override_sha256`. */
  readonly override?: unknown;
}

/** A store of rule sets by hash. Returns undefined for an unknown hash. */
export type RuleSetArchive = (
  recorded: RecordedRuleSet & { readonly sha256: string },
) => StoredRuleSet | undefined | Promise<StoredRuleSet | undefined>;

/** @throws {ReplayError} If the rules are missing, or have another hash. */
export async function findRules(
  recorded: RecordedRuleSet & { readonly sha256: string },
  from: Decider | RuleSetArchive,
  options: CatalogOptions,
): Promise<CarrierRules> {
  const rules = typeof from === 'function' ? await fromArchive(recorded, from, options) : fromDecider(recorded, from);
  if (rules) return rules;
  const { carrier_key, version, sha256, override_sha256 } = recorded;
  const override = override_sha256 === undefined ? '' : ` with the override ${override_sha256}`;
  const message = `The rule set of "${carrier_key}", version ${version}, with the hash ${sha256}${override} is missing. Keep rule sets as long as the decisions made with them.`;
  throw new ReplayError('rule_set_missing', [{ path: '', message }]);
}

function fromDecider(recorded: RecordedRuleSet, { carriers }: Decider): CarrierRules | undefined {
  return carriers
    .flatMap((carrier) => carrier.versions)
    .find(
      (each) =>
        each.ruleSet.sha256 === recorded.sha256 &&
        each.overrideSha256 === recorded.override_sha256 &&
        each.source === recorded.source,
    );
}

async function fromArchive(
  recorded: RecordedRuleSet & { readonly sha256: string },
  archive: RuleSetArchive,
  { vocabulary = homeVocabulary, facts = {}, operators = {} }: CatalogOptions,
): Promise<CarrierRules | undefined> {
  const stored = await archive(recorded);
  if (stored?.file === undefined) return undefined;
  const host = { facts: new Set(Object.keys(facts)), operators: new Set(Object.keys(operators)) };
  const { ruleSet, faults } = checkRuleSet(stored.file, { vocabulary, host });
  if (!ruleSet) throw new ReplayError('rule_set_differs', faults);
  if (ruleSet.sha256 !== recorded.sha256) throw differs('rule set', recorded, recorded.sha256, ruleSet.sha256);
  const { source, override_sha256: overrideSha256 } = recorded;
  if (overrideSha256 === undefined) return { ruleSet, source };
  if (stored.override === undefined) return undefined;
  const { override, faults: overrideFaults } = checkOverride(stored.override, [], vocabulary);
  if (!override) throw new ReplayError('rule_set_differs', overrideFaults);
  if (override.sha256 !== overrideSha256) throw differs('override', recorded, overrideSha256, override.sha256);
  return { ruleSet: applyOverride(ruleSet, override), source, overrideSha256 };
}

function differs(kind: string, { carrier_key }: RecordedRuleSet, expected: string, actual: string): ReplayError {
  const message = `The ${kind} of "${carrier_key}" for the hash ${expected} has the hash ${actual}.`;
  return new ReplayError('rule_set_differs', [{ path: '', message }]);
}
