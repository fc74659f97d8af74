import type { CarrierOverride, CustomCarrier, OrganizationRules } from '@leeward/accounts';
import type { CarrierRecord, OverrideRecord, RegistryRecord, StoreReader } from '@leeward/accounts/operations';
import { inForceOf, readRegistry } from '../rule-sets/registry-record.ts';

/**
 * Reads the rules of an organization for the directory of accounts. Versions in force replace rule sets of the same carrier that
 * `carriers` entered.
 *
 * @example
 * const accounts = createAccounts({ store, readOrganizationRules });
 */
export async function readOrganizationRules(reader: StoreReader, organizationId: string): Promise<OrganizationRules> {
  const where = { organization_id: organizationId };
  const registry = await readRegistry(reader, organizationId);
  const entered = await reader.list('carriers', { where });
  return {
    carriers: [
      ...entered.filter((record) => inForceOf(registry, record.carrier_key) === null).map(carrierOf),
      ...(await registeredOf(reader, registry)),
    ],
    overrides: (await reader.list('overrides', { where })).map(overrideOf),
  };
}

function carrierOf(record: CarrierRecord): CustomCarrier {
  return {
    carrierId: record.carrier_id,
    carrierKey: record.carrier_key,
    name: record.carrier,
    // Parsed on demand: up to 256 KiB each.
    get ruleSet() {
      return JSON.parse(record.rule_set);
    },
    sha256: record.sha256,
  };
}

async function registeredOf(reader: StoreReader, { carriers }: RegistryRecord): Promise<CustomCarrier[]> {
  const carrierVersions: CustomCarrier[] = [];
  for (const id of Object.values(carriers).flat()) {
    const record = await reader.get('rule_sets', id);
    const file = record && (await reader.get('rule_set_files', record.sha256));
    if (record === undefined || file === undefined) continue;
    carrierVersions.push({
      carrierId: record.rule_set_id,
      carrierKey: record.carrier_key,
      name: record.carrier,
      get ruleSet() {
        return JSON.parse(file.rule_set);
      },
      sha256: record.sha256,
    });
  }
  return carrierVersions;
}

function overrideOf(record: OverrideRecord): CarrierOverride {
  return {
    overrideId: record.override_id,
    carrierKey: record.carrier_key,
    get override() {
      return JSON.parse(record.override);
    },
    sha256: record.sha256,
  };
}
