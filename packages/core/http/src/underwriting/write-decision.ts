import type {
  Decision,
  HostFailure,
  NotEvaluated,
  NotOffered,
  Reason,
  Requirement,
  RuleSetIdentity,
  TierVerdict,
  UnderwritingRequest,
  Verdict,
  VerdictTier,
  WhatWouldChange,
} from '@leeward/engine';
import type { HazardEvent } from '@leeward/engine/events';
import type { AnswerVersions } from '../answer/answer-versions.ts';
import type { WireDecision, WireTier, WireTierVerdict, WireVerdict } from './decision-schema.ts';
import { describeDistance } from './describe-distance.ts';
import type { DistanceFieldNames } from './distance-field-names.ts';
import type { DistanceLimit } from './distance-limits.ts';
import type { VerdictExplanation } from './explain-verdicts.ts';
import type { KnownDistance, KnownDistances } from './known-distances.ts';
import type { KnownHazards } from './look-up-hazards.ts';
import { writeChange, writeExplanation } from './write-explanation.ts';

type WireReason = WireVerdict['reasons'][number];

/** Part of every underwriting answer. */
export const appetiteNotice = 'Appetite only: not an offer, a quote or a binder.';

/** Further content of an answer. */
export interface DecisionContext {
  readonly traceId: string;
  readonly organizationId: string | null;
  /** With their sources. */
  readonly distances?: KnownDistances | undefined;
  /** Limits on distance for a verdict. */
  readonly limitsOf?: ((verdict: Verdict) => readonly DistanceLimit[]) | undefined;
  /** Names missing distances in the units of rules. @default the first request name of the distance */
  readonly distanceNames?: DistanceFieldNames | undefined;
  /** Storms and other events that rules may match. */
  readonly events?: readonly HazardEvent[] | undefined;
  /** @default not stated */
  readonly versions?: AnswerVersions | undefined;
  /** Verdicts beyond the limit are missing. */
  readonly explained?: ReadonlyMap<Verdict, VerdictExplanation> | undefined;
}

/**
 * Converts a decision to its wire form.
 *
 * @example
 * writeDecision(request, await catalog.decide(request.property), { traceId, organizationId: null });
 */
export function writeDecision(request: UnderwritingRequest, decision: Decision, at: DecisionContext): WireDecision {
  const carriers: WireVerdict[] = [];
  const declined: WireVerdict[] = [];
  const verdicts = answeredVerdicts(request, decision);
  for (const verdict of verdicts) {
    const wire = writeVerdict(verdict, at.explained?.get(verdict), at.limitsOf?.(verdict) ?? nothing, at.distanceNames);
    if (verdict.status === 'ineligible') declined.push(wire);
    else carriers.push(wire);
  }
  const warnings = request.warnings.map(({ code, path, message }) => ({ code, path, message }));
  const unexplained = at.explained ? verdicts.length - at.explained.size : 0;
  if (unexplained > 0) warnings.push(unexplainedWarning(unexplained, verdicts.length));
  if (decision.notEvaluated.length > 0) warnings.push(unevaluatedWarning(decision.notEvaluated));
  warnings.push(...decision.hostFailures.map(hostFailureWarning));
  return {
    trace_id: at.traceId,
    as_of: request.asOf,
    effective_date: request.effectiveDate,
    organization_id: at.organizationId,
    ...(at.versions ? { versions: at.versions } : {}),
    home: request.home,
    counts: decision.counts,
    carriers,
    declined,
    ...(request.includeNotOffered ? { not_offered: decision.notOffered.map(writeNotOffered) } : {}),
    next_questions: writeQuestions(decision, at.distanceNames),
    ...(at.distances ? { distances: writeDistances(at.distances) } : {}),
    ...(at.distances?.hazards ? { hazards: writeHazards(at.distances.hazards) } : {}),
    ...(at.events && at.events.length > 0 ? { events: at.events.map(writeEvent) } : {}),
    warnings,
    notice: appetiteNotice,
  };
}

/** The name of a distance is that of most verdicts that need it. */
function writeQuestions(
  { nextQuestions, verdicts }: Decision,
  names: DistanceFieldNames | undefined,
): WireDecision['next_questions'] {
  return nextQuestions.map(({ field, wouldSettle }) => {
    const question = { field: names ? nameOfQuestion(field, verdicts, names) : field, would_settle: wouldSettle };
    const alternatives = field === 'address' ? (names?.insteadOfAddress(verdicts) ?? []) : [];
    return alternatives.length === 0 ? question : { ...question, alternatives: [...alternatives] };
  });
}

