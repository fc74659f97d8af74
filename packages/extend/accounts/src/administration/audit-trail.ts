import type { AccountStore } from '../store/account-store.ts';

/** An action of another part of the service. */
export interface AuditEntry {
  /** A token, or a name that the host chose. */
  readonly actor: { readonly tokenId: string } | { readonly system: string };
  /** null: only operators read it. */
  readonly organizationId: string | null;
  /** Dots and lower-case letters: `quotes.erase`. */
  readonly action: string;
  readonly subjectId: string;
  readonly requestId?: string | undefined;
  /** No secrets or personal data. */
  readonly details?: Readonly<Record<string, string | number>> | undefined;
}

/** Writes to the audit log for other parts of the service. */
export interface AuditTrail {
  /** Rejects if the store is unavailable. */
  record(entry: AuditEntry): Promise<void>;
}

export function createAuditTrail(options: {
  readonly store: AccountStore;
  readonly now: () => number;
  readonly newId: () => string;
}): AuditTrail {
  const { store, now, newId } = options;
  return {
    async record({ actor, organizationId, action, subjectId, requestId, details = {} }) {
      await store.write((writer) =>
        writer.insert('audit', {
          audit_id: newId(),
          organization_id: organizationId,
          at: now(),
          actor_type: 'tokenId' in actor ? 'token' : 'system',
          actor_id: 'tokenId' in actor ? actor.tokenId : actor.system,
          action,
          subject_id: subjectId,
          request_id: requestId ?? null,
          changes: Object.fromEntries(Object.entries(details).map(([name, after]) => [name, { after }])),
        }),
      );
    },
  };
}
