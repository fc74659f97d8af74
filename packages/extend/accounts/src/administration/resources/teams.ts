import { neverEmpty, type SoldLines } from '@leeward/terms';
import { z } from 'zod';
import { AdministrationError } from '../../administration-error.ts';
import type { StoreWriter } from '../../store/account-store.ts';
import type { NarrowedCarrierRecord, TeamRecord } from '../../store/records.ts';
import {
  carrierKeyField,
  formatValue,
  identifierField,
  nameField,
  organizationField,
  policyTypesField,
  policyTypesItem,
  revisionField,
  statesField,
} from '../fields.ts';
import { itemFields, keptOf, meaningOf } from '../item-fields.ts';
import type { Services } from '../operation.ts';
import { createResource } from '../resource.ts';

export function teamSchemas(lines: SoldLines) {
  const item = z
    .strictObject({
      team_id: z.string(),
      organization_id: z.string(),
      name: z.string(),
      narrowed_to: z
        .array(
          z.strictObject({
            carrier_key: z.string(),
            states: z.array(z.string()).readonly().nullable(),
            policy_types: policyTypesItem(lines),
          }),
        )
        .readonly()
        .nullable()
        .meta({
          description: "Carriers that the team may use, among the organization's appointments; null: all of them.",
        }),
      ...itemFields,
    })
    .meta({ id: 'Team' });

  const narrowedToField = z
    .array(
      z.strictObject({
        carrier_key: carrierKeyField,
        states: neverEmpty(statesField, 'the team would keep all states'),
        policy_types: neverEmpty(policyTypesField(lines), 'the team would keep all policy types'),
      }),
    )
    .max(500)
    .nullish()
    .meta({
      description:
        'Carriers of the organization that the team keeps, perhaps in part; null: all. Takes away, never adds.',
    });

  const create = z.strictObject({
    organization_id: organizationField,
    name: nameField,
    narrowed_to: neverEmpty(narrowedToField, 'the team would keep all carriers'),
  });

  const update = z.strictObject({
    team_id: identifierField,
    revision: revisionField,
    name: nameField.nullish(),
    narrowed_to: narrowedToField,
  });

  return { item, create, update };
}

export type TeamSchemas = ReturnType<typeof teamSchemas>;

type NarrowedTo = z.infer<TeamSchemas['update']>['narrowed_to'];

export function createTeams(services: Services) {
  const { item, create, update } = teamSchemas(services.lines);
  return createResource(services, {
    kind: 'teams',
    max: services.limits.teams,
    noun: 'team',
    create,
    update,
    item,
    filters: [],
    shapesCatalog: false,
    async prepareCreate(_, request) {
      return async ({ id, ...base }, writer) => ({
        team_id: id,
        ...base,
        name: request.name,
        narrowed_to: await narrowed(request.narrowed_to, base.organization_id, writer),
      });
    },
    async prepareUpdate(_, request) {
      return async (record, writer) => ({
        name: request.name ?? record.name,
        narrowed_to:
          request.narrowed_to === undefined
            ? record.narrowed_to
            : await narrowed(request.narrowed_to, record.organization_id, writer),
      });
    },
    toItem: itemOf,
    audited: (record) => meaningOf(itemOf(record)),
  });
}

function itemOf(record: TeamRecord): z.infer<TeamSchemas['item']> {
  return {
    team_id: record.team_id,
    organization_id: record.organization_id,
    name: record.name,
    narrowed_to: record.narrowed_to,
    ...keptOf(record),
  };
}

/** Refuses carriers that the organization lacks: probably misspelt. */
async function narrowed(
  narrowedTo: NarrowedTo,
  organizationId: string,
  writer: StoreWriter,
): Promise<NarrowedCarrierRecord[] | null> {
  if (narrowedTo === null || narrowedTo === undefined) return null;
  const where = { organization_id: organizationId };
  const theirs = [...(await writer.list('appointments', { where })), ...(await writer.list('carriers', { where }))];
  const carrierKeys = new Set(theirs.map((record) => record.carrier_key));
  const faults = narrowedTo.flatMap(({ carrier_key }, index) =>
    carrierKeys.has(carrier_key)
      ? []
      : [
          {
            path: `/narrowed_to/${index}/carrier_key`,
            code: 'carrier_not_appointed',
            message: `The organization has no appointment of ${formatValue(carrier_key)}, and no custom carrier with that key.`,
          },
        ],
  );
  if (faults.length > 0) throw new AdministrationError('invalid_request', faults);
  return narrowedTo.map(({ carrier_key, states, policy_types }) => ({
    carrier_key,
    states: states ?? null,
    policy_types: policy_types ?? null,
  }));
}
