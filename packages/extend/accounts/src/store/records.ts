import type { FormType } from '@leeward/terms';
import type { AuditChainRecord, AuditRecord } from '../audit/audit-entry.ts';
import type { HeldRole } from '../vocabulary/roles.ts';
import type { Scope } from '../vocabulary/scopes.ts';

/** Wire names; times in epoch milliseconds. Records are immutable: a change raises `revision`. */

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
  /** Ignores case. */
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

/** A rule set of an organization. */
export interface CarrierRecord extends Kept {
  readonly carrier_id: string;
  readonly organization_id: string;
  readonly carrier_key: string;
  readonly carrier: string;
  readonly version: string;
  readonly effective_from: string;
  readonly effective_until: string | null;
  readonly sha256: string;
  /** JSON text. */
  readonly rule_set: string;
}

/** Rules added to a carrier's. */
export interface OverrideRecord extends Kept {
  readonly override_id: string;
  readonly organization_id: string;
  readonly carrier_key: string;
  readonly sha256: string;
  /** JSON text. */
  readonly override: string;
}

/** A person. Matched at sign-in by issuer and subject, or the first time by e-mail address. */
export interface UserRecord extends Kept {
  readonly user_id: string;
  /** null: the instance. */
  readonly organization_id: string | null;
  readonly email: string | null;
  /** Ignores case. */
  readonly email_key: string | null;
  readonly name: string | null;
  /** null before the first sign-in of an invited person. */
  readonly issuer: string | null;
  readonly subject: string | null;
  readonly roles: readonly HeldRole[];
  readonly status: 'active' | 'disabled';
}

export interface TokenRecord extends Kept {
  readonly token_id: string;
  /** null: an operator. */
  readonly organization_id: string | null;
  readonly team_id: string | null;
  /** The person who made it or signed in; null: a program's. */
  readonly user_id: string | null;
  readonly name: string | null;
  readonly environment: string;
  readonly scopes: readonly Scope[];
  /** SHA-256, hexadecimal. The text is not stored. */
  readonly secret_hash: string;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
  readonly rotated_from: string | null;
  /** For a sign-in: when renewing ends. null: not from a sign-in. */
  readonly session_ends_at: number | null;
  /** Networks that it is valid in. null: any. */
  readonly networks: readonly string[] | null;
}

/** `superseded`: another draft or proposal of the same version took its place. */
export type RuleSetStatus = 'draft' | 'proposed' | 'approved' | 'replaced' | 'withdrawn' | 'superseded';

/** Id of a token, or name of the host. */
interface Signed {
  readonly proposed_by: string | null;
  readonly proposed_at: number | null;
  readonly approved_by: string | null;
  readonly approved_at: number | null;
  /** Proof of the approval: two people who signed in, or only two tokens. null: without four eyes. */
  readonly four_eyes: 'people' | 'tokens' | null;
}

/** A version in the registry. Its file is stored under its hash. */
export interface RuleSetRecord extends Kept, Signed {
  readonly rule_set_id: string;
  /** null: of the catalog. */
  readonly organization_id: string | null;
  readonly carrier_key: string;
  readonly carrier: string;
  readonly version: string;
  readonly effective_from: string;
  readonly effective_until: string | null;
  readonly sha256: string;
  readonly status: RuleSetStatus;
  /** JSON text. */
  readonly cases: string | null;
  /** Versions in force at the review; null: unknown to the registry. */
  readonly base: readonly string[] | null;
  readonly review: object | null;
  readonly note: string | null;
  /** Key and body hash of its request. */
  readonly idempotency_key: string | null;
  readonly body_hash: string | null;
}

/** By the hash of its canonical JSON. */
export interface RuleSetFileRecord {
  readonly sha256: string;
  /** JSON text. */
  readonly rule_set: string;
}

/** A temporary stop for carriers of the catalog. */
export interface MoratoriumRecord extends Kept, Signed {
  readonly moratorium_id: string;
  /** null: all. */
  readonly carrier_keys: readonly string[] | null;
  readonly moratorium: { readonly [field: string]: unknown };
  readonly status: 'proposed' | 'approved' | 'withdrawn';
}

/** A storm or another event that rules test, for the whole instance. */
export interface HazardEventRecord extends Kept {
  readonly hazard_event_id: string;
  /** Its id in the feed, chosen by the operator. */
  readonly event_id: string;
  readonly event: { readonly [field: string]: unknown };
  /** `past`: it ended so long ago that no rule can test it. */
  readonly status: 'current' | 'past';
}

/** Rules in force of the catalog (`instance`) or of an organization. `hazard_events` only counts changes of events. */
export interface RegistryRecord {
  readonly registry_id: string;
  readonly organization_id: string | null;
  readonly number: number;
  /** Ids by carrier. An empty list is a withdrawn carrier; a missing key is unknown to the registry. */
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
  /** null: a moratorium. */
  readonly carrier_key: string | null;
  readonly before: readonly string[] | null;
  readonly after: readonly string[] | null;
  /** Publication that a rollback undid. */
  readonly undoes: number | null;
}

/** A decision for replay, without personal data of the insured. */
export interface SavedDecisionRecord {
  readonly decision_id: string;
  /** null: none. */
  readonly organization_id: string | null;
  readonly at: number;
  /** JSON text. */
  readonly record: string;
  /** JSON text, by carrier. */
  readonly answers: string;
}

/** Stored records by kind. */
export interface Records {
  organizations: OrganizationRecord;
  teams: TeamRecord;
  producers: ProducerRecord;
  appointments: AppointmentRecord;
  carriers: CarrierRecord;
  overrides: OverrideRecord;
  users: UserRecord;
  tokens: TokenRecord;
  rule_sets: RuleSetRecord;
  rule_set_files: RuleSetFileRecord;
  moratoria: MoratoriumRecord;
  hazard_events: HazardEventRecord;
  registries: RegistryRecord;
  publications: PublicationRecord;
  saved_decisions: SavedDecisionRecord;
  audit: AuditRecord;
  audit_chains: AuditChainRecord;
}

/** Kind of a stored record. */
export type Kind = keyof Records;

/** Kinds that a change writes itself; entries of the audit log are appended. */
export type WrittenKind = Exclude<Kind, 'audit' | 'audit_chains'>;
