import { AdministrationError } from '@leeward/accounts';
import {
  type CarrierRecord,
  createResource,
  formatValue,
  identifierField,
  invalid,
  itemFields,
  keptOf,
  meaningOf,
  organizationField,
  type Resource,
  revisionField,
  unprintable,
} from '@leeward/accounts/operations';
import { measureJson } from '@leeward/terms';
import { z } from 'zod';
import type { RegistryCall, RegistryServices } from '../rule-sets/services.ts';
import { refuseDirectRules, unapproved } from './direct-rules.ts';

const ruleSetField = z
  .unknown()
  .refine((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    params: { code: 'not_a_rule_set' },
    error: 'must be a rule set: a JSON object.',
  })
  .meta({ description: 'A rule set, under the limits for files from strangers.', type: 'object' });

export const carrierItem = z
  .strictObject({
    carrier_id: z.string(),
    organization_id: z.string(),
    carrier_key: z.string(),
    carrier: z.string().meta({ description: 'The name shown.' }),
    version: z.string(),
    effective: z.strictObject({ from: z.string(), until: z.string().nullable() }),
    sha256: z.string().meta({ description: 'SHA-256 of the canonical JSON of the rule set.' }),
    rule_set: z.unknown().meta({ description: 'The rule set as it was entered.' }),
    ...itemFields,
  })
  .meta({ id: 'CustomCarrier', description: 'A rule set of a carrier that the organization entered itself.' });

export const createCarrierRequest = z.strictObject({ organization_id: organizationField, rule_set: ruleSetField });

export const updateCarrierRequest = z.strictObject({
  carrier_id: identifierField,
  revision: revisionField,
  rule_set: ruleSetField,
});

type Contents = Omit<CarrierRecord, 'carrier_id' | 'organization_id' | 'revision' | 'created_at' | 'updated_at'>;

export type CarrierItem = z.infer<typeof carrierItem>;

export function createCarriers(services: RegistryServices): Resource<CarrierItem> {
  return createResource(services, {
    kind: 'carriers',
    noun: 'carrier',
    create: createCarrierRequest,
    update: updateCarrierRequest,
    item: carrierItem,
    filters: ['carrier_key'],
    shapesCatalog: true,
    max: services.registryLimits.carriers,
    // Removing a carrier only ends an offer.
    refuse: (call, verb) => {
      if (verb !== 'remove') refuseDirectRules('carrier', call);
    },
    auditChanges: unapproved,
    duplicate: {
      path: '/rule_set/effective/from',
      code: 'already_exists',
      message: 'is the first day of another rule set of this carrier: update that one, or begin on another day.',
    },
    async prepareCreate(call, request) {
      const contents = await checkContents(call, request.rule_set);
      return async ({ id, ...base }) => ({ carrier_id: id, ...base, ...contents });
    },
    async prepareUpdate(call, request) {
      const contents = await checkContents(call, request.rule_set);
      return async (record) => {
        if (contents.carrier_key === record.carrier_key) return contents;
        throw invalid(
          '/rule_set/carrier/key',
          'carrier_key_changed',
          `must stay ${formatValue(record.carrier_key)}: create another carrier instead.`,
        );
      };
    },
    toItem: itemOf,
    audited: ({ rule_set: _, ...record }) => meaningOf(record),
  });
}

async function checkContents({ services, authority, signal }: RegistryCall, ruleSet: unknown): Promise<Contents> {
  const measured = measureJson(ruleSet, '/rule_set');
  if (!('text' in measured)) throw new AdministrationError('invalid_request', measured.faults);
  // An object may serialize differently each time.
  const checked = await services.rules.checkCarrierRules(JSON.parse(measured.text), { ...authority, signal });
  const faults = checked.faults.map((fault) => ({ ...fault, path: `/rule_set${fault.path}` }));
  const accepted = checked.ruleSet;
  for (const [path, text] of [
    ['/rule_set/carrier/name', accepted?.carrierName],
    ['/rule_set/version', accepted?.version],
  ] as const) {
    if (text === undefined || !unprintable.test(text)) continue;
    faults.push({
      path,
      code: 'unprintable',
      message: 'must be one line of printable text, without control characters.',
    });
  }
  if (accepted !== undefined && services.catalog?.has(accepted.carrierKey) === true) {
    const message = `${formatValue(accepted.carrierKey)} is a carrier of the catalog: choose another key, or override that one.`;
    faults.push({ path: '/rule_set/carrier/key', code: 'carrier_exists', message });
  }
  if (faults.length > 0) throw new AdministrationError('invalid_request', faults);
  if (accepted === undefined) throw new Error('A rule set without faults was not accepted.');
  return {
    carrier_key: accepted.carrierKey,
    carrier: accepted.carrierName,
    version: accepted.version,
    effective_from: accepted.effectiveFrom,
    effective_until: accepted.effectiveUntil ?? null,
    sha256: accepted.sha256,
    rule_set: measured.text,
  };
}

function itemOf(record: CarrierRecord): CarrierItem {
  return {
    carrier_id: record.carrier_id,
    organization_id: record.organization_id,
    carrier_key: record.carrier_key,
    carrier: record.carrier,
    version: record.version,
    effective: { from: record.effective_from, until: record.effective_until },
    sha256: record.sha256,
    rule_set: JSON.parse(record.rule_set),
    ...keptOf(record),
  };
}
