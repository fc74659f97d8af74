import { formatInstant } from '@leeward/terms';
import { z } from 'zod';

/** Changed fields. A personal field has no values: `changed`. */
export type AuditChanges = {
  readonly [field: string]: { readonly before?: unknown; readonly after?: unknown; readonly changed?: true };
};

/** An entry before it has a place in a chain. */
export interface NewAuditRecord {
  readonly audit_id: string;
  /** null: only operators read it. */
  readonly organization_id: string | null;
  readonly at: number;
  readonly actor_type: 'token' | 'system';
  /** Id of a token, or name of the host. */
  readonly actor_id: string;
  /** The person who held the token; null without one. */
  readonly user_id: string | null;
  /** Network of the client, or name of the host; null: unknown. */
  readonly network: string | null;
  readonly action: string;
  readonly subject_id: string;
  readonly request_id: string | null;
  readonly changes: AuditChanges;
  /** SHA-256 of the record; null without one. */
  readonly before_hash: string | null;
  readonly after_hash: string | null;
}

/** An entry of the audit log. */
export interface AuditRecord extends NewAuditRecord {
  /** From 1, without gaps in an organization. */
  readonly sequence: number;
  /** null: the first of its chain. */
  readonly previous_hash: string | null;
  readonly hash: string;
}

/** End of a chain: its last entry. */
export interface AuditChainRecord {
  readonly chain_id: string;
  /** null: the instance. */
  readonly organization_id: string | null;
  readonly sequence: number;
  readonly audit_id: string;
  readonly hash: string | null;
}

const sha256 = z.string().nullable();

export const auditItem = z
  .strictObject({
    audit_id: z.string(),
    organization_id: z.string().nullable().meta({ description: 'null: the instance.' }),
    sequence: z.int().meta({ description: 'Position in the chain of the organization, from 1, without gaps.' }),
    at: z.string().meta({ description: 'ISO 8601, UTC.' }),
    actor: z.strictObject({
      type: z.enum(['token', 'system']),
      id: z.string(),
      user_id: z.string().nullable().meta({ description: 'The person who held the token; null without one.' }),
    }),
    network: z
      .string()
      .nullable()
      .meta({
        description:
          'The network of the client, not its address: /24 of IPv4, /64 of IPv6. `command line` for the host; null: unknown.',
        examples: ['203.0.113.0/24'],
      }),
    action: z.string().meta({ examples: ['appointments.update'] }),
    subject_id: z.string(),
    request_id: z.string().nullable(),
    changes: z
      .record(
        z.string(),
        z.strictObject({
          before: z.unknown().optional(),
          after: z.unknown().optional(),
          changed: z.literal(true).optional(),
        }),
      )
      .meta({
        description:
          'Old and new value of each changed field, without secrets; for rule sets the hash. Names and e-mail addresses of people are only `changed`.',
      }),
    before_hash: sha256.meta({ description: 'SHA-256 of the record before the change; null without one.' }),
    after_hash: sha256.meta({ description: 'SHA-256 of the record after the change; null without one.' }),
    previous_hash: sha256.meta({ description: '`hash` of the previous entry of the chain; null for the first.' }),
    hash: z.string().meta({
      description:
        'SHA-256, in hexadecimal, of the canonical JSON (RFC 8785) of this entry without `hash` and without fields that are null.',
    }),
  })
  .meta({ id: 'AuditEntry', description: 'A change with its actor, time and place in the hash chain.' });

/** An entry in responses, exports and streams. */
export type AuditItem = z.infer<typeof auditItem>;

export const auditHead = z
  .strictObject({
    organization_id: z.string().nullable().meta({ description: 'null: the instance.' }),
    sequence: z.int().meta({ description: 'Number of entries.' }),
    audit_id: z.string().meta({ description: 'The last entry.' }),
    hash: z.string().nullable().meta({ description: 'Hash of the last entry. Note it elsewhere to compare it later.' }),
  })
  .meta({ id: 'AuditHead', description: 'The end of the chain of an organization.' });

/** The end of a chain in responses and exports. */
export type AuditHead = z.infer<typeof auditHead>;

export function auditItemOf(record: AuditRecord): AuditItem {
  return {
    audit_id: record.audit_id,
    organization_id: record.organization_id,
    sequence: record.sequence,
    at: formatInstant(record.at),
    actor: { type: record.actor_type, id: record.actor_id, user_id: record.user_id },
    network: record.network,
    action: record.action,
    subject_id: record.subject_id,
    request_id: record.request_id,
    changes: record.changes as AuditItem['changes'],
    before_hash: record.before_hash,
    after_hash: record.after_hash,
    previous_hash: record.previous_hash,
    hash: record.hash,
  };
}

export function auditHeadOf({ organization_id, sequence, audit_id, hash }: AuditChainRecord): AuditHead {
  return { organization_id, sequence, audit_id, hash };
}
