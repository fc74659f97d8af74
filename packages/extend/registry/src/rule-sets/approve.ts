import { AdministrationError, type Operation } from '@leeward/accounts';
import {
  createOperation,
  identifierField,
  nameField,
  type RegistryRecord,
  type RuleSetRecord,
  revisionField,
  type StoreWriter,
} from '@leeward/accounts/operations';
import type { Fault } from '@leeward/terms';
import { z } from 'zod';
import type { RuleSetReview } from '../rule-set-review.ts';
import { severitiesFrom } from './approval-rules.ts';
import { auditStep } from './audit-rule-set.ts';
import { fileOf, filesOf, findRuleSet } from './find-rule-set.ts';
import { compareSigners, type FourEyes, faultOf, proofOf } from './four-eyes.ts';
import { inForceOf, lockRegistry, publish, readRegistry, sameIds, writeRegistry } from './registry-record.ts';
import { reviewVersion } from './review-version.ts';
import { type RuleSetItem, ruleSetItem, ruleSetItemOf } from './rule-set-item.ts';
import type { RegistryCall, RegistryServices } from './services.ts';

export const approveRequest = z.strictObject({
  rule_set_id: identifierField,
  revision: revisionField.meta({
    description: 'The revision whose review was read: a proposal that changed since then is answered 409.',
  }),
  note: nameField.nullish().meta({ description: 'Why, in a line; kept in the audit log.' }),
});

/** `refresh`: the review used rules that are no longer in force. */
interface Refusal {
  readonly code: 'forbidden' | 'conflict';
  readonly faults: readonly Fault[];
  readonly refresh?: boolean;
}

export function createApproval(services: RegistryServices): Operation<RuleSetItem> {
  return createOperation(services, {
    name: 'rule_sets.approve',
    summary: 'Approve a version of a rule set. It is in force at once, for homes from its effective date on.',
    request: approveRequest,
    response: ruleSetItem,
    async perform(call, request) {
      const { reader } = services.store;
      const proposal = await findRuleSet(call, reader, request.rule_set_id);
      const owner = proposal.organization_id;
      const outcome = await writeRegistry(call, async (writer): Promise<RuleSetRecord | Refusal> => {
        const registry = await lockRegistry(writer, owner);
        const record = await findRuleSet(call, writer, request.rule_set_id);
        const signers =
          services.approval.fourEyes && record.proposed_by !== null
            ? await compareSigners(writer, record.proposed_by, call.authority)
            : undefined;
        const refusal = await refusalOf(call, registry, record, request.revision, signers);
        if (refusal === undefined) return approve(call, writer, registry, record, request.note ?? null, signers);
        await auditStep(call, writer, 'rule_sets.refuse', subjectOf(record), {
          why: refusal.faults[0]!.code,
          faults: refusal.faults.length,
          revision: record.revision,
        });
        return refusal;
      });
      if (!('code' in outcome)) return ruleSetItemOf(outcome, call.atMs);
      if (outcome.refresh) await refreshReview(call, request.rule_set_id);
      throw new AdministrationError(outcome.code, outcome.faults);
    },
  });
}

