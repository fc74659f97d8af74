import { z } from 'zod';
import { notFound } from '../../administration-error.ts';
import { isIdentifier } from '../../identifier.ts';
import type { StoreWriter } from '../../store/account-store.ts';
import type { ProducerRecord } from '../../store/records.ts';
import { emailKey } from '../../vocabulary/email.ts';
import { emailField, identifierField, nameField, organizationField, revisionField, statesField } from '../fields.ts';
import { givenOf, itemFields, keptOf, meaningOf } from '../item-fields.ts';
import type { Services } from '../operation.ts';
import { createResource } from '../resource.ts';

export const producerItem = z
  .strictObject({
    producer_id: z.string(),
    organization_id: z.string(),
    team_id: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    licensed_states: z
      .array(z.string())
      .readonly()
      .nullable()
      .meta({ description: 'States where the producer is licensed; null: not recorded and not checked.' }),
    ...itemFields,
  })
  .meta({ id: 'Producer', description: 'A person who quotes for a team.' });

export const createProducerRequest = z.strictObject({
  organization_id: organizationField,
  team_id: identifierField,
  email: emailField,
  name: nameField.nullish(),
  licensed_states: statesField,
});

export const updateProducerRequest = z.strictObject({
  producer_id: identifierField,
  revision: revisionField,
  team_id: identifierField.nullish(),
  email: emailField.nullish(),
  name: nameField.nullish(),
  licensed_states: statesField,
});

export function createProducers(services: Services) {
  return createResource(services, {
    kind: 'producers',
    max: services.limits.producers,
    noun: 'producer',
    create: createProducerRequest,
    update: updateProducerRequest,
    item: producerItem,
    filters: ['team_id'],
    shapesCatalog: false,
    duplicate: { path: '/email', code: 'already_exists', message: 'is on this team already.' },
    async prepareCreate(_, request) {
      return async ({ id, ...base }, writer) => ({
        producer_id: id,
        ...base,
        team_id: await teamIn(base.organization_id, request.team_id, writer),
        email: request.email,
        email_key: emailKey(request.email),
        name: request.name ?? null,
        licensed_states: request.licensed_states ?? null,
      });
    },
    async prepareUpdate(_, request) {
      const { team_id: teamId, email } = request;
      return async (record, writer) => ({
        ...givenOf(request, ['name', 'licensed_states']),
        ...(typeof teamId === 'string' && { team_id: await teamIn(record.organization_id, teamId, writer) }),
        ...(typeof email === 'string' && { email, email_key: emailKey(email) }),
      });
    },
    toItem: itemOf,
    audited: (record) => meaningOf(itemOf(record)),
  });
}

function itemOf(record: ProducerRecord): z.infer<typeof producerItem> {
  return {
    producer_id: record.producer_id,
    organization_id: record.organization_id,
    team_id: record.team_id,
    email: record.email,
    name: record.name,
    licensed_states: record.licensed_states,
    ...keptOf(record),
  };
}

/** @throws {AdministrationError} `not_found` for teams of other organizations. */
export async function teamIn(organizationId: string, teamId: string, writer: StoreWriter): Promise<string> {
  const team = isIdentifier(teamId) ? await writer.get('teams', teamId) : undefined;
  if (team?.organization_id !== organizationId) throw notFound();
  return teamId;
}
