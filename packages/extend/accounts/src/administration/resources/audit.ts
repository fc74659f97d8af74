import { z } from 'zod';
import { invalid, notFound } from '../../administration-error.ts';
import {
  type AuditHead,
  type AuditItem,
  auditHead,
  auditHeadOf,
  auditItem,
  auditItemOf,
} from '../../audit/audit-entry.ts';
import { firstIdentifierAt, isIdentifier } from '../../identifier.ts';
import { mayReach } from '../authority.ts';
import { identifierField, instantField, organizationField } from '../fields.ts';
import { type Call, createOperation, type Operation, type Services } from '../operation.ts';
import { pageFields, pageOf, readPage } from '../page.ts';

const limitField = z.int().min(1).max(1_000).nullish().meta({ description: 'Entries at most; default 50.' });

const instanceField = z.boolean().nullish().meta({
  description: 'true: only the chain of the instance itself, which belongs to no organization. For the operator.',
});

/** Requests that are refused, as keywords of JSON Schema. */
const bothOwners = {
  required: ['instance', 'organization_id'],
  properties: { instance: { const: true }, organization_id: { type: 'string' } },
};
const sinceNewestFirst = {
  required: ['since'],
  properties: { since: { type: 'string' }, oldest_first: { not: { const: true } } },
};

export interface AuditLog {
  readonly list: Operation<{ items: AuditItem[]; next: string | null }>;
  readonly heads: Operation<{ items: AuditHead[]; next: string | null }>;
}

export function createAudit(services: Services): AuditLog {
  return {
    list: createOperation(services, {
      name: 'audit.list',
      summary: 'List audit entries, newest first. They outlast what they describe.',
      request: z
        .strictObject({
          organization_id: organizationField,
          instance: instanceField,
          subject_id: identifierField.nullish(),
          action: z
            .string()
            .max(100)
            .nullish()
            .meta({ examples: ['tokens.create'] }),
          oldest_first: z.boolean().nullish().meta({ description: 'true: in the order of the chain, for an export.' }),
          since: instantField('since').meta({ description: 'Leaves out entries from before; with `oldest_first`.' }),
          ...pageFields,
          limit: limitField,
        })
        .meta({ not: { anyOf: [bothOwners, sinceNewestFirst] } }),
      response: pageOf(auditItem),
      async perform(call, request) {
        const oldestFirst = request.oldest_first === true;
        const { since, cursor } = request;
        if (typeof since === 'string' && !oldestFirst) {
          throw invalid('/since', 'needs_oldest_first', 'needs `oldest_first`: true.');
        }
        const where = {
          ...ownerOf(call, request),
          ...(typeof request.subject_id === 'string' && { subject_id: knownSubject(request.subject_id) }),
          ...(typeof request.action === 'string' && {
            action: isIdentifier(request.action.replace('.', '_')) ? request.action : '',
          }),
        };
        const from = cursor ?? (typeof since === 'string' ? firstIdentifierAt(Date.parse(since)) : undefined);
        const page = await readPage(call, 'audit', where, { ...request, cursor: from }, !oldestFirst);
        return { items: page.records.map(auditItemOf), next: page.next };
      },
    }),
    heads: createOperation(services, {
      name: 'audit.heads',
      summary: 'List the ends of the hash chains of the audit log, to verify that no entry is missing.',
      request: z
        .strictObject({
          organization_id: organizationField,
          instance: instanceField,
          ...pageFields,
          limit: limitField,
        })
        .meta({ not: bothOwners }),
      response: pageOf(auditHead),
      async perform(call, request) {
        const page = await readPage(call, 'audit_chains', ownerOf(call, request), request);
        return { items: page.records.map(auditHeadOf), next: page.next };
      },
    }),
  };
}

/** Entries outlast their organization, so it is not looked up. */
function ownerOf(
  { authority }: Call,
  {
    organization_id,
    instance,
  }: { readonly organization_id?: string | null | undefined; readonly instance?: boolean | null | undefined },
): { readonly organization_id?: string | null } {
  if (instance === true) {
    if (!mayReach(authority, null)) throw notFound();
    if (typeof organization_id === 'string') {
      throw invalid('/instance', 'instance_or_organization', 'must be left out with `organization_id`.');
    }
    return { organization_id: null };
  }
  const organizationId = organization_id ?? authority.organizationId;
  if (organizationId === undefined) return {};
  if (!mayReach(authority, organizationId)) throw notFound();
  return { organization_id: organizationId };
}

/** Skips the query for malformed subjects. Identifiers of quotes contain hyphens. */
function knownSubject(text: string): string {
  return /^[\w-]{1,64}$/.test(text) ? text : '';
}