async function refusalOf(
  call: RegistryCall,
  registry: RegistryRecord,
  record: RuleSetRecord,
  revision: number,
  signers: FourEyes | undefined,
): Promise<Refusal | undefined> {
  const conflicting = (path: string, code: string, message: string): Refusal => ({
    code: 'conflict',
    faults: [{ path, code, message }],
  });
  if (record.status !== 'proposed' || record.review === null || record.proposed_by === null) {
    return conflicting('/rule_set_id', 'not_proposed', `is ${record.status}: only what is proposed can be approved.`);
  }
  const { approval } = call.services;
  if (approval.fourEyes && !call.authority.mayApprove) {
    const message = 'This token lacks the scope `approve`, which only an operator hands out.';
    return { code: 'forbidden', faults: [{ path: '', code: 'scope_missing', message }] };
  }
  const fault = signers && faultOf(signers, '/rule_set_id');
  if (fault) return { code: 'forbidden', faults: [fault] };
  if (!sameIds(inForceOf(registry, record.carrier_key), record.base)) {
    const message =
      'was compared with versions that are no longer those in force. It is compared again; read it, and approve its new revision.';
    return { ...conflicting('/rule_set_id', 'base_moved', message), refresh: true };
  }
  if (record.revision !== revision) {
    const message = `The proposal was changed since you read it (revision ${revision}, now ${record.revision}): read it again.`;
    return conflicting('/revision', 'revision_conflict', message);
  }
  const { cases, findings, unexplained } = record.review as RuleSetReview;
  if (cases.failures.length > 0) {
    const faults = cases.failures.map(({ path, message }) => ({ path: `/cases${path}`, code: 'case_fails', message }));
    return { code: 'conflict', faults };
  }
  const severities = severitiesFrom(approval.explainFrom);
  const count = severities.reduce((sum, severity) => sum + unexplained[severity], 0);
  if (count === 0) return undefined;
  const faults = findings
    .filter((finding) => severities.includes(finding.severity) && finding.allowed === undefined)
    .map(({ path, code, message }) => ({
      path: `/rule_set${path}`,
      code: 'finding_unexplained',
      message: `${code}: ${message}`,
    }));
  if (faults.length < count) {
    const message = `${count - faults.length} more findings are not explained.`;
    faults.push({ path: '/rule_set', code: 'finding_unexplained', message });
  }
  return { code: 'conflict', faults };
}

async function approve(
  call: RegistryCall,
  writer: StoreWriter,
  registry: RegistryRecord,
  record: RuleSetRecord,
  note: string | null,
  signers: FourEyes | undefined,
): Promise<RuleSetRecord> {
  const { atMs } = call;
  const before = inForceOf(registry, record.carrier_key) ?? [];
  const stays: string[] = [];
  for (const id of before) {
    const other = await writer.get('rule_sets', id);
    if (other === undefined) continue;
    const isReplaced = other.effective_from === record.effective_from || other.version === record.version;
    if (!isReplaced) stays.push(id);
    else
      await writer.replace('rule_sets', {
        ...other,
        status: 'replaced',
        revision: other.revision + 1,
        updated_at: atMs,
      });
  }
  const approved: RuleSetRecord = {
    ...record,
    status: 'approved',
    approved_by: call.authority.actorId,
    approved_at: atMs,
    four_eyes: proofOf(signers),
    revision: record.revision + 1,
    updated_at: atMs,
  };
  await writer.replace('rule_sets', approved);
  const after = [...stays, record.rule_set_id];
  const published = await publish(call, writer, registry, { action: 'approve', carrierKey: record.carrier_key, after });
  await auditStep(
    call,
    writer,
    'rule_sets.approve',
    { ...subjectOf(record), before: record, after: approved },
    {
      status: 'approved',
      in_force: after,
      publication: published.number,
      four_eyes: approved.four_eyes,
      ...(note === null ? {} : { note }),
    },
    { status: 'proposed', in_force: inForceOf(registry, record.carrier_key) },
  );
  return approved;
}

/** Reviews a proposal again. Its revision rises, so that it must be read before approval. */
async function refreshReview(call: RegistryCall, id: string): Promise<void> {
  const { reader } = call.services.store;
  for (;;) {
    const record = await findRuleSet(call, reader, id);
    const { organization_id: owner, carrier_key: carrierKey } = record;
    const base = inForceOf(await readRegistry(reader, owner), carrierKey);
    const { review } = await reviewVersion(call, owner, {
      ruleSet: JSON.parse(await fileOf(reader, record)),
      cases: record.cases === null ? undefined : JSON.parse(record.cases),
      inForce: await filesOf(reader, base),
    });
    const isDone = await writeRegistry(call, async (writer) => {
      const registry = await lockRegistry(writer, owner);
      const current = await findRuleSet(call, writer, id);
      if (current.revision !== record.revision) return current.status !== 'proposed';
      if (!sameIds(inForceOf(registry, carrierKey), base)) return false;
      const refreshed = { ...current, base, review, revision: current.revision + 1, updated_at: call.atMs };
      await writer.replace('rule_sets', refreshed);
      const subject = { ...subjectOf(current), before: current, after: refreshed };
      await auditStep(call, writer, 'rule_sets.refresh', subject, { base }, { base: current.base });
      return true;
    });
    if (isDone) return;
  }
}

function subjectOf(record: RuleSetRecord): { id: string; organizationId: string | null } {
  return { id: record.rule_set_id, organizationId: record.organization_id };
}
