import type { Operation } from '@leeward/accounts';
import {
  carrierKeyField,
  conflict,
  createOperation,
  identifierField,
  nameField,
  organizationField,
  type RuleSetStatus,
  refuseStale,
  revisionField,
  type StoreWriter,
} from '@leeward/accounts/operations';
import { z } from 'zod';
import { auditStep } from './audit-rule-set.ts';
import { findRuleSet, ownerOf } from './find-rule-set.ts';
import { type CarrierInForceItem, carrierInForceItem, carrierInForceOf } from './registry-item.ts';
import { inForceOf, lockRegistry, publish, writeRegistry } from './registry-record.ts';
import { type RuleSetItem, ruleSetItem, ruleSetItemOf } from './rule-set-item.ts';
import type { RegistryCall, RegistryServices } from './services.ts';

const whyField = nameField.nullish().meta({ description: 'Why, in a line; kept in the audit log.' });

export const withdrawRequest = z.strictObject({
  rule_set_id: identifierField,
  revision: revisionField.nullish(),
  why: whyField,
});

export const rollbackRequest = z.strictObject({
  organization_id: organizationField,
  carrier_key: carrierKeyField,
  why: whyField,
});

const MAX_PUBLICATIONS = 1000;

export function createWithdrawal(services: RegistryServices): Operation<RuleSetItem> {
  return createOperation(services, {
    name: 'rule_sets.withdraw',
    summary: 'Withdraw a version of a rule set, proposed or in force.',
    request: withdrawRequest,
    response: ruleSetItem,
    async perform(call, { rule_set_id: id, revision, why }) {
      const { organization_id: owner } = await findRuleSet(call, services.store.reader, id);
      const record = await writeRegistry(call, async (writer) => {
        const registry = await lockRegistry(writer, owner);
        const before = await findRuleSet(call, writer, id);
        refuseStale('version', before.revision, revision);
        if (before.status === 'withdrawn') return before;
        const inForce = inForceOf(registry, before.carrier_key);
        const isPublished = inForce?.includes(id) ?? false;
        const after = isPublished ? inForce!.filter((each) => each !== id) : inForce;
        const withdrawn = await setStatus(call, writer, id, 'withdrawn');
        const published = isPublished
          ? await publish(call, writer, registry, { action: 'withdraw', carrierKey: before.carrier_key, after })
          : undefined;
        await auditStep(
          call,
          writer,
          'rule_sets.withdraw',
          { id, organizationId: owner, before, after: withdrawn },
          {
            status: 'withdrawn',
            ...(published && { in_force: after, publication: published.number }),
            ...(why ? { why } : {}),
          },
          { status: before.status, ...(published && { in_force: inForce }) },
        );
        return withdrawn;
      });
      return ruleSetItemOf(record, call.atMs);
    },
  });
}

/** The next call undoes the publication before. */
export function createRollback(services: RegistryServices): Operation<CarrierInForceItem> {
  return createOperation(services, {
    name: 'rule_sets.rollback',
    summary: 'Restore the previous rule sets of a carrier.',
    request: rollbackRequest,
    response: carrierInForceItem,
    async perform(call, { organization_id: requested, carrier_key: carrierKey, why }) {
      const owner = await ownerOf(call, requested);
      return writeRegistry(call, async (writer) => {
        const registry = await lockRegistry(writer, owner);
        const where = { registry_id: registry.registry_id, carrier_key: carrierKey };
        const publications = await writer.list('publications', { where, newestFirst: true, limit: MAX_PUBLICATIONS });
        const undone = new Set(publications.map(({ undoes }) => undoes));
        const last = publications.find(({ action, number }) => action !== 'rollback' && !undone.has(number));
        if (last === undefined) {
          throw conflict('/carrier_key', 'nothing_to_roll_back', 'has no publication that could be taken back.');
        }
        const before = inForceOf(registry, carrierKey);
        const after = last.before;
        for (const id of before ?? []) if (!after?.includes(id)) await setStatus(call, writer, id, 'withdrawn');
        for (const id of after ?? []) if (!before?.includes(id)) await setStatus(call, writer, id, 'approved');
        const published = await publish(call, writer, registry, {
          action: 'rollback',
          carrierKey,
          after,
          undoes: last.number,
        });
        await auditStep(
          call,
          writer,
          'rule_sets.rollback',
          { id: carrierKey, organizationId: owner, before: registry, after: published },
          { in_force: after, publication: published.number, undoes: last.number, ...(why ? { why } : {}) },
          { in_force: before },
        );
        return carrierInForceOf(writer, published, carrierKey, call.atMs);
      });
    },
  });
}

async function setStatus(call: RegistryCall, writer: StoreWriter, id: string, status: RuleSetStatus) {
  const record = await findRuleSet(call, writer, id);
  const changed = { ...record, status, revision: record.revision + 1, updated_at: call.atMs };
  await writer.replace('rule_sets', changed);
  return changed;
}
