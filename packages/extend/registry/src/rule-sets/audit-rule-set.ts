import { type AuditChanges, type StoreWriter, writeAudit } from '@leeward/accounts/operations';
import type { RegistryCall } from './services.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The subject of a step, with its records before and after. */
export interface AuditSubject {
  readonly id: string;
  readonly organizationId: string | null;
  readonly before?: object | undefined;
  readonly after?: object | undefined;
}

export function auditStep(
  call: RegistryCall,
  writer: StoreWriter,
  action: string,
  subject: AuditSubject,
  after: Fields,
  before: Fields = {},
): Promise<void> {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changes: AuditChanges = Object.fromEntries(
    [...fields].map((field) => [
      field,
      {
        ...(Object.hasOwn(before, field) && { before: before[field] ?? null }),
        ...(Object.hasOwn(after, field) && { after: after[field] ?? null }),
      },
    ]),
  );
  return writeAudit(writer, call, {
    organizationId: subject.organizationId,
    action,
    subjectId: subject.id,
    changes,
    before: subject.before,
    after: subject.after,
  });
}
