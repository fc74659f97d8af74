/** Whoever presented a good token. */
export interface Caller {
  /** Fit to be logged, and to count requests by. Never the token. */
  readonly tokenId: string;
  /** The environment that the token is made for. */
  readonly environment?: string;
  readonly scopes: ReadonlySet<string>;
  /** null: no tenant's but the operator's of the whole instance. */
  readonly organizationId: string | null;
  /** null: a key of the whole organization. */
  readonly teamId: string | null;
}

/**
 * Who presents a token. `undefined` for one that is unknown, altered, expired or revoked; finding out takes as
 * long whichever it is. Rejects only when out of reach, which is answered 503.
 */
export interface Directory {
  authenticate(token: string): Promise<Caller | undefined>;
  /** Name of an organization, for people. Left out: people see its id. */
  organization?(organizationId: string): Promise<{ readonly name: string } | undefined>;
  /** Name of a team, for people. Left out: people see its id. */
  team?(teamId: string): Promise<{ readonly name: string } | undefined>;
}
