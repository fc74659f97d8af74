import type { SystemActor } from '@leeward/accounts';
import { authorityOf, type RuleSetRecord } from '@leeward/accounts/operations';
import type { RuleSetSummary } from '../rules-port.ts';
import { auditStep } from './audit-rule-set.ts';
import { lockRegistry, publish, writeRegistry } from './registry-record.ts';
import type { RegistryCall, RegistryServices } from './services.ts';

/** A checked rule set that is already served. */
export interface SeedFile extends RuleSetSummary {
  readonly file: unknown;
}

/** One transaction, one publication per carrier. Skips approval: the files were in force before. One of several processes succeeds. */
export async function seedRuleSets(
  services: RegistryServices,
  files: readonly SeedFile[],
  actor: SystemActor,
): Promise<number> {
  const call: RegistryCall = {
    services,
    authority: authorityOf(actor),
    requestId: null,
    network: actor.system,
    atMs: services.now(),
    signal: undefined,
    idempotency: undefined,
  };
  const byCarrier = new Map<string, SeedFile[]>();
  for (const each of files) byCarrier.set(each.carrierKey, [...(byCarrier.get(each.carrierKey) ?? []), each]);
  return writeRegistry(call, async (writer) => {
    let registry = await lockRegistry(writer, null);
    if (registry.number > 0) return 0;
    for (const [carrierKey, versions] of byCarrier) {
      const records = versions.map((each) => recordOf(call, each));
      for (const [index, record] of records.entries()) {
        const { sha256, file } = versions[index]!;
        if ((await writer.get('rule_set_files', sha256)) === undefined) {
          await writer.insert('rule_set_files', { sha256, rule_set: JSON.stringify(file) });
        }
        await writer.insert('rule_sets', record);
      }
      const after = records.map((record) => record.rule_set_id);
      registry = await publish(call, writer, registry, { action: 'approve', carrierKey, after });
      const subject = { id: carrierKey, organizationId: null, after: records };
      const fields = {
        versions: versions.map(({ version }) => version),
        in_force: after,
        publication: registry.number,
      };
      await auditStep(call, writer, 'rule_sets.seed', subject, fields);
    }
    return files.length;
  });
}

function recordOf({ services, authority, atMs }: RegistryCall, seed: SeedFile): RuleSetRecord {
  const signed = {
    proposed_by: authority.actorId,
    proposed_at: atMs,
    approved_by: authority.actorId,
    approved_at: atMs,
    four_eyes: null,
  };
  return {
    rule_set_id: services.newId(),
    organization_id: null,
    carrier_key: seed.carrierKey,
    carrier: seed.carrierName,
    version: seed.version,
    effective_from: seed.effectiveFrom,
    effective_until: seed.effectiveUntil ?? null,
    sha256: seed.sha256,
    status: 'approved',
    cases: null,
    base: null,
    review: null,
    note: null,
    idempotency_key: null,
    body_hash: null,
    ...signed,
    revision: 1,
    created_at: atMs,
    updated_at: atMs,
  };
}
