import { z } from 'zod';
import { AdministrationError, conflict, invalid, notFound } from '../../administration-error.ts';
import type { StoreWriter } from '../../store/account-store.ts';
import type { UserRecord } from '../../store/records.ts';
import { emailKey } from '../../vocabulary/email.ts';
import { type HeldRole, roles, scopesOfRole } from '../../vocabulary/roles.ts';
import { type AuditedCall, changesBetween, writeAudit } from '../audit-log.ts';
import { organizationOf } from '../authority.ts';
import { emailField, identifierField, nameField, organizationField, revisionField } from '../fields.ts';
import { itemFields, keptOf, meaningOf } from '../item-fields.ts';
import { type Call, createOperation, type Operation, type Services } from '../operation.ts';
import { pageFields, pageOf, readPage } from '../page.ts';
import { findLocked, refuseStale, whereOf } from '../resource.ts';
import { teamIn } from './producers.ts';

const heldRole = z.strictObject({ role: z.enum(roles), team_id: z.string().nullable() });

export const userItem = z
  .strictObject({
    user_id: z.string(),
    organization_id: z.string().nullable().meta({ description: 'null: a person who operates the instance.' }),
    email: z.string().nullable(),
    name: z.string().nullable(),
    issuer: z.string().nullable().meta({ description: 'Identity provider; null before the first sign-in.' }),
    subject: z.string().nullable().meta({ description: 'Identifier of the person at the provider.' }),
    roles: z.array(heldRole).readonly(),
    status: z.enum(['active', 'disabled']),
    ...itemFields,
  })
  .meta({ id: 'User', description: 'A person who signs in, with roles in an organization.' });

/** A user in responses. */
export type UserItem = z.infer<typeof userItem>;

const rolesField = z
  .array(
    z
      .strictObject({ role: z.enum(roles), team_id: identifierField.nullish() })
      .meta({ not: { properties: { role: { const: 'agent' }, team_id: { type: 'null' } } } }),
  )
  .min(1)
  .max(50)
  .meta({
    description:
      'Roles in the organization, or with `team_id` in a team. An agent always has a team, and only an operator gives the role `approver`.',
  });

const identityField = z.string().min(1).max(500);

export const createUserRequest = z.strictObject({
  organization_id: organizationField,
  email: emailField
    .nullish()
    .meta({ description: 'Invites the person: the first sign-in with this verified address.' }),
  name: nameField.nullish(),
  issuer: identityField.nullish().meta({ description: 'With `subject`, in place of an e-mail address.' }),
  subject: identityField.nullish(),
  roles: rolesField,
});

export const updateUserRequest = z.strictObject({
  user_id: identifierField,
  revision: revisionField,
  email: emailField.nullish(),
  name: nameField.nullish(),
  roles: rolesField.optional(),
  status: z
    .enum(['active', 'disabled'])
    .optional()
    .meta({ description: 'A disabled person cannot sign in; all tokens of the person stop at once.' }),
});

export interface Users {
  readonly list: Operation<{ items: UserItem[]; next: string | null }>;
  readonly create: Operation<UserItem>;
  readonly update: Operation<UserItem>;
  readonly remove: Operation<UserItem>;
}

export function createUsers(services: Services): Users {
  return {
    list: createOperation(services, {
      name: 'users.list',
      summary: 'List the users of an organization, oldest first.',
      request: z.strictObject({
        organization_id: organizationField,
        user_id: identifierField.nullish(),
        ...pageFields,
      }),
      response: pageOf(userItem),
      async perform(call, request) {
        const page = await readPage(call, 'users', await whereOf<'users'>(call, request, ['user_id']), request);
        return { items: page.records.map(userItemOf), next: page.next };
      },
    }),
    create: createOperation(services, {
      name: 'users.create',
      summary: 'Add a person by e-mail address, or by issuer and subject.',
      request: createUserRequest,
      response: userItem,
      async perform(call, request) {
        const { atMs } = call;
        const { email = null, issuer = null, subject = null } = request;
        if ((issuer === null) !== (subject === null) || (email === null && subject === null)) {
          throw invalid('/email', 'identity_needed', 'is required, or issuer and subject together.');
        }
        const isOperator = request.roles.some(({ role }) => role === 'operator');
        if (isOperator && typeof request.organization_id === 'string') {
          throw invalid(
            '/organization_id',
            'operator_of_all',
            'must be left out: an operator does not belong to an organization.',
          );
        }
        const organizationId = isOperator ? null : organizationOf(call.authority, request.organization_id);
        return call.services.store.write(async (writer) => {
          if (organizationId !== null && (await writer.lock('organizations', organizationId)) === undefined) {
            throw notFound();
          }
          if (organizationId !== null) await refuseOverLimit(call, writer, organizationId);
          const record: UserRecord = {
            user_id: call.services.newId(),
            organization_id: organizationId,
            email,
            email_key: email === null ? null : emailKey(email),
            name: request.name ?? null,
            issuer,
            subject,
            roles: await grantedRoles(call, writer, organizationId, request.roles),
            status: 'active',
            revision: 1,
            created_at: atMs,
            updated_at: atMs,
          };
          await refuseDuplicate(writer, record);
          await writer.insert('users', record);
          await auditUser(writer, call, 'create', undefined, record);
          return userItemOf(record);
        });
      },
    }),
    update: createOperation(services, {
      name: 'users.update',
      summary: 'Change the roles or the address of a person, or disable the person.',
      request: updateUserRequest,
      response: userItem,
      async perform(call, request) {
        const { email, name, roles: requested, status } = request;
        return call.services.store.write(async (writer) => {
          const { record: before } = await findLocked(call, writer, 'users', request.user_id);
          refuseStale('user', before.revision, request.revision);
          // Without these rights an administrator can only take access away.
          if (email !== undefined || requested !== undefined || status === 'active') refuseRoles(call, before.roles);
          if (email === null && before.subject === null) {
            throw invalid('/email', 'identity_needed', 'is required until the person has signed in.');
          }
          const organizationId = before.organization_id;
          const after: UserRecord = {
            ...before,
            ...(email !== undefined && { email, email_key: email === null ? null : emailKey(email) }),
            ...(name !== undefined && { name }),
            ...(requested && { roles: await grantedRoles(call, writer, organizationId, requested) }),
            ...(status && { status }),
            revision: before.revision + 1,
            updated_at: call.atMs,
          };
          if (after.email_key !== before.email_key) await refuseDuplicate(writer, after);
          await writer.replace('users', after);
          await auditUser(writer, call, 'update', before, after);
          return userItemOf(after);
        });
      },
    }),
    remove: createOperation(services, {
      name: 'users.remove',
      summary: 'Remove a person with name, e-mail address and tokens; returns the last state.',
      request: z.strictObject({ user_id: identifierField, revision: revisionField.nullish() }),
      response: userItem,
      async perform(call, request) {
        return call.services.store.write(async (writer) => {
          const { record } = await findLocked(call, writer, 'users', request.user_id);
          refuseStale('user', record.revision, request.revision);
          await writer.remove('users', record.user_id);
          await auditUser(writer, call, 'remove', record, undefined);
          return userItemOf(record);
        });
      },
    }),
  };
}

