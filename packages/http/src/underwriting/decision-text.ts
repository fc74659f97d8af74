import type { Decision, Reason, Requirement, UnderwritingRequest, Verdict } from '@leeward/engine';
import { type DecisionContext, toldVerdicts, writeAfter, writeBefore, writeVerdict } from './write-decision.ts';

/**
 * The same characters as `JSON.stringify(writeDecision(…))`, without an object a verdict: what a rule says is written
 * once, since most verdicts say the same of it.
 */
export function decisionText(request: UnderwritingRequest, decision: Decision, at: DecisionContext): string {
  const carriers: string[] = [];
  const declined: string[] = [];
  for (const verdict of toldVerdicts(request, decision)) {
    (verdict.status === 'ineligible' ? declined : carriers).push(verdictText(verdict, at));
  }
  const before = JSON.stringify(writeBefore(request, decision, at)).slice(0, -1);
  const after = JSON.stringify(writeAfter(request, decision, at)).slice(1);
  return `${before},"carriers":[${carriers.join()}],"declined":[${declined.join()}],${after}`;
}

function verdictText(verdict: Verdict, { explained, limitsOf }: DecisionContext): string {
  const explanation = explained?.get(verdict);
  const limits = limitsOf?.(verdict);
  if (explanation || (limits && limits.length > 0)) return JSON.stringify(writeVerdict(verdict, explanation, limits));
  const { version, sha256, overrideSha256 } = verdict.ruleSet;
  const override = overrideSha256 === undefined ? '' : `,"override_sha256":${quoted(overrideSha256)}`;
  return (
    `{"carrier_key":${quoted(verdict.carrierKey)},"carrier":${quoted(verdict.carrierName)}` +
    `,"policy_type":${quoted(verdict.policyType)},"status":"${verdict.status}"` +
    `,"possible_statuses":${textList(verdict.possibleStatuses, quoted)}` +
    `,"reasons":${textList(verdict.reasons, reasonText)}` +
    `,"requirements":${textList(verdict.requirements, requirementText)}` +
    `,"possible_requirements":${textList(verdict.possibleRequirements, requirementText)}` +
    `,"notes":${textList(verdict.notes, requirementText)}` +
    `,"missing_fields":${textList(verdict.missingFields, quoted)}` +
    `${verdict.conservative ? ',"conservative":true' : ''}` +
    `,"rule_set":{"version":${quoted(version)},"sha256":${quoted(sha256)}${override}},"source":"${verdict.source}"}`
  );
}

function textList<T>(list: readonly T[], text: (each: T) => string): string {
  if (list.length === 0) return '[]';
  let all = text(list[0]!);
  for (let index = 1; index < list.length; index++) all += `,${text(list[index]!)}`;
  return `[${all}]`;
}

/** What verdicts share: reasons and requirements whose messages quote nothing of the home are frozen, and written once. */
const shared = new WeakMap<object, string>();

function sharedText<T extends object>(told: T, write: (told: T) => string): string {
  const known = shared.get(told);
  if (known !== undefined) return known;
  const text = write(told);
  if (Object.isFrozen(told)) shared.set(told, text);
  return text;
}

const reasonText = (reason: Reason): string => sharedText(reason, writeReasonText);
const requirementText = (requirement: Requirement): string => sharedText(requirement, writeRequirementText);

function writeReasonText({ code, message, fields, ruleId, temporary, endsAt }: Reason): string {
  const ends = temporary ? `,"temporary":true,"ends_at":${JSON.stringify(endsAt ?? null)}` : '';
  return `{"code":${quoted(code)},"message":${quoted(message)},"fields":${textList(fields, quoted)},"rule_id":${quoted(ruleId)}${ends}}`;
}

function writeRequirementText({ code, message, ruleId }: Requirement): string {
  return `{"code":${quoted(code)},"message":${quoted(message)},"rule_id":${quoted(ruleId)}}`;
}

/** Characters that JSON has as they are. */
const PLAIN = /^[ !#-[\]-~]*$/;

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
