import { formatInstant } from '@leeward/terms';
import { z } from 'zod';
import { notFound } from '../../administration-error.ts';
import { isIdentifier } from '../../identifier.ts';
import type { AuditRecord } from '../../store/records.ts';
import { mayReach } from '../authority.ts';
import { identifierField, organizationField } from '../fields.ts';
import { createOperation, type Operation, type Services } from '../operation.ts';
import { pageFields, pageOf, readPage } from '../page.ts';

export const auditItem = z
  .strictObject({
    audit_id: z.string(),
    organization_id: z.string().nullable(),
    at: z.string().meta({ description: 'ISO 8601, UTC.' }),
    actor: z.strictObject({ type: z.enum(['token', 'system']), id: z.string() }),
    action: z.string().meta({ examples: ['appointments.update'] }),
    subject_id: z.string(),
    request_id: z.string().nullable(),
    changes: z
      .record(z.string(), z.strictObject({ before: z.unknown().optional(), after: z.unknown().optional() }))
      .meta({ description: 'Old and new value of each changed field, without secrets; for rule sets the hash.' }),
  })
  .meta({ id: 'AuditEntry', description: 'A change with its actor and time.' });

type AuditItem = z.infer<typeof auditItem>;

export interface AuditLog {
  readonly list: Operation<{ items: AuditItem[]; next: string | null }>;
}

export function createAudit(services: Services): AuditLog {
  return {
    list: createOperation(services, {
      name: 'audit.list',
      summary: 'List audit entries, newest first. They outlast what they describe.',
      request: z.strictObject({
        organization_id: organizationField,
        subject_id: identifierField.nullish(),
        action: z
          .string()
          .max(100)
          .nullish()
          .meta({ examples: ['tokens.create'] }),
        ...pageFields,
      }),
      response: pageOf(auditItem),
      async perform(call, request) {
        const organizationId = request.organization_id ?? call.authority.organizationId;
        if (organizationId !== undefined && !mayReach(call.authority, organizationId)) throw notFound();
        const where = {
          ...(organizationId !== undefined && { organization_id: organizationId }),
          ...(typeof request.subject_id === 'string' && { subject_id: knownSubject(request.subject_id) }),
          ...(typeof request.action === 'string' && {
            action: isIdentifier(request.action.replace('.', '_')) ? request.action : '',
          }),
        };
        const page = await readPage(call, 'audit', where, request, true);
        return { items: page.records.map(itemOf), next: page.next };
      },
    }),
  };
}

/** Skips the query for malformed subjects. Identifiers of quotes contain hyphens. */
function knownSubject(text: string): string {
  return /^[\w-]{1,64}$/.test(text) ? text : '';
}

function itemOf(record: AuditRecord): AuditItem {
  return {
    audit_id: record.audit_id,
    organization_id: record.organization_id,
    at: formatInstant(record.at),
    actor: { type: record.actor_type, id: record.actor_id },
    action: record.action,
    subject_id: record.subject_id,
    request_id: record.request_id,
    changes: record.changes,
  };
}
