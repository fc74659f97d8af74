import type { AccountStore } from '../store/account-store.ts';
import type { SystemActor } from './authority.ts';

/** An action of another part of the service. */
export interface AuditEntry {
  /** A token with the person who held it, or a name that the host chose. */
  readonly actor: { readonly tokenId: string; readonly userId?: string | null | undefined } | SystemActor;
  /** null: only operators read it. */
  readonly organizationId: string | null;
  /** Dots and lower-case letters: `quotes.erase`. */
  readonly action: string;
  readonly subjectId: string;
  readonly requestId?: string | undefined;
  /** Network of the client. If omitted, unknown, and for the host its name. */
  readonly network?: string | undefined;
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
    async record({ actor, organizationId, action, subjectId, requestId, network, details = {} }) {
      const who =
        'tokenId' in actor
          ? {
              actor_type: 'token' as const,
              actor_id: actor.tokenId,
              user_id: actor.userId ?? null,
              network: network ?? null,
            }
          : { actor_type: 'system' as const, actor_id: actor.system, user_id: null, network: actor.system };
      await store.write((writer) =>
        writer.append({
          audit_id: newId(),
          organization_id: organizationId,
          at: now(),
          ...who,
          action,
          subject_id: subjectId,
          request_id: requestId ?? null,
          changes: Object.fromEntries(Object.entries(details).map(([name, after]) => [name, { after }])),
          before_hash: null,
          after_hash: null,
        }),
      );
    },
  };
}
