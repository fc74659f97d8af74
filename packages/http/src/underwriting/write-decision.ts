import type {
  Decision,
  NotJudged,
  NotOffered,
  Reason,
  Requirement,
  UnderwritingRequest,
  Verdict,
  WhatWouldChange,
} from '@leeward/engine';
import type { WireDecision, WireVerdict } from './decision-schema.ts';
import type { DistanceLimit } from './distance-limits.ts';
import { tellDistance } from './distance-words.ts';
import type { VerdictExplanation } from './explain-verdicts.ts';
import type { KnownDistances } from './known-distances.ts';
import { writeChange, writeExplanation } from './write-explanation.ts';

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
  const told = toldVerdicts(request, decision);
  for (const verdict of told) {
    const wire = writeVerdict(verdict, at.explained?.get(verdict), at.limitsOf?.(verdict));
    if (verdict.status === 'ineligible') declined.push(wire);
    else carriers.push(wire);
  }
  const warnings = request.warnings.map(({ code, path, message }) => ({ code, path, message }));
  const unexplained = at.explained ? told.length - at.explained.size : 0;
  if (unexplained > 0) warnings.push(unexplainedWarning(unexplained, told.length));
  if (decision.notJudged.length > 0) warnings.push(notJudgedWarning(decision.notJudged));
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
    warnings,
    notice: appetiteNotice,
  };
}

/** The verdicts that an answer holds, best first. */
export function toldVerdicts({ includeDeclined }: UnderwritingRequest, { verdicts }: Decision): readonly Verdict[] {
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
        text: `${tellDistance(distance, location, 'miles')}.`,
      };
    }),
  };
}

function writeVerdict(
  verdict: Verdict,
  explained: VerdictExplanation | undefined,
  limits: readonly DistanceLimit[] = [],
): WireVerdict {
  const { version, sha256, overrideSha256 } = verdict.ruleSet;
  return {
    carrier_key: verdict.carrierKey,
    carrier: verdict.carrierName,
    policy_type: verdict.policyType,
    status: verdict.status,
    possible_statuses: [...verdict.possibleStatuses],
    reasons: verdict.reasons.map((reason) => writeReason(reason, limits)),
    requirements: verdict.requirements.map(writeRequirement),
    possible_requirements: verdict.possibleRequirements.map(writeRequirement),
    notes: verdict.notes.map(writeRequirement),
    missing_fields: [...verdict.missingFields],
    ...(limits.length > 0 ? { distance_limits: limits.map(writeLimit) } : {}),
    ...(verdict.conservative ? { conservative: true as const } : {}),
    rule_set: overrideSha256 === undefined ? { version, sha256 } : { version, sha256, override_sha256: overrideSha256 },
    source: verdict.source,
    ...(explained ? { explanation: writeExplanation(explained.explanation) } : {}),
    ...(explained?.wouldChange ? { would_change: writeWouldChange(explained.wouldChange) } : {}),
  };
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
    blocked_by: blockedBy.map((reason) => writeReason(reason)),
    ...(note === undefined ? {} : { note }),
    ...(conservative ? { conservative } : {}),
  };
}

function writeReason(
  { code, message, fields, ruleId, temporary, endsAt }: Reason,
  limits: readonly DistanceLimit[] = [],
): WireVerdict['reasons'][number] {
  const distances = limits.filter((limit) => limit.ruleId === ruleId).map(({ text }) => text);
  return {
    code,
    message,
    fields: [...fields],
    rule_id: ruleId,
    ...(temporary ? { temporary, ends_at: endsAt ?? null } : {}),
    ...(distances.length > 0 ? { distances } : {}),
  };
}

function writeLimit({ ruleId, ...limit }: DistanceLimit): NonNullable<WireVerdict['distance_limits']>[number] {
  return { rule_id: ruleId, ...limit };
}

function writeRequirement({ code, message, ruleId }: Requirement): WireVerdict['requirements'][number] {
  return { code, message, rule_id: ruleId };
}
