import type { Scope } from './vocabulary/scopes.ts';

/**
 * Reads permissions. A platform with separate accounts implements these six methods instead of the store of this package.
 * Each resolves with `undefined` for a missing record and for another organization's, without a difference between
 * the two, and rejects only when the directory is out of reach.
 */
export interface Directory {
  /**
   * The holder of this token. `undefined` if it is malformed, unknown, altered, expired, revoked or of another
   * environment. An unknown id takes as long as a wrong secret.
   */
  authenticate(token: string): Promise<Caller | undefined>;
  /**
   * Changes whenever the result of `catalog` would, by any process, and never returns to an old value. A compiled
   * catalog may be cached under its stamp. One read by key.
   */
  catalogStamp(organizationId: string): Promise<string | undefined>;
  /** The appointments of an organization and its changes to the rules, in one consistent read. */
  catalog(organizationId: string): Promise<OrganizationCatalog | undefined>;
  organization(organizationId: string): Promise<Organization | undefined>;
  team(teamId: string): Promise<Team | undefined>;
  /** The person with this e-mail address on this team. Case is ignored. */
  producer(teamId: string, email: string): Promise<Producer | undefined>;
}

/** The holder of a valid token. */
export interface Caller {
  /** Fit to be logged, and to count requests by. */
  readonly tokenId: string;
  readonly name: string | null;
  readonly environment: string;
  readonly scopes: ReadonlySet<Scope>;
  /** null: the operator of the instance. */
  readonly organizationId: string | null;
  /** null: a key of the whole organization. */
  readonly teamId: string | null;
}

/** Carriers and rules that an organization adds to the shared catalog. `stamp` changes with any of them. */
export interface OrganizationCatalog extends OrganizationRules {
  readonly organizationId: string;
  readonly name: string;
  /** The `catalogStamp` that these contents have. */
  readonly stamp: string;
  readonly appointments: readonly Appointment[];
}

/** Rule sets and overrides that an organization has in force. */
export interface OrganizationRules {
  readonly carriers: readonly CustomCarrier[];
  readonly overrides: readonly CarrierOverride[];
}

/** States and products that a carrier lets the organization sell. `null`: all. */
export interface Appointment {
  readonly appointmentId: string;
  readonly carrierKey: string;
  /** Lower-case abbreviations. */
  readonly states: readonly string[] | null;
  readonly policyTypes: readonly string[] | null;
  /** Dates `YYYY-MM-DD`: the first day, and the first day after. */
  readonly from: string | null;
  readonly until: string | null;
}

/** A rule set that the organization entered itself; several of one carrier are versions by date. */
export interface CustomCarrier {
  readonly carrierId: string;
  readonly carrierKey: string;
  readonly name: string;
  /** The file, as JSON has it. */
  readonly ruleSet: unknown;
  readonly sha256: string;
}

/** Rules that an organization adds to a carrier's rules. */
export interface CarrierOverride {
  readonly overrideId: string;
  readonly carrierKey: string;
  /** `{ "carrier_key", "add_rules", "exclude" }`, as JSON has it. */
  readonly override: unknown;
  readonly sha256: string;
}

/** An organization, as people know it. */
export interface Organization {
  readonly organizationId: string;
  readonly name: string;
}

/** The team as quoting needs it. */
export interface Team {
  readonly teamId: string;
  readonly organizationId: string;
  readonly name: string;
  /** The part of the organization's appointments that the team may sell; null: all. */
  readonly narrowedTo: readonly NarrowedCarrier[] | null;
}

/** A carrier that a team keeps, perhaps only in some states and for some products. */
export interface NarrowedCarrier {
  readonly carrierKey: string;
  readonly states: readonly string[] | null;
  readonly policyTypes: readonly string[] | null;
}

/** A person who quotes for a team; states as lower-case abbreviations. */
export interface Producer {
  readonly producerId: string;
  readonly teamId: string;
  readonly email: string;
  readonly name: string | null;
  /** null: not recorded, so nothing is refused for it. */
  readonly licensedStates: readonly string[] | null;
}
