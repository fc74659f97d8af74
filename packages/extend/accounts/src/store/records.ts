import type { FormType } from '@leeward/terms';
import type { Scope } from '../vocabulary/scopes.ts';

/**
 * Stored records, in wire names. Instants are milliseconds since 1970. Records are immutable: a change replaces the
 * record and raises its `revision`.
 */

interface Kept {
  readonly revision: number;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface OrganizationRecord extends Kept {
  readonly organization_id: string;
  readonly name: string;
  readonly catalog_stamp: string;
}

export interface NarrowedCarrierRecord {
  readonly carrier_key: string;
  readonly states: readonly string[] | null;
  readonly policy_types: readonly FormType[] | null;
}

export interface TeamRecord extends Kept {
  readonly team_id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly narrowed_to: readonly NarrowedCarrierRecord[] | null;
}

export interface ProducerRecord extends Kept {
  readonly producer_id: string;
  readonly organization_id: string;
  readonly team_id: string;
  readonly email: string;
  /** Lookup key of the address; case is ignored. */
  readonly email_key: string;
  readonly name: string | null;
  readonly licensed_states: readonly string[] | null;
}

export interface AppointmentRecord extends Kept {
  readonly appointment_id: string;
  readonly organization_id: string;
  readonly carrier_key: string;
  readonly states: readonly string[] | null;
  readonly policy_types: readonly FormType[] | null;
  readonly from: string | null;
  readonly until: string | null;
}

/** A rule set that an organization entered. */
export interface CarrierRecord extends Kept {
  readonly carrier_id: string;
  readonly organization_id: string;
  readonly carrier_key: string;
  readonly carrier: string;
  readonly version: string;
  readonly effective_from: string;
  readonly effective_until: string | null;
  readonly sha256: string;
  /** The file as JSON text. */
  readonly rule_set: string;
}

/** Rules that an organization adds to a carrier's. */
export interface OverrideRecord extends Kept {
  readonly override_id: string;
  readonly organization_id: string;
  readonly carrier_key: string;
  readonly sha256: string;
  /** `{ "carrier_key", "add_rules", "exclude" }` as JSON text. */
  readonly override: string;
}

export interface TokenRecord extends Kept {
  readonly token_id: string;
  /** null: the operator's. */
  readonly organization_id: string | null;
  readonly team_id: string | null;
  readonly name: string | null;
  readonly environment: string;
  readonly scopes: readonly Scope[];
  /** SHA-256 of the token's text, in hexadecimal. The text is not stored. */
  readonly secret_hash: string;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
  /** The token that this one replaces. */
  readonly rotated_from: string | null;
}

/** `superseded`: another draft or proposal of the same version took its place. */
export type RuleSetStatus = 'draft' | 'proposed' | 'approved' | 'replaced' | 'withdrawn' | 'superseded';

/** The actor and time of a step: the id of a token, or the name of the host. */
interface Signed {
  readonly proposed_by: string | null;
  readonly proposed_at: number | null;
  readonly approved_by: string | null;
  readonly approved_at: number | null;
}

/** A version of a carrier's rules in the registry. Its file is stored under its hash and never changes. */
export interface RuleSetRecord extends Kept, Signed {
  readonly rule_set_id: string;
  /** null: of the catalog that everybody is offered. */
  readonly organization_id: string | null;
  readonly carrier_key: string;
  readonly carrier: string;
  readonly version: string;
  readonly effective_from: string;
  readonly effective_until: string | null;
  readonly sha256: string;
  readonly status: RuleSetStatus;
  /** Its cases as JSON text. */
  readonly cases: string | null;
  /** Versions of the carrier that were in force when it was reviewed; null: the registry knew none. */
  readonly base: readonly string[] | null;
  /** As the registry wrote it. */
  readonly review: object | null;
  readonly note: string | null;
  /** The key that it was proposed with, and the hash of that request. */
  readonly idempotency_key: string | null;
  readonly body_hash: string | null;
}

/** The file of a version, or of several, by the hash of its canonical JSON. */
export interface RuleSetFileRecord {
  readonly sha256: string;
  /** As JSON text. */
  readonly rule_set: string;
}

/** A temporary stop for carriers of the catalog. */
export interface MoratoriumRecord extends Kept, Signed {
  readonly moratorium_id: string;
  /** Carriers it stops; null: all. */
  readonly carrier_keys: readonly string[] | null;
  /** As rule sets have it. */
  readonly moratorium: { readonly [field: string]: unknown };
  readonly status: 'proposed' | 'approved' | 'withdrawn';
}

/** The rules in force of the catalog (`instance`) or of one organization. */
export interface RegistryRecord {
  readonly registry_id: string;
  readonly organization_id: string | null;
  /** Rises with every publication. */
  readonly number: number;
  /** Ids of rule sets by carrier; a carrier without any is withdrawn, one that is not named is not the registry's. */
  readonly carriers: { readonly [carrierKey: string]: readonly string[] };
  readonly moratoria: readonly string[];
  readonly updated_at: number;
}

/** One change of the rules in force. */
export interface PublicationRecord {
  readonly publication_id: string;
  readonly registry_id: string;
  readonly organization_id: string | null;
  readonly number: number;
  readonly at: number;
  readonly action: 'approve' | 'withdraw' | 'rollback';
  /** null: it is of a moratorium. */
  readonly carrier_key: string | null;
  readonly before: readonly string[] | null;
  readonly after: readonly string[] | null;
  /** The number of the publication that a rollback took back. */
  readonly undoes: number | null;
}

/** A decision saved for replay: facts of a home and the answers, without personal data of the insured. */
export interface SavedDecisionRecord {
  readonly decision_id: string;
  /** The organization that made the request; null: none. */
  readonly organization_id: string | null;
  readonly at: number;
  /** The engine's decision record as JSON text. */
  readonly record: string;
  /** The answers by carrier, as JSON text. */
  readonly answers: string;
}

/** An entry of the audit log. */
export interface AuditRecord {
  readonly audit_id: string;
  readonly organization_id: string | null;
  readonly at: number;
  readonly actor_type: 'token' | 'system';
  /** The id of the token, or what the system calls itself. */
  readonly actor_id: string;
  readonly action: string;
  readonly subject_id: string;
  readonly request_id: string | null;
  readonly changes: { readonly [field: string]: { readonly before?: unknown; readonly after?: unknown } };
}

export interface Records {
  organizations: OrganizationRecord;
  teams: TeamRecord;
  producers: ProducerRecord;
  appointments: AppointmentRecord;
  carriers: CarrierRecord;
  overrides: OverrideRecord;
  tokens: TokenRecord;
  rule_sets: RuleSetRecord;
  rule_set_files: RuleSetFileRecord;
  moratoria: MoratoriumRecord;
  registries: RegistryRecord;
  publications: PublicationRecord;
  saved_decisions: SavedDecisionRecord;
  audit: AuditRecord;
}

export type Kind = keyof Records;
