import { parseRequest } from '@leeward/engine';
import { writeDecision } from '@leeward/http/decision';
import type { WireDecision } from '../service/wire.ts';
import type { EvaluatedHome, HomeQuestion } from './evaluator-messages.ts';
import type { OpenCatalog } from './open-catalog.ts';

/** Returns the decision as the service writes it, without explanations. */
export function evaluateHome({ catalog, isAppointed }: OpenCatalog, body: HomeQuestion): EvaluatedHome {
  const parsed = parseRequest(body, { now: new Date() });
  if (!parsed.ok) return { ok: false, errors: parsed.faults };
  const { request } = parsed;
  const decision = catalog.decideSync(request.property, { isAppointed });
  const written = writeDecision(request, decision, { traceId: '', organizationId: null });
  // The document's types forbid undefined, which optional fields of the schema allow and the writer never sets.
  return { ok: true, decision: written as WireDecision };
}
