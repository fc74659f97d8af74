import type { AccountStore } from '../store/account-store.ts';

/** An action outside the accounts that belongs in their audit log. */
export interface AuditEntry {
  /** A token, or a name that the host chose. */
  readonly actor: { readonly tokenId: string } | { readonly system: string };
  /** null: of no organization; the operator alone reads it. */
  readonly organizationId: string | null;
  /** `quotes.erase`; dots and lower-case letters. */
  readonly action: string;
  readonly subjectId: string;
  readonly requestId?: string | undefined;
  /** Counts and identifiers only: no secrets or personal data. */
  readonly details?: Readonly<Record<string, string | number>> | undefined;
}

/** Lets other parts of the service write to the audit log. */
export interface AuditTrail {
  /** Resolves when it is kept; rejects when the store is out of reach. */
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
