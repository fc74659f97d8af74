import { isDeepStrictEqual } from 'node:util';
import type { StoreWriter } from '../store/account-store.ts';
import type { AuditRecord } from '../store/records.ts';
import type { Call } from './operation.ts';

type Fields = { readonly [field: string]: unknown };

/** Without one of the states, all fields of the other. */
export function changesBetween(before: Fields | undefined, after: Fields | undefined): AuditRecord['changes'] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const changed = [...fields].filter((field) => !isDeepStrictEqual(before?.[field], after?.[field]));
  return Object.fromEntries(
    changed.map((field) => [
      field,
      { ...(before && { before: before[field] ?? null }), ...(after && { after: after[field] ?? null }) },
    ]),
  );
}

export interface Entry {
  readonly organizationId: string | null;
  readonly action: string;
  readonly subjectId: string;
  readonly changes: AuditRecord['changes'];
}

/** Call it in the transaction of the change. */
export async function writeAudit(writer: StoreWriter, call: Call, entry: Entry): Promise<void> {
  await writer.insert('audit', {
    audit_id: call.services.newId(),
    organization_id: entry.organizationId,
    at: call.atMs,
    actor_type: call.authority.actorType,
    actor_id: call.authority.actorId,
    action: entry.action,
    subject_id: entry.subjectId,
    request_id: call.requestId,
    changes: entry.changes,
  });
}
