import { isDeepStrictEqual } from 'node:util';
import { sha256 } from '../audit/audit-chain.ts';
import type { AuditChanges } from '../audit/audit-entry.ts';
import { withoutPersonalFields, withoutPersonalValues } from '../audit/personal-fields.ts';
import type { StoreWriter } from '../store/account-store.ts';
import type { Call } from './operation.ts';

type Fields = { readonly [field: string]: unknown };

/** Without one of the states, all fields of the other. */
export function changesBetween(before: Fields | undefined, after: Fields | undefined): AuditChanges {
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
  /** Values of personal fields are removed. */
  readonly changes: AuditChanges;
  /** The stored record; undefined before it was created. */
  readonly before?: object | undefined;
  /** Undefined after it was removed. */
  readonly after?: object | undefined;
}

export type AuditedCall = Pick<Call, 'authority' | 'services' | 'atMs' | 'requestId' | 'network'>;

/** Call it in the transaction of the change. */
export async function writeAudit(writer: StoreWriter, call: AuditedCall, entry: Entry): Promise<void> {
  const { organizationId, action, before, after } = entry;
  await writer.append({
    audit_id: call.services.newId(),
    organization_id: organizationId,
    at: call.atMs,
    actor_type: call.authority.actorType,
    actor_id: call.authority.actorId,
    user_id: call.authority.userId,
    network: call.network,
    action,
    subject_id: entry.subjectId,
    request_id: call.requestId,
    changes: withoutPersonalValues(action, entry.changes),
    before_hash: stateHash(action, before),
    after_hash: stateHash(action, after),
  });
}

/** Ignores the last use of a token. */
function stateHash(action: string, record: object | undefined): string | null {
  if (record === undefined) return null;
  const { last_used_at: _, ...state } = withoutPersonalFields(action, record) as Fields;
  return sha256(state);
}
