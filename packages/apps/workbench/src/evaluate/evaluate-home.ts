import { parseRequest, type Verdict } from '@leeward/engine';
import type { WireDecision, WireVerdict } from '../service/wire.ts';
import type { EvaluatedHome, HomeQuestion } from './evaluator-messages.ts';
import type { OpenCatalog } from './open-catalog.ts';

/** Evaluates a home with every carrier. Returns the decision as the service writes it, without explanations. */
export function evaluateHome({ catalog, isAppointed }: OpenCatalog, body: HomeQuestion): EvaluatedHome {
  const parsed = parseRequest(body, { now: new Date() });
  if (!parsed.ok) return { ok: false, errors: parsed.faults };
  const { request } = parsed;
  const { property } = request;
  const { counts, verdicts, nextQuestions } = catalog.decideSync(property, { isAppointed });
  const written = verdicts.map(writeVerdict);
  const decision: WireDecision = {
    trace_id: '',
    as_of: request.asOf,
    effective_date: request.effectiveDate,
    organization_id: null,
    home: request.home,
    counts,
    carriers: written.filter(({ status }) => status !== 'ineligible'),
    declined: written.filter(({ status }) => status === 'ineligible'),
    next_questions: nextQuestions.map(({ field, wouldSettle }) => ({ field, would_settle: wouldSettle })),
    warnings: request.warnings.map(({ code, path, message }) => ({ code, path, message })),
    notice: 'Appetite only: not an offer, a quote or a binder.',
  };
  return { ok: true, decision };
}

function writeVerdict(verdict: Verdict): WireVerdict {
  const { version, sha256, overrideSha256 } = verdict.ruleSet;
  const item = ({ code, message, ruleId }: Verdict['requirements'][number]) => ({ code, message, rule_id: ruleId });
  return {
    carrier_key: verdict.carrierKey,
    carrier: verdict.carrierName,
    policy_type: verdict.policyType,
    status: verdict.status,
    possible_statuses: [...verdict.possibleStatuses],
    reasons: verdict.reasons.map(({ code, message, fields, ruleId, temporary, endsAt }) => ({
      code,
      message,
      fields: [...fields],
      rule_id: ruleId,
      ...(temporary ? { temporary, ends_at: endsAt ?? null } : {}),
    })),
    requirements: verdict.requirements.map(item),
    possible_requirements: verdict.possibleRequirements.map(item),
    notes: verdict.notes.map(item),
    missing_fields: [...verdict.missingFields],
    ...(verdict.conservative ? { conservative: true as const } : {}),
    rule_set: overrideSha256 === undefined ? { version, sha256 } : { version, sha256, override_sha256: overrideSha256 },
    source: verdict.source,
  };
}
