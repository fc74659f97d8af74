import { createHash } from 'node:crypto';
import { canonicalJson } from '@leeward/terms';
import { identifierAfter } from '../identifier.ts';
import {
  type AuditChainRecord,
  type AuditItem,
  type AuditRecord,
  auditItemOf,
  type NewAuditRecord,
} from './audit-entry.ts';

/**
 * Each organization has a chain of entries, and the instance has one. An entry contains the hash of the previous one, so a change of any
 * entry changes the hashes of all later ones. Writers lock the end of a chain until they commit: a chain has no forks, and its identifiers
 * rise even if the clock is set back.
 */

const INSTANCE_CHAIN = 'instance';

export function chainIdOf(organizationId: string | null): string {
  return organizationId ?? INSTANCE_CHAIN;
}

export function emptyChain(organizationId: string | null): AuditChainRecord {
  return {
    chain_id: chainIdOf(organizationId),
    organization_id: organizationId,
    sequence: 0,
    audit_id: '',
    hash: null,
  };
}

/** Leaves out null: fields that are added later are null in earlier entries. */
export function hashEntry({ hash: _, ...entry }: AuditItem): string {
  return sha256(Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null)));
}

/** The entry with its place, and the new end of the chain. */
export function appendToChain(
  head: AuditChainRecord,
  entry: NewAuditRecord,
): { readonly record: AuditRecord; readonly head: AuditChainRecord } {
  const unhashed: AuditRecord = {
    ...entry,
    audit_id: identifierAfter(head.audit_id, entry.audit_id),
    // As it is read again.
    changes: JSON.parse(JSON.stringify(entry.changes)),
    sequence: head.sequence + 1,
    previous_hash: head.hash,
    hash: '',
  };
  const record = { ...unhashed, hash: hashEntry(auditItemOf(unhashed)) };
  const { audit_id, sequence, hash } = record;
  return { record, head: { ...head, audit_id, sequence, hash } };
}

/** Hashes the canonical JSON. */
export function sha256(value: object): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
