import type { AuditChanges } from './audit-entry.ts';

/** By kind of record. */
const personalFields: { readonly [kind: string]: readonly string[] } = {
  producers: ['email', 'email_key', 'name'],
  users: ['email', 'email_key', 'name', 'issuer', 'subject'],
};

/** Names fields of people without their values. */
export function withoutPersonalValues(action: string, changes: AuditChanges): AuditChanges {
  const personal = personalFieldsOf(action);
  if (personal.length === 0) return changes;
  return Object.fromEntries(
    Object.entries(changes).map(([field, change]) => [field, personal.includes(field) ? { changed: true } : change]),
  );
}

/** A hash would let others guess them. */
export function withoutPersonalFields(action: string, record: object): object {
  const personal = personalFieldsOf(action);
  return Object.fromEntries(Object.entries(record).filter(([field]) => !personal.includes(field)));
}

function personalFieldsOf(action: string): readonly string[] {
  return personalFields[action.split('.')[0] ?? ''] ?? [];
}
