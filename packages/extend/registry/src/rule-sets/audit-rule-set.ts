import { type AuditRecord, type StoreWriter, writeAudit } from '@leeward/accounts/operations';
import type { RegistryCall } from './services.ts';

type Fields = Readonly<Record<string, unknown>>;

export function auditStep(
  call: RegistryCall,
  writer: StoreWriter,
  action: string,
  subject: { readonly id: string; readonly organizationId: string | null },
  after: Fields,
  before: Fields = {},
): Promise<void> {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changes: AuditRecord['changes'] = Object.fromEntries(
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
  });
}