function nameOfQuestion(field: string, verdicts: readonly Verdict[], names: DistanceFieldNames): string {
  if (!field.startsWith('distance_to_')) return field;
  const counts = new Map<string, number>();
  for (const verdict of verdicts) {
    if (!verdict.missingFields.includes(field)) continue;
    const [name = field] = names.inUnitsOfRules(verdict, [field]);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? field;
}

function writeEvent({
  id,
  kind,
  name,
  alert,
  from,
  until = null,
}: HazardEvent): NonNullable<WireDecision['events']>[number] {
  return { id, kind, ...(name === undefined ? {} : { name }), ...(alert === undefined ? {} : { alert }), from, until };
}

function writeHazards({ source, facts, hazards }: KnownHazards): WireDecision['hazards'] {
  const entries = Object.entries(facts).map(([name, fact]) => {
    if (typeof fact !== 'object') return [name, fact];
    return [name, fact.kind === 'one of' ? { one_of: [...fact.words] } : { min: fact.min, max: fact.max }];
  });
  return {
    source,
    facts: Object.fromEntries(entries),
    map_panel: hazards.mapPanel ?? null,
    map_panel_date: hazards.mapPanelDate ?? null,
  };
}

/** Best first. */
export function answeredVerdicts({ includeDeclined }: UnderwritingRequest, { verdicts }: Decision): readonly Verdict[] {
  return includeDeclined ? verdicts : verdicts.filter(({ status }) => status !== 'ineligible');
}

function unexplainedWarning(unexplained: number, all: number): WireDecision['warnings'][number] {
  const message = `${unexplained} of ${all} verdicts are not explained, because the answer would be too large. Send one policy_type, or include_declined false.`;
  return { code: 'explanation_truncated', path: '/explain', message };
}

function writeNotOffered({ carrierKey, carrierName, policyType, code }: NotOffered) {
  return { carrier_key: carrierKey, carrier: carrierName, policy_type: policyType, code };
}

/** These carriers have no verdict. */
function unevaluatedWarning(carriers: readonly NotEvaluated[]): WireDecision['warnings'][number] {
  const names = [...new Set(carriers.map(({ carrierKey }) => carrierKey))].join(', ');
  const message = `Not evaluated: ${names}. The organization’s rules or overrides for them are invalid; correct them and enter them again.`;
  return { code: 'carrier_not_judged', path: '', message };
}

const failureWords: Readonly<Record<HostFailure['reason'], string>> = {
  failed: 'it could not be computed',
  timed_out: 'it was not computed in time',
  no_value: 'it has no value',
  invalid_value: 'its value cannot be compared',
  depends_on_unknown: 'it depends on',
  circular: 'it depends on itself',
  operator_failed: 'the operator failed',
};

/** The text of the error may contain personal data. */
function hostFailureWarning({ name, reason, path }: HostFailure): WireDecision['warnings'][number] {
  const why = `${failureWords[reason]}${reason === 'depends_on_unknown' ? ` ${path?.join(', ')}` : ''}`;
  const what = reason === 'operator_failed' ? `Tests with "${name}" are undecided` : `The fact "${name}" is unknown`;
  const message = `${what}: ${why}. Carriers whose answer depends on it need information.`;
  return { code: 'host_fact_unknown', path: '', message };
}

function writeDistances({ location, distances }: KnownDistances): NonNullable<WireDecision['distances']> {
  return {
    location: location
      ? {
          lat: location.latitude,
          lng: location.longitude,
          source: location.source,
          precision: location.precision,
          error_radius_meters: location.errorRadiusMeters,
          ...(location.matchedAddress === undefined ? {} : { matched_address: location.matchedAddress }),
          ...(location.attribution === undefined ? {} : { attribution: location.attribution }),
        }
      : null,
    facts: distances.map((distance) => {
      const { fact, givenAs, meters, min, max, dataset, evidence } = distance;
      return {
        fact,
        source: dataset ? 'coastline' : 'given',
        ...(dataset ? {} : { given_as: givenAs }),
        ...(evidence ? { evidence: writeOrigin(evidence) } : {}),
        meters,
        range_meters: { min, max },
        dataset: dataset
          ? { name: dataset.name, version: dataset.version, accuracy_meters: dataset.accuracyMeters }
          : null,
        text: `${describeDistance(distance, location, 'miles')}.`,
      };
    }),
  };
}

function writeOrigin({ asOf, source }: NonNullable<KnownDistance['evidence']>) {
  return { ...(asOf === undefined ? {} : { as_of: asOf }), ...(source === undefined ? {} : { source }) };
}

function writeVerdict(
  verdict: Verdict,
  explained: VerdictExplanation | undefined,
  limits: readonly DistanceLimit[],
  names: DistanceFieldNames | undefined,
): WireVerdict {
  const wire: WireVerdict = {
    carrier_key: verdict.carrierKey,
    carrier: verdict.carrierName,
    policy_type: verdict.policyType,
    status: verdict.status,
    possible_statuses: asMutable(verdict.possibleStatuses),
    reasons: writeEach(verdict.reasons, (reason) => writeReason(reason, limits)),
    requirements: writeEach(verdict.requirements, writeRequirement),
    possible_requirements: writeEach(verdict.possibleRequirements, writeRequirement),
    notes: writeEach(verdict.notes, writeRequirement),
    missing_fields: asMutable(names?.inUnitsOfRules(verdict, verdict.missingFields) ?? verdict.missingFields),
    rule_set: writeIdentity(verdict.ruleSet),
    source: verdict.source,
  };
  if (verdict.terms) wire.terms = writeTerms(verdict.terms);
  if (verdict.possibleTerms) wire.possible_terms = writePossibleTerms(verdict.possibleTerms);
  if (verdict.tier) wire.tier = writeTier(verdict.tier);
  const writeTiers = (tiers: readonly TierVerdict[]) =>
    tiers.map((each) => writeTierVerdict(each, verdict, explained, limits, names));
  if (verdict.possibleTiers) wire.possible_tiers = writeTiers(verdict.possibleTiers);
  if (verdict.betterTiers) wire.better_tiers = writeTiers(verdict.betterTiers);
  if (verdict.otherTiers) wire.other_tiers = writeTiers(verdict.otherTiers);
  if (limits.length > 0) wire.distance_limits = limits.map(writeLimit);
  if (verdict.conservative) wire.conservative = true;
  if (verdict.certainty !== undefined) wire.certainty = verdict.certainty;
  if (explained) wire.explanation = writeExplanation(explained.explanation);
  if (explained?.wouldChange) wire.would_change = writeWouldChange(explained.wouldChange);
  return wire;
}

function writeTier({ of, rank, name, programId }: VerdictTier): WireTier {
  return { of, rank, ...(name === undefined ? {} : { name }), program_id: programId };
}

function writeTierVerdict(
  tier: TierVerdict,
  verdict: Verdict,
  explained: VerdictExplanation | undefined,
  limits: readonly DistanceLimit[],
  names: DistanceFieldNames | undefined,
): WireTierVerdict {
  const wouldChange = explained?.tiers?.get(tier.programId);
  return {
    ...writeTier(tier),
    status: tier.status,
    reasons: writeEach(tier.reasons, (reason) => writeReason(reason, limits)),
    ...(tier.missingFields
      ? { missing_fields: asMutable(names?.inUnitsOfRules(verdict, tier.missingFields) ?? tier.missingFields) }
      : {}),
    ...(wouldChange ? { would_change: writeWouldChange(wouldChange) } : {}),
  };
}

/** Answers are only read. */
function asMutable<T>(list: readonly T[]): T[] {
  return list as T[];
}

const nothing: readonly never[] = Object.freeze([]);

/** Most lists are empty; they share one array. */
function writeEach<From, To>(list: readonly From[], write: (one: From) => To): To[] {
  return list.length === 0 ? asMutable(nothing) : list.map(write);
}

const identities = new WeakMap<RuleSetIdentity, WireVerdict['rule_set']>();

function writeIdentity(identity: RuleSetIdentity): WireVerdict['rule_set'] {
  let wire = identities.get(identity);
  if (!wire) {
    const { version, sha256, overrideSha256 } = identity;
    wire = overrideSha256 === undefined ? { version, sha256 } : { version, sha256, override_sha256: overrideSha256 };
    identities.set(identity, wire);
  }
  return wire;
}

function writeWouldChange(would: WhatWouldChange): NonNullable<WireVerdict['would_change']> {
  const { aim, outcome, ways, blockedBy, note, conservative } = would;
  return {
    aim,
    outcome,
    ways: ways.map(({ changes, becomes, possibleStatuses, tier }) => ({
      changes: changes.map(writeChange),
      becomes,
      possible_statuses: [...possibleStatuses],
      ...(tier ? { tier: tier.programId } : {}),
    })),
    blocked_by: blockedBy.map((reason) => writeReason(reason, nothing)),
    ...(note === undefined ? {} : { note }),
    ...(conservative ? { conservative } : {}),
  };
}

function writeReason(
  { code, message, fields, ruleId, temporary, endsAt }: Reason,
  limits: readonly DistanceLimit[],
): WireReason {
  const reason: WireReason = { code, message, fields: asMutable(fields), rule_id: ruleId };
  if (temporary) {
    reason.temporary = temporary;
    reason.ends_at = endsAt ?? null;
  }
  const distances = limits.filter((limit) => limit.ruleId === ruleId).map(({ text }) => text);
  if (distances.length > 0) reason.distances = distances;
  return reason;
}

function writeLimit({ ruleId, ...limit }: DistanceLimit): NonNullable<WireVerdict['distance_limits']>[number] {
  return { rule_id: ruleId, ...limit };
}

function writeTerms(terms: NonNullable<Verdict['terms']>): NonNullable<WireVerdict['terms']> {
  return mapValues(terms, ({ oneOf, rules, ...term }) => ({
    ...term,
    ...(oneOf ? { one_of: [...oneOf] } : {}),
    rules: rules.map(writeRequirement),
  }));
}

function writePossibleTerms(terms: NonNullable<Verdict['possibleTerms']>): NonNullable<WireVerdict['possible_terms']> {
  return mapValues(terms, ({ mayExclude, rules, fields, ...term }) => ({
    ...term,
    ...(mayExclude ? { may_exclude: [...mayExclude] } : {}),
    rules: rules.map(writeRequirement),
    fields: [...fields],
  }));
}

function mapValues<From, To>(from: Readonly<Record<string, From>>, write: (one: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(from).map(([name, one]) => [name, write(one)]));
}

function writeRequirement({ code, message, ruleId }: Requirement): WireVerdict['requirements'][number] {
  return { code, message, rule_id: ruleId };
}
