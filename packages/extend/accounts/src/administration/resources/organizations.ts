import { z } from 'zod';
import { notFound } from '../../administration-error.ts';
import { isIdentifier } from '../../identifier.ts';
import type { StoreWriter } from '../../store/account-store.ts';
import type { OrganizationRecord } from '../../store/records.ts';
import { changesBetween, writeAudit } from '../audit-log.ts';
import { forbidden, mayReach } from '../authority.ts';
import { identifierField, nameField, revisionField } from '../fields.ts';
import { itemFields, keptOf, meaningOf } from '../item-fields.ts';
import { type Call, createOperation, type Services } from '../operation.ts';
import { pageFields, pageOf, readPage } from '../page.ts';
import { type Resource, refuseStale, whereOf } from '../resource.ts';

export const organizationItem = z
  .strictObject({ organization_id: z.string(), name: z.string(), ...itemFields })
  .meta({ id: 'Organization' });

type OrganizationItem = z.infer<typeof organizationItem>;

export const createOrganizationRequest = z.strictObject({ name: nameField });

export const updateOrganizationRequest = z.strictObject({
  organization_id: identifierField,
  revision: revisionField,
  name: nameField.nullish(),
});

export function createOrganizations(services: Services): Resource<OrganizationItem> {
  return {
    list: createOperation(services, {
      name: 'organizations.list',
      summary: 'List organizations, oldest first. Administrators see only theirs.',
      request: z.strictObject({ organization_id: identifierField.nullish(), ...pageFields }),
      response: pageOf(organizationItem),
      async perform(call, request) {
        const page = await readPage(call, 'organizations', await whereOf<'organizations'>(call, request, []), request);
        return { items: page.records.map(itemOf), next: page.next };
      },
    }),
    create: createOperation(services, {
      name: 'organizations.create',
      summary: 'Create an organization.',
      request: createOrganizationRequest,
      response: organizationItem,
      async perform(call, { name }) {
        requireOperator(call);
        const { atMs } = call;
        const record = await call.services.store.write(async (writer) => {
          const created: OrganizationRecord = {
            organization_id: services.newId(),
            name,
            catalog_stamp: services.newId(),
            revision: 1,
            created_at: atMs,
            updated_at: atMs,
          };
          await writer.insert('organizations', created);
          await audit(call, writer, 'create', undefined, created);
          return created;
        });
        return itemOf(record);
      },
    }),
    update: createOperation(services, {
      name: 'organizations.update',
      summary: 'Change an organization.',
      request: updateOrganizationRequest,
      response: organizationItem,
      async perform(call, request) {
        const record = await call.services.store.write(async (writer) => {
          const before = await lock(call, writer, request.organization_id);
          refuseStale('organization', before.revision, request.revision);
          const name = request.name ?? before.name;
          if (name === before.name) return before;
          const stamp = services.newId();
          const after = { ...before, name, catalog_stamp: stamp, revision: before.revision + 1, updated_at: call.atMs };
          await writer.replace('organizations', after);
          await audit(call, writer, 'update', before, after);
          return after;
        });
        return itemOf(record);
      },
    }),
    remove: createOperation(services, {
      name: 'organizations.remove',
      summary: 'Remove an organization with all its data except the audit log; returns its last state.',
      request: z.strictObject({ organization_id: identifierField, revision: revisionField.nullish() }),
      response: organizationItem,
      async perform(call, request) {
        requireOperator(call);
        const record = await call.services.store.write(async (writer) => {
          const before = await lock(call, writer, request.organization_id);
          refuseStale('organization', before.revision, request.revision);
          await writer.remove('organizations', before.organization_id);
          await audit(call, writer, 'remove', before, undefined);
          return before;
        });
        return itemOf(record);
      },
    }),
  };
}

function requireOperator({ authority }: Call): void {
  if (authority.organizationId !== undefined) throw forbidden('operator');
}

async function lock(call: Call, writer: StoreWriter, organizationId: string): Promise<OrganizationRecord> {
  const reachable = isIdentifier(organizationId) && mayReach(call.authority, organizationId);
  const organization = reachable ? await writer.lock('organizations', organizationId) : undefined;
  if (organization === undefined) throw notFound();
  return organization;
}

async function audit(
  call: Call,
  writer: StoreWriter,
  verb: string,
  before: OrganizationRecord | undefined,
  after: OrganizationRecord | undefined,
): Promise<void> {
  const organizationId = (after ?? before)!.organization_id;
  await writeAudit(writer, call, {
    organizationId,
    action: `organizations.${verb}`,
    subjectId: organizationId,
    changes: changesBetween(before && meaningOf(itemOf(before)), after && meaningOf(itemOf(after))),
    before,
    after,
  });
}

function itemOf(record: OrganizationRecord): OrganizationItem {
  return { organization_id: record.organization_id, name: record.name, ...keptOf(record) };
}
