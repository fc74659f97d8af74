import type {
  Decision,
  HostFailure,
  NotJudged,
  NotOffered,
  Reason,
  Requirement,
  RuleSetIdentity,
  UnderwritingRequest,
  Verdict,
  WhatWouldChange,
} from '@leeward/engine';
import type { WireDecision, WireVerdict } from './decision-schema.ts';
import { describeDistance } from './describe-distance.ts';
import type { DistanceLimit } from './distance-limits.ts';
import type { VerdictExplanation } from './explain-verdicts.ts';
import type { KnownDistances } from './known-distances.ts';
import type { KnownHazards } from './look-up-hazards.ts';
import { writeChange, writeExplanation } from './write-explanation.ts';

type WireReason = WireVerdict['reasons'][number];

/** Stands in every answer of underwriting. */
export const appetiteNotice = 'Appetite only: not an offer, a quote or a binder.';

export interface DecisionContext {
  readonly traceId: string;
  readonly organizationId: string | null;
  /** How the home's distances came about. */
  readonly known?: KnownDistances | undefined;
  /** Where the home stands to each carrier's limits on distance. */
  readonly limitsOf?: ((verdict: Verdict) => readonly DistanceLimit[]) | undefined;
  /** Why, where it was asked for; a verdict that is not in it was one too many. */
  readonly explained?: ReadonlyMap<Verdict, VerdictExplanation> | undefined;
}

/** A decision in wire names. */
export function writeDecision(request: UnderwritingRequest, decision: Decision, at: DecisionContext): WireDecision {
  const carriers: WireVerdict[] = [];
  const declined: WireVerdict[] = [];
  const told = answeredVerdicts(request, decision);
  for (const verdict of told) {
    const wire = new VerdictOnWire(verdict, at.explained?.get(verdict), at.limitsOf?.(verdict) ?? nothing);
    if (verdict.status === 'ineligible') declined.push(wire);
    else carriers.push(wire);
  }
  const warnings = request.warnings.map(({ code, path, message }) => ({ code, path, message }));
  const unexplained = at.explained ? told.length - at.explained.size : 0;
  if (unexplained > 0) warnings.push(unexplainedWarning(unexplained, told.length));
  if (decision.notJudged.length > 0) warnings.push(notJudgedWarning(decision.notJudged));
  warnings.push(...decision.hostFailures.map(hostFailureWarning));
  return {
    trace_id: at.traceId,
    as_of: request.asOf,
    effective_date: request.effectiveDate,
    organization_id: at.organizationId,
    home: request.home,
    counts: decision.counts,
    carriers,
    declined,
    ...(request.includeNotOffered ? { not_offered: decision.notOffered.map(writeNotOffered) } : {}),
    next_questions: decision.nextQuestions.map(({ field, wouldSettle }) => ({ field, would_settle: wouldSettle })),
    ...(at.known ? { distances: writeDistances(at.known) } : {}),
    ...(at.known?.hazards ? { hazards: writeHazards(at.known.hazards) } : {}),
    warnings,
    notice: appetiteNotice,
  };
}

function writeHazards({ source, facts, hazards }: KnownHazards): WireDecision['hazards'] {
  const told = Object.entries(facts).map(([name, fact]) => {
    if (typeof fact !== 'object') return [name, fact];
    return [name, fact.kind === 'one of' ? { one_of: [...fact.words] } : { min: fact.min, max: fact.max }];
  });
  return {
    source,
    facts: Object.fromEntries(told),
    map_panel: hazards.mapPanel ?? null,
    map_panel_date: hazards.mapPanelDate ?? null,
  };
}

/** The verdicts that an answer holds, best first. */
export function answeredVerdicts({ includeDeclined }: UnderwritingRequest, { verdicts }: Decision): readonly Verdict[] {
  return includeDeclined ? verdicts : verdicts.filter(({ status }) => status !== 'ineligible');
}

function unexplainedWarning(unexplained: number, all: number): WireDecision['warnings'][number] {
  const message = `${unexplained} of ${all} entries are not explained: that is more than one answer holds. Ask for one policy_type, or with include_declined false.`;
  return { code: 'explanation_truncated', path: '/explain', message };
}

function writeNotOffered({ carrierKey, carrierName, policyType, code }: NotOffered) {
  return { carrier_key: carrierKey, carrier: carrierName, policy_type: policyType, code };
}

/** Of these carriers nothing is known: neither yes nor no. */
function notJudgedWarning(notJudged: readonly NotJudged[]): WireDecision['warnings'][number] {
  const names = [...new Set(notJudged.map(({ carrierKey }) => carrierKey))].join(', ');
  const message = `Not judged: ${names}. Rules or overrides of this organization are refused for them; check and enter them again.`;
  return { code: 'carrier_not_judged', path: '', message };
}

const failureWords: Readonly<Record<HostFailure['reason'], string>> = {
  failed: 'it could not be computed',
  timed_out: 'it was not there in time',
  no_value: 'it has no value',
  invalid_value: 'its value cannot be compared',
  depends_on_unknown: 'it depends on',
  circular: 'it depends on itself',
  operator_failed: 'the operator failed',
};

