import type { Fault } from '@leeward/terms';
import { z } from 'zod';
import { conflict, invalid, notFound } from '../administration-error.ts';
import type { AuditChanges } from '../audit/audit-entry.ts';
import { isIdentifier } from '../identifier.ts';
import { DuplicateRecordError, type Equals, type StoreReader, type StoreWriter } from '../store/account-store.ts';
import { fieldOf, idOf, layouts } from '../store/layout.ts';
import type { Kind, OrganizationRecord, Records } from '../store/records.ts';
import { changesBetween, writeAudit } from './audit-log.ts';
import { mayReach, organizationOf } from './authority.ts';
import { identifierField, organizationField, revisionField } from './fields.ts';
import { type Call, createOperation, type Operation, type Services } from './operation.ts';
import { type PageRequest, pageFields, pageOf, readPage } from './page.ts';

/** Kinds of organizations with the same four operations. */
export type OwnedKind = 'teams' | 'producers' | 'appointments' | 'carriers' | 'overrides';

export interface Base {
  readonly id: string;
  readonly organization_id: string;
  readonly revision: number;
  readonly created_at: number;
  readonly updated_at: number;
}

interface CreateRequest {
  readonly organization_id?: string | null | undefined;
}

interface UpdateRequest {
  readonly revision: number;
}

export interface ResourceDefinition<
  K extends OwnedKind,
  Create extends CreateRequest,
  Update extends UpdateRequest,
  Item,
  S extends Services,
> {
  readonly kind: K;
  /** For messages: `team`. */
  readonly noun: string;
  readonly create: z.ZodType<Create>;
  readonly update: z.ZodType<Update>;
  readonly item: z.ZodType<Item>;
  /** Fields that a list can filter by. */
  readonly filters: readonly (keyof Records[K] & string)[];
  /** True if changes renew the stamp of the catalog. */
  readonly shapesCatalog: boolean;
  /** Maximum number per organization. */
  readonly max: number;
  /** May throw, before a change. */
  readonly refuse?: (call: Call<S>, verb: Verb) => void;
  /** Added to every entry of the audit log. */
  readonly auditChanges?: (call: Call<S>) => AuditChanges;
  /** The fault of a duplicate in unique fields. */
  readonly duplicate?: Fault;
  /** Checks outside the transaction; the result builds the record in it. */
  prepareCreate(call: Call<S>, request: Create): Promise<(base: Base, writer: StoreWriter) => Promise<Records[K]>>;
  prepareUpdate(
    call: Call<S>,
    request: Update,
  ): Promise<(record: Records[K], writer: StoreWriter) => Promise<Partial<Records[K]>>>;
  toItem(record: Records[K]): Item;
  /** For the audit log: short, without secrets. */
  audited(record: Records[K]): Readonly<Record<string, unknown>>;
}

type Verb = 'create' | 'update' | 'remove';

/** Operations on a kind of record. */
export interface Resource<Item> {
  readonly list: Operation<{ items: Item[]; next: string | null }>;
  readonly create: Operation<Item>;
  readonly update: Operation<Item>;
  readonly remove: Operation<Item>;
}

/** Makes list, create, update and remove. Each change is audited in its transaction. */
export function createResource<
  K extends OwnedKind,
  Create extends CreateRequest,
  Update extends UpdateRequest,
  Item,
  S extends Services,
>(services: S, definition: ResourceDefinition<K, Create, Update, Item, S>): Resource<Item> {
  const { kind, noun, toItem } = definition;
  const idField = layouts[kind].id;
  const filters = Object.fromEntries(definition.filters.map((field) => [field, identifierField.nullish()]));

  return {
    list: createOperation(services, {
      name: `${kind}.list`,
      summary: `List the ${kind} of an organization, oldest first.`,
      request: z.strictObject({
        organization_id: organizationField,
        [idField]: identifierField.nullish(),
        ...filters,
        ...pageFields,
      }),
      response: pageOf(definition.item),
      async perform(call, request) {
        const where = await whereOf<K>(call, request, [idField, ...definition.filters]);
        const page = await readPage(call, kind, where, request as PageRequest);
        return { items: page.records.map(toItem), next: page.next };
      },
    }),
    create: createOperation(services, {
      name: `${kind}.create`,
      summary: `Create ${withArticle(noun)}.`,
      request: definition.create,
      response: definition.item,
      async perform(call, request) {
        const organizationId = organizationOf(call.authority, request.organization_id);
        definition.refuse?.(call, 'create');
        const build = await definition.prepareCreate(call, request);
        const record = await write(definition, call, async (writer) => {
          const organization = (await writer.lock('organizations', organizationId)) ?? refuse();
          await refuseOverLimit(writer, kind, organizationId, definition.max);
          const { atMs } = call;
          const base = { organization_id: organizationId, revision: 1, created_at: atMs, updated_at: atMs };
          const created = await build({ id: services.newId(), ...base }, writer);
          await writer.insert(kind, created);
          await finish(definition, call, writer, organization, 'create', undefined, created);
          return created;
        });
        return toItem(record);
      },
    }),
    update: createOperation(services, {
      name: `${kind}.update`,
      summary: `Change ${withArticle(noun)}: only the fields given.`,
      request: definition.update,
      response: definition.item,
      async perform(call, request) {
        definition.refuse?.(call, 'update');
        const build = await definition.prepareUpdate(call, request);
        const record = await write(definition, call, async (writer) => {
          const { organization, record: before } = await findLocked(call, writer, kind, fieldOf(request, idField));
          refuseStale(noun, before.revision, request.revision);
          const after = { ...before, ...(await build(before, writer)) };
          if (Object.keys(changesBetween(definition.audited(before), definition.audited(after))).length === 0) {
            return before;
          }
          const next = { ...after, revision: before.revision + 1, updated_at: call.atMs };
          await writer.replace(kind, next);
          await finish(definition, call, writer, organization, 'update', before, next);
          return next;
        });
        return toItem(record);
      },
    }),
    remove: createOperation(services, {
      name: `${kind}.remove`,
      summary: `Remove ${withArticle(noun)} and everything that belongs to it; returns its last state.`,
      request: z.strictObject({ [idField]: identifierField, revision: revisionField.nullish() }),
      response: definition.item,
      async perform(call, request) {
        definition.refuse?.(call, 'remove');
        const record = await write(definition, call, async (writer) => {
          const { organization, record: before } = await findLocked(call, writer, kind, fieldOf(request, idField));
          refuseStale(noun, before.revision, fieldOf(request, 'revision') as number | null | undefined);
          await writer.remove(kind, idOf(kind, before));
          await finish(definition, call, writer, organization, 'remove', before, undefined);
          return before;
        });
        return toItem(record);
      },
    }),
  };
}

