import type { Decision, Reason, Requirement, UnderwritingRequest, Verdict } from '@leeward/engine';
import type { WireDecision, WireVerdict } from './decision-schema.ts';
import type { KnownDistances } from './look-up-distances.ts';

export const appetiteNotice = 'Appetite only: not an offer, a quote or a binder.';

export interface DecisionContext {
  readonly traceId: string;
  readonly organizationId: string | null;
  /** How the home's distances came about. */
  readonly known?: KnownDistances | undefined;
}

/** A decision in wire names. */
export function writeDecision(request: UnderwritingRequest, decision: Decision, at: DecisionContext): WireDecision {
  const carriers: WireVerdict[] = [];
  const declined: WireVerdict[] = [];
  for (const verdict of decision.verdicts) {
    if (verdict.status !== 'ineligible') carriers.push(writeVerdict(verdict));
    else if (request.includeDeclined) declined.push(writeVerdict(verdict));
  }
  return {
    trace_id: at.traceId,
    as_of: request.asOf,
    effective_date: request.effectiveDate,
    organization_id: at.organizationId,
    home: request.home,
    counts: decision.counts,
    carriers,
    declined,
    next_questions: decision.nextQuestions.map(({ field, wouldSettle }) => ({ field, would_settle: wouldSettle })),
    ...(at.known ? { distances: writeDistances(at.known) } : {}),
    warnings: request.warnings.map(({ code, path, message }) => ({ code, path, message })),
    notice: appetiteNotice,
  };
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
        }
      : null,
    facts: distances.map(({ fact, meters, min, max, dataset, version }) => ({
      fact,
      meters,
      range_meters: { min, max },
      dataset: { name: dataset, version },
    })),
  };
}

function writeVerdict(verdict: Verdict): WireVerdict {
  const { version, sha256, overrideSha256 } = verdict.ruleSet;
  return {
    carrier_key: verdict.carrierKey,
    carrier: verdict.carrierName,
    policy_type: verdict.policyType,
    status: verdict.status,
    possible_statuses: [...verdict.possibleStatuses],
    reasons: verdict.reasons.map(writeReason),
    requirements: verdict.requirements.map(writeRequirement),
    possible_requirements: verdict.possibleRequirements.map(writeRequirement),
    notes: verdict.notes.map(writeRequirement),
    missing_fields: [...verdict.missingFields],
    ...(verdict.conservative ? { conservative: true as const } : {}),
    rule_set: overrideSha256 === undefined ? { version, sha256 } : { version, sha256, override_sha256: overrideSha256 },
    source: verdict.source,
  };
}

function writeReason({ code, message, fields, ruleId, temporary, endsAt }: Reason): WireVerdict['reasons'][number] {
  const reason = { code, message, fields: [...fields], rule_id: ruleId };
  return temporary ? { ...reason, temporary, ends_at: endsAt ?? null } : reason;
}

function writeRequirement({ code, message, ruleId }: Requirement): WireVerdict['requirements'][number] {
  return { code, message, rule_id: ruleId };
}
