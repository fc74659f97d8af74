import {
  createAlmanac,
  type Decider,
  type DecidingOptions,
  type Decision,
  ENGINE_VERSION,
  type Property,
} from '@leeward/engine';
import { sha256OfJson, versionOn } from '@leeward/engine/compiled';
import type { DecisionRecord, RecordedRuleSet } from './decision-record.ts';
import { recordFacts } from './recorded-facts.ts';
import { recordHome } from './recorded-home.ts';

/** A decision and the record of all that it rests on. */
export interface RecordedDecision {
  readonly decision: Decision;
  /** Plain JSON, to be stored beside whatever the decision led to. */
  readonly record: DecisionRecord;
}

/**
 * Decides, and writes down what it takes to decide the same again later: the home as judged, both dates, the
 * hash of every rule set asked (and of an organization's override), what the host's own facts answered, and
 * the engine's version. Keep the rule-set files by their hashes; the host's operators must still be there.
 */
export async function recordDecision(
  decider: Decider,
  property: Property,
  deciding: DecidingOptions = {},
): Promise<RecordedDecision> {
  const { vocabulary, options, carriers, isAppointed } = decider;
  const policyTypes = property.policyType === undefined ? vocabulary.policyTypes : [property.policyType];
  const ruleSets: RecordedRuleSet[] = [];
  for (const carrier of carriers) {
    const asked = policyTypes.filter((policyType) => isAppointed?.(carrier.key, policyType, property) ?? true);
    if (asked.length === 0) continue;
    const version = versionOn(carrier, property.effectiveDate);
    ruleSets.push({
      carrier_key: carrier.key,
      version: version?.ruleSet.version ?? null,
      sha256: version?.ruleSet.sha256 ?? null,
      ...(version?.overrideSha256 === undefined ? {} : { override_sha256: version.overrideSha256 }),
      source: version?.source ?? 'catalog',
      policy_types: asked,
    });
  }
  const almanac = deciding.almanac ?? createAlmanac(options, property, deciding);
  const decision = await decider.decide(property, { ...deciding, almanac });
  return {
    decision,
    record: {
      format: 1,
      engine: ENGINE_VERSION,
      evaluator: options.evaluator ?? 'compiled',
      line: vocabulary.line,
      ...recordHome(property),
      rule_sets: ruleSets,
      host_facts: recordFacts(almanac.answers),
      decision_sha256: sha256OfJson(decision),
    },
  };
}
