import { createHash } from 'node:crypto';
import { AdministrationError } from '@leeward/accounts';
import {
  carrierKeyField,
  createResource,
  findReachable,
  formatValue,
  identifierField,
  invalid,
  itemFields,
  keptOf,
  type OverrideRecord,
  organizationField,
  type Resource,
  refuseStale,
  revisionField,
} from '@leeward/accounts/operations';
import { acrossFields, measureJson, neverEmpty } from '@leeward/terms';
import { z } from 'zod';
import type { RegistryCall, RegistryServices } from '../rule-sets/services.ts';
import { refuseDirectRules, unapproved } from './direct-rules.ts';

const addRulesField = z
  .array(z.unknown().meta({ type: 'object' }))
  .nullish()
  .meta({ description: 'Rules added to those of the carrier, with separate ids.' });

const excludeField = z
  .unknown()
  .refine((value) => value === undefined || (typeof value === 'object' && !Array.isArray(value)), {
    params: { code: 'invalid_type' },
    error: 'must be an object with policy_types, states or counties.',
  })
  .optional()
  .meta({
    description: 'policy_types, states, and counties by state, that the organization does not sell.',
    type: ['object', 'null'],
  });

export const overrideItem = z
  .strictObject({
    override_id: z.string(),
    organization_id: z.string(),
    carrier_key: z.string(),
    add_rules: z.array(z.unknown()),
    exclude: z.unknown(),
    sha256: z.string(),
    ...itemFields,
  })
  .meta({
    id: 'Override',
    description: "Rules that an organization adds to a catalog carrier's rules. They can only restrict.",
  });

export const createOverrideRequest = z
  .strictObject({
    organization_id: organizationField,
    carrier_key: carrierKeyField,
    add_rules: neverEmpty(addRulesField, 'no rule would be added'),
    exclude: neverEmpty(excludeField, 'nothing would be excluded'),
  })
  .meta(acrossFields({ someOf: [['add_rules', 'exclude']] }));

export const updateOverrideRequest = z.strictObject({
  override_id: identifierField,
  revision: revisionField,
  add_rules: addRulesField,
  exclude: excludeField,
});

interface OverrideFile {
  readonly carrier_key: string;
  readonly add_rules?: unknown;
  readonly exclude?: unknown;
}

export type OverrideItem = z.infer<typeof overrideItem>;

export function createOverrides(services: RegistryServices): Resource<OverrideItem> {
  return createResource(services, {
    kind: 'overrides',
    noun: 'override',
    create: createOverrideRequest,
    update: updateOverrideRequest,
    item: overrideItem,
    filters: ['carrier_key'],
    shapesCatalog: true,
    max: services.registryLimits.overrides,
    // Removing an override offers more.
    refuse: (call) => refuseDirectRules('override', call),
    auditChanges: unapproved,
    duplicate: {
      path: '/carrier_key',
      code: 'already_exists',
      message: 'has an override already: update that one.',
    },
    async prepareCreate(call, request) {
      const { carrier_key, add_rules, exclude } = request;
      if (call.services.catalog?.has(carrier_key) === false) {
        throw invalid(
          '/carrier_key',
          'unknown_carrier',
          `There is no carrier ${formatValue(carrier_key)} in the catalog. A carrier of your own is changed by updating it.`,
        );
      }
      const contents = await checkContents(call, { carrier_key, add_rules, exclude });
      return async ({ id, ...base }) => ({ override_id: id, ...base, carrier_key, ...contents });
    },
    async prepareUpdate(call, request) {
      const record = await findReachable(call, 'overrides', request.override_id);
      const before = JSON.parse(record.override) as OverrideFile;
      const contents = await checkContents(call, {
        carrier_key: record.carrier_key,
        add_rules: request.add_rules === undefined ? before.add_rules : request.add_rules,
        exclude: request.exclude === undefined ? before.exclude : request.exclude,
      });
      // Checked outside the transaction; the revision detects changes since.
      refuseStale('override', record.revision, request.revision);
      return async () => contents;
    },
    toItem: itemOf,
    audited: ({ override_id, organization_id, carrier_key, sha256 }) => ({
      override_id,
      organization_id,
      carrier_key,
      sha256,
    }),
  });
}

async function checkContents(
  { services, authority, signal }: RegistryCall,
  { carrier_key, add_rules, exclude }: OverrideFile,
): Promise<Pick<OverrideRecord, 'override' | 'sha256'>> {
  if (isNothing(add_rules) && isNothing(exclude)) {
    throw invalid('', 'empty_override', 'An override adds rules or excludes something; this one does neither.');
  }
  const file: OverrideFile = {
    carrier_key,
    ...(!isNothing(add_rules) && { add_rules }),
    ...(!isNothing(exclude) && { exclude }),
  };
  const measured = measureJson(file, '');
  if (!('text' in measured)) throw new AdministrationError('invalid_request', measured.faults);
  const checked = await services.rules.checkOverride(JSON.parse(measured.text), { ...authority, signal });
  if (checked.faults.length > 0) throw new AdministrationError('invalid_request', checked.faults);
  const sha256 = checked.override?.sha256 ?? createHash('sha256').update(measured.text).digest('hex');
  return { override: measured.text, sha256 };
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

function itemOf(record: OverrideRecord): OverrideItem {
  const file = JSON.parse(record.override) as OverrideFile;
  return {
    override_id: record.override_id,
    organization_id: record.organization_id,
    carrier_key: record.carrier_key,
    add_rules: Array.isArray(file.add_rules) ? file.add_rules : [],
    exclude: file.exclude ?? null,
    sha256: record.sha256,
    ...keptOf(record),
  };
}
