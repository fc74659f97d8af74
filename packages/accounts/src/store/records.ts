import type { FormType } from '@leeward/terms';
import type { Scope } from '../vocabulary/scopes.ts';

/**
 * What is stored, under the names that it has on the wire. Instants are milliseconds since 1970. Records are never
 * changed: a change is a new record in the old one's place, one `revision` further.
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
  /** What the address is found by, whatever its capitals. */
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
  /** SHA-256 of the token's text, in hexadecimal. The text itself is nowhere. */
  readonly secret_hash: string;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
  /** The token that this one replaces. */
  readonly rotated_from: string | null;
}

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
  audit: AuditRecord;
}

export type Kind = keyof Records;
