import type { Decider, DecidingOptions, Decision, Property, RuleSet } from '@leeward/engine';
import {
  createAlmanac,
  ENGINE_VERSION,
  eventsInReach,
  sha256OfJson,
  usesLocation,
  versionOn,
} from '@leeward/engine/compiled';
import type { DecisionRecord, RecordedRuleSet } from './decision-record.ts';
import { recordFacts } from './recorded-facts.ts';
import { recordHome } from './recorded-home.ts';

/** Options of a recorded decision. */
export interface RecordingOptions extends DecidingOptions {
  /** The versions that the answer states. @default not recorded */
  readonly versions?: DecisionRecord['versions'];
}

/** A decision and its record. */
export interface RecordedDecision {
  readonly decision: Decision;
  /** Plain JSON, to be stored. */
  readonly record: DecisionRecord;
}

/**
 * Decides, and records everything that `replayDecision` needs: the home, both dates, the hashes of the rule sets and overrides, the
 * values of the host's facts and the version of the engine. Keep the rule set files by their hashes. The position of the building and
 * events are recorded only if a rule of these rule sets depends on them.
 *
 * @example
 * const { decision, record } = await recordDecision(catalog, property);
 */
export async function recordDecision(
  decider: Decider,
  property: Property,
  { versions, ...deciding }: RecordingOptions = {},
): Promise<RecordedDecision> {
  const { vocabulary, options, carriers, isAppointed } = decider;
  const policyTypes = property.policyType === undefined ? vocabulary.policyTypes : [property.policyType];
  const ruleSets: RecordedRuleSet[] = [];
  let needsLocation = false;
  const evaluated: RuleSet[] = [];
  for (const carrier of carriers) {
    const appointedTypes = policyTypes.filter((policyType) => isAppointed?.(carrier.key, policyType, property) ?? true);
    if (appointedTypes.length === 0) continue;
    const version = versionOn(carrier, property.effectiveDate);
    if (version) evaluated.push(version.ruleSet);
    if (version && usesLocation(version.ruleSet)) needsLocation = true;
    ruleSets.push({
      carrier_key: carrier.key,
      version: version?.ruleSet.version ?? null,
      sha256: version?.ruleSet.sha256 ?? null,
      ...(version?.overrideSha256 === undefined ? {} : { override_sha256: version.overrideSha256 }),
      source: version?.source ?? 'catalog',
      policy_types: appointedTypes,
    });
  }
  const events = eventsInReach(evaluated, property);
  const almanac = deciding.almanac ?? createAlmanac(options, property, deciding);
  const decision = await decider.decide(property, { ...deciding, almanac });
  return {
    decision,
    record: {
      format: 1,
      engine: ENGINE_VERSION,
      evaluator: options.evaluator ?? 'compiled',
      line: vocabulary.line,
      ...recordHome(needsLocation ? property : { ...property, location: undefined }),
      ...(events ? { events: [...events] } : {}),
      rule_sets: ruleSets,
      ...(versions ? { versions } : {}),
      host_facts: recordFacts(almanac.answers),
      decision_sha256: sha256OfJson(decision),
    },
  };
}
