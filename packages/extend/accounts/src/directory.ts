import type { Scope } from './vocabulary/scopes.ts';

/**
 * Who may do what, as the services ask for it. A platform with accounts of its own implements these six questions
 * and plugs in instead of the store of this package. Each answers `undefined` for what is not there, is not to
 * be told apart from what is another's, and rejects only when it is out of reach.
 */
export interface Directory {
  /**
   * Who presents this token. `undefined` for one that is malformed, unknown, altered, expired, revoked or of another
   * environment; finding out takes as long whether it is unknown or its secret is wrong.
   */
  authenticate(token: string): Promise<Caller | undefined>;
  /**
   * Changes whenever `catalog` would answer otherwise, whoever changed it and from whichever process, and never
   * returns to an old value: what is compiled from a catalog may be kept under its stamp. One read by key.
   */
  catalogStamp(organizationId: string): Promise<string | undefined>;
  /** What an organization may sell and how it has changed the rules, all of one moment. */
  catalog(organizationId: string): Promise<OrganizationCatalog | undefined>;
  organization(organizationId: string): Promise<Organization | undefined>;
  team(teamId: string): Promise<Team | undefined>;
  /** The person with this e-mail address on this team, in whatever capitals. */
  producer(teamId: string, email: string): Promise<Producer | undefined>;
}

/** Whoever presented a good token. */
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

/** What an organization adds to the catalog that all share; `stamp` changes whenever any of it does. */
export interface OrganizationCatalog {
  readonly organizationId: string;
  readonly name: string;
  /** The `catalogStamp` that these contents have. */
  readonly stamp: string;
  readonly appointments: readonly Appointment[];
  readonly carriers: readonly CustomCarrier[];
  readonly overrides: readonly CarrierOverride[];
}

/** Where and what a carrier lets the organization sell. `null` limits nothing. */
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

/** What the organization added to a carrier's rules. */
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

/** A team, as whoever asks carriers needs to know it. */
export interface Team {
  readonly teamId: string;
  readonly organizationId: string;
  readonly name: string;
  /** What the team may sell of the organization's appointments; null: all. */
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
