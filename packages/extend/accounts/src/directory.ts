import type { Scope } from './vocabulary/scopes.ts';

/**
 * Reads permissions. A platform with separate accounts implements these seven methods. Each resolves with `undefined` for missing records
 * and for those of other organizations, and rejects only if the directory is unavailable.
 */
export interface Directory {
  /**
   * Undefined if malformed, unknown, altered, expired, revoked or of another environment. An unknown id takes as long as a wrong secret.
   */
  authenticate(token: string): Promise<Caller | undefined>;
  /** Changes with the result of `catalog`, in any process, and never returns to an old value. One read by key. */
  catalogStamp(organizationId: string): Promise<string | undefined>;
  /** One consistent read. */
  catalog(organizationId: string): Promise<OrganizationCatalog | undefined>;
  organization(organizationId: string): Promise<Organization | undefined>;
  team(teamId: string): Promise<Team | undefined>;
  /** A person who signs in. */
  user(userId: string): Promise<User | undefined>;
  /** Ignores case. */
  producer(teamId: string, email: string): Promise<Producer | undefined>;
}

/** The holder of a valid token. */
export interface Caller {
  /** Safe to log, and to count requests by. */
  readonly tokenId: string;
  readonly name: string | null;
  readonly environment: string;
  readonly scopes: ReadonlySet<Scope>;
  /** null: an operator. */
  readonly organizationId: string | null;
  /** null: the whole organization. */
  readonly teamId: string | null;
  /** The person who holds the token; null for a token of a program. */
  readonly userId: string | null;
  /** Networks that the token is valid in, in CIDR notation. null or left out: any. The server checks them. */
  readonly networks?: readonly string[] | null;
}

/** Additions of an organization to the shared catalog. */
export interface OrganizationCatalog extends OrganizationRules {
  readonly organizationId: string;
  readonly name: string;
  /** The `catalogStamp` of these contents. */
  readonly stamp: string;
  readonly appointments: readonly Appointment[];
}

/** Rules that an organization has in force. */
export interface OrganizationRules {
  readonly carriers: readonly CustomCarrier[];
  readonly overrides: readonly CarrierOverride[];
}

/** `null`: all states, all products. */
export interface Appointment {
  readonly appointmentId: string;
  readonly carrierKey: string;
  /** Lower-case abbreviations. */
  readonly states: readonly string[] | null;
  readonly policyTypes: readonly string[] | null;
  /** `YYYY-MM-DD`, `until` exclusive. */
  readonly from: string | null;
  readonly until: string | null;
}

/** A rule set of the organization. Several of one carrier are versions by date. */
export interface CustomCarrier {
  readonly carrierId: string;
  readonly carrierKey: string;
  readonly name: string;
  /** Parsed JSON. */
  readonly ruleSet: unknown;
  readonly sha256: string;
}

/** Rules added to a carrier's. */
export interface CarrierOverride {
  readonly overrideId: string;
  readonly carrierKey: string;
  /** `{ "carrier_key", "add_rules", "exclude" }`. */
  readonly override: unknown;
  readonly sha256: string;
}

/** Name of an organization. */
export interface Organization {
  readonly organizationId: string;
  readonly name: string;
}

/** Name of a person who signs in. */
export interface User {
  readonly userId: string;
  readonly name: string | null;
}

/** A team, for quoting. */
export interface Team {
  readonly teamId: string;
  readonly organizationId: string;
  readonly name: string;
  /** null: all appointments of the organization. */
  readonly narrowedTo: readonly NarrowedCarrier[] | null;
}

/** A carrier of a team, perhaps only in part. */
export interface NarrowedCarrier {
  readonly carrierKey: string;
  readonly states: readonly string[] | null;
  readonly policyTypes: readonly string[] | null;
}

/** A person who quotes for a team. */
export interface Producer {
  readonly producerId: string;
  readonly teamId: string;
  readonly email: string;
  readonly name: string | null;
  /** null: not recorded and not checked. */
  readonly licensedStates: readonly string[] | null;
}