/** @throws {AdministrationError} `not_found` for an unknown organization, or one of others. */
export async function whereOf<K extends Kind>(
  call: Call,
  request: object,
  fields: readonly string[],
): Promise<Equals<Records[K]>> {
  const requested = fieldOf(request, 'organization_id') as string | null | undefined;
  const organizationId = requested ?? call.authority.organizationId;
  const values = fields
    .map((field) => [field, fieldOf(request, field)] as const)
    .filter(([, value]) => value !== undefined && value !== null);
  // Malformed identifiers match nothing.
  const where = Object.fromEntries(values.map(([field, value]) => [field, isIdentifier(value) ? value : '']));
  if (organizationId === undefined) return where as Equals<Records[K]>;
  const exists = mayReach(call.authority, organizationId)
    ? await call.services.store.reader.get('organizations', organizationId)
    : undefined;
  if (exists === undefined) throw notFound();
  return { ...where, organization_id: organizationId } as unknown as Equals<Records[K]>;
}

/** @throws {AdministrationError} `not_found` also for records of other organizations. */
export async function findReachable<K extends OwnedKind | 'tokens' | 'users'>(
  call: Call,
  kind: K,
  id: unknown,
  reader: StoreReader = call.services.store.reader,
): Promise<Records[K]> {
  const record = isIdentifier(id) ? await reader.get(kind, id) : undefined;
  if (record === undefined || !mayReach(call.authority, record.organization_id)) throw notFound();
  return record;
}

/** Like `findReachable`, with the organization locked. */
export async function findLocked<K extends OwnedKind | 'tokens' | 'users'>(
  call: Call,
  writer: StoreWriter,
  kind: K,
  id: unknown,
): Promise<{ organization: OrganizationRecord | undefined; record: Records[K] }> {
  const before = await findReachable(call, kind, id, writer);
  if (before.organization_id === null) {
    return { organization: undefined, record: (await writer.lock(kind, idOf(kind, before))) ?? refuse() };
  }
  const organization = (await writer.lock('organizations', before.organization_id)) ?? refuse();
  // Another change may have preceded the lock.
  return { organization, record: (await writer.get(kind, idOf(kind, before))) ?? refuse() };
}

/** @throws {AdministrationError} `conflict` if the revision has changed. */
export function refuseStale(noun: string, current: number, read: number | null | undefined): void {
  if (read === undefined || read === null || read === current) return;
  throw conflict(
    '/revision',
    'revision_conflict',
    `The ${noun} was changed since you read it (revision ${read}, now ${current}): read it again and repeat the change.`,
  );
}

async function refuseOverLimit(
  writer: StoreWriter,
  kind: OwnedKind,
  organizationId: string,
  limit: number,
): Promise<void> {
  if ((await writer.count(kind, { organization_id: organizationId } as Equals<Records[typeof kind]>)) < limit) return;
  throw invalid('', 'limit_reached', `An organization has at most ${limit} ${kind}: remove some first.`);
}

async function write<T>(
  { duplicate }: { readonly duplicate?: Fault },
  call: Call,
  work: (writer: StoreWriter) => Promise<T>,
): Promise<T> {
  try {
    return await call.services.store.write(work);
  } catch (error) {
    if (!(error instanceof DuplicateRecordError) || duplicate === undefined) throw error;
    throw conflict(duplicate.path, duplicate.code, duplicate.message);
  }
}

async function finish<K extends OwnedKind, S extends Services>(
  {
    kind,
    audited,
    shapesCatalog,
    auditChanges,
  }: Pick<ResourceDefinition<K, never, never, never, S>, 'kind' | 'audited' | 'shapesCatalog' | 'auditChanges'>,
  call: Call<S>,
  writer: StoreWriter,
  organization: OrganizationRecord | undefined,
  verb: Verb,
  before: Records[K] | undefined,
  after: Records[K] | undefined,
): Promise<void> {
  const subject = after ?? before;
  if (subject === undefined || organization === undefined)
    throw new Error('A change has a subject and an organization.');
  if (shapesCatalog) {
    await writer.replace('organizations', { ...organization, catalog_stamp: call.services.newId() });
  }
  await writeAudit(writer, call, {
    organizationId: organization.organization_id,
    action: `${kind}.${verb}`,
    subjectId: idOf(kind, subject),
    changes: {
      ...changesBetween(before && audited(before), after && audited(after)),
      ...auditChanges?.(call),
    },
    before,
    after,
  });
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

function refuse(): never {
  throw notFound();
}
