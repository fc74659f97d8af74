/** The holder of a valid token. */
export interface Caller {
  /** Identifies the token in logs and rate limits. Not secret. */
  readonly tokenId: string;
  /** Environment of the token: `live`, `demo`. */
  readonly environment?: string;
  readonly scopes: ReadonlySet<string>;
  /** null for the operator of the instance. */
  readonly organizationId: string | null;
  /** null for a key of a whole organization. */
  readonly teamId: string | null;
}

/** Verifies tokens. The directory of `@leeward/accounts` fits, and so does `createKeyHolder`. */
export interface Directory {
  /**
   * Resolves to undefined for a token that is unknown, altered, expired or revoked, in the same time for each. Rejects only if the
   * directory is unavailable, which is answered 503.
   */
  authenticate(token: string): Promise<Caller | undefined>;
  /** Display name of an organization. If omitted, people see its identifier. */
  organization?(organizationId: string): Promise<{ readonly name: string } | undefined>;
  /** Display name of a team. If omitted, people see its identifier. */
  team?(teamId: string): Promise<{ readonly name: string } | undefined>;
}