function userItemOf(record: UserRecord): UserItem {
  return {
    user_id: record.user_id,
    organization_id: record.organization_id,
    email: record.email,
    name: record.name,
    issuer: record.issuer,
    subject: record.subject,
    roles: record.roles,
    status: record.status,
    ...keptOf(record),
  };
}

/** The audit log outlasts the person; it names changed personal fields without their values. */
export async function auditUser(
  writer: StoreWriter,
  call: AuditedCall,
  verb: string,
  before: UserRecord | undefined,
  after: UserRecord | undefined,
): Promise<void> {
  const { user_id: subjectId, organization_id: organizationId } = (after ?? before)!;
  const changes = changesBetween(before && meaningOf(userItemOf(before)), after && meaningOf(userItemOf(after)));
  await writeAudit(writer, call, { organizationId, action: `users.${verb}`, subjectId, changes, before, after });
}

/** Checks roles of a request. Teams must be of the organization. */
async function grantedRoles(
  call: Call,
  writer: StoreWriter,
  organizationId: string | null,
  requested: z.output<typeof rolesField>,
): Promise<HeldRole[]> {
  const userRoles = requested.map(({ role, team_id = null }) => ({ role, team_id }));
  for (const [index, { role, team_id: teamId }] of userRoles.entries()) {
    const path = `/roles/${index}`;
    if ((role === 'operator') !== (organizationId === null)) {
      const message = 'operator is the only role of a person who operates the instance, and of no other person.';
      throw invalid(`${path}/role`, 'operator_alone', message);
    }
    if (role === 'agent' && teamId === null) throw invalid(`${path}/team_id`, 'required', 'is required for an agent.');
    if (teamId === null) continue;
    if (role !== 'agent' && role !== 'viewer') {
      throw invalid(`${path}/team_id`, 'role_of_organizations', `must be left out for ${role}.`);
    }
    await teamIn(organizationId!, teamId, writer);
  }
  refuseRoles(call, userRoles);
  return userRoles;
}

/** @throws {AdministrationError} `forbidden` if a role has a scope that the actor may not grant. */
function refuseRoles({ authority }: Call, userRoles: readonly HeldRole[]): void {
  for (const { role } of userRoles) {
    const lacking = scopesOfRole[role].find((scope) => !authority.grants.has(scope));
    if (lacking === undefined) continue;
    const message =
      lacking === 'operator'
        ? 'Only the command line adds and changes operators.'
        : `This token may not give the role ${role}: it cannot grant the scope \`${lacking}\`.`;
    throw new AdministrationError('forbidden', [{ path: '/roles', code: 'scope_missing', message }]);
  }
}

/** Within an organization an address and an identity belong to one person. */
async function refuseDuplicate(writer: StoreWriter, record: UserRecord): Promise<void> {
  const { user_id, organization_id, email_key, issuer, subject } = record;
  const alike = [
    ...(email_key === null ? [] : await writer.list('users', { where: { organization_id, email_key } })),
    ...(subject === null ? [] : await writer.list('users', { where: { organization_id, issuer, subject } })),
  ];
  const other = alike.find((each) => each.user_id !== user_id);
  if (other === undefined) return;
  const field = other.email_key === email_key && email_key !== null ? 'email' : 'subject';
  throw conflict(`/${field}`, 'already_exists', `is of a user of the organization already, ${other.user_id}.`);
}

async function refuseOverLimit(call: Call, writer: StoreWriter, organizationId: string): Promise<void> {
  const limit = call.services.limits.users;
  if ((await writer.count('users', { organization_id: organizationId })) < limit) return;
  throw invalid('', 'limit_reached', `An organization has at most ${limit} users: remove some first.`);
}