/** Names what failed, without a word of the error: that may quote personal data. */
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
      const { fact, meters, min, max, dataset } = distance;
      return {
        fact,
        source: dataset ? 'coastline' : 'given',
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

/**
 * A verdict in wire names. A class, and no object literal, as a verdict of the engine is: where many requests are under way,
 * V8 comes to allocate a literal's objects in the old heap.
 */
class VerdictOnWire implements WireVerdict {
  declare carrier_key: string;
  declare carrier: string;
  declare policy_type: string;
  declare status: WireVerdict['status'];
  declare possible_statuses: WireVerdict['possible_statuses'];
  declare reasons: WireVerdict['reasons'];
  declare requirements: WireVerdict['requirements'];
  declare possible_requirements: WireVerdict['requirements'];
  declare notes: WireVerdict['requirements'];
  declare missing_fields: string[];
  declare distance_limits?: WireVerdict['distance_limits'];
  declare conservative?: true;
  declare rule_set: WireVerdict['rule_set'];
  declare source: WireVerdict['source'];
  declare explanation?: WireVerdict['explanation'];
  declare would_change?: WireVerdict['would_change'];

  constructor(verdict: Verdict, explained: VerdictExplanation | undefined, limits: readonly DistanceLimit[]) {
    this.carrier_key = verdict.carrierKey;
    this.carrier = verdict.carrierName;
    this.policy_type = verdict.policyType;
    this.status = verdict.status;
    this.possible_statuses = handedOn(verdict.possibleStatuses);
    this.reasons = each(verdict.reasons, (reason) => new ReasonOnWire(reason, limits));
    this.requirements = each(verdict.requirements, writeRequirement);
    this.possible_requirements = each(verdict.possibleRequirements, writeRequirement);
    this.notes = each(verdict.notes, writeRequirement);
    this.missing_fields = handedOn(verdict.missingFields);
    if (limits.length > 0) this.distance_limits = limits.map(writeLimit);
    if (verdict.conservative) this.conservative = true;
    this.rule_set = writeIdentity(verdict.ruleSet);
    this.source = verdict.source;
    if (!explained) return;
    this.explanation = writeExplanation(explained.explanation);
    if (explained.wouldChange) this.would_change = writeWouldChange(explained.wouldChange);
  }
}

/** A list as it is: nobody writes to what goes over the wire. */
function handedOn<T>(list: readonly T[]): T[] {
  return list as T[];
}

const nothing: readonly never[] = Object.freeze([]);

/** Most lists of a verdict are empty. */
function each<From, To>(list: readonly From[], write: (one: From) => To): To[] {
  return list.length === 0 ? handedOn(nothing) : list.map(write);
}

const identities = new WeakMap<RuleSetIdentity, WireVerdict['rule_set']>();

/** Which rule set answers: of one rule set the same object. */
function writeIdentity(identity: RuleSetIdentity): WireVerdict['rule_set'] {
  let written = identities.get(identity);
  if (!written) {
    const { version, sha256, overrideSha256 } = identity;
    written = overrideSha256 === undefined ? { version, sha256 } : { version, sha256, override_sha256: overrideSha256 };
    identities.set(identity, written);
  }
  return written;
}

function writeWouldChange(would: WhatWouldChange): NonNullable<WireVerdict['would_change']> {
  const { aim, outcome, ways, blockedBy, note, conservative } = would;
  return {
    aim,
    outcome,
    ways: ways.map(({ changes, becomes, possibleStatuses }) => ({
      changes: changes.map(writeChange),
      becomes,
      possible_statuses: [...possibleStatuses],
    })),
    blocked_by: blockedBy.map((reason) => new ReasonOnWire(reason, nothing)),
    ...(note === undefined ? {} : { note }),
    ...(conservative ? { conservative } : {}),
  };
}

/** A reason in wire names; a class for the same reason. */
class ReasonOnWire implements WireReason {
  declare code: string;
  declare message: string;
  declare fields: string[];
  declare rule_id: string;
  declare temporary?: true;
  declare ends_at?: string | null;
  declare distances?: string[];

  constructor({ code, message, fields, ruleId, temporary, endsAt }: Reason, limits: readonly DistanceLimit[]) {
    this.code = code;
    this.message = message;
    this.fields = handedOn(fields);
    this.rule_id = ruleId;
    if (temporary) {
      this.temporary = temporary;
      this.ends_at = endsAt ?? null;
    }
    if (limits.length === 0) return;
    const distances = limits.filter((limit) => limit.ruleId === ruleId).map(({ text }) => text);
    if (distances.length > 0) this.distances = distances;
  }
}

function writeLimit({ ruleId, ...limit }: DistanceLimit): NonNullable<WireVerdict['distance_limits']>[number] {
  return { rule_id: ruleId, ...limit };
}

function writeRequirement({ code, message, ruleId }: Requirement): WireVerdict['requirements'][number] {
  return { code, message, rule_id: ruleId };
}
