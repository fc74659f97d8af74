/** The holder of a valid token. */
export interface Caller {
  /** For logs and rate limits. Not secret. */
  readonly tokenId: string;
  /** `live`, `demo`. */
  readonly environment?: string;
  readonly scopes: ReadonlySet<string>;
  /** null: an operator. */
  readonly organizationId: string | null;
  /** null: the whole organization. */
  readonly teamId: string | null;
  /** The person who holds the token, for the audit log. If omitted, none. */
  readonly userId?: string | null;
  /** Networks in CIDR notation that the token is valid in. null or omitted: any. Others are answered 403. */
  readonly networks?: readonly string[] | null;
}

/** Verifies tokens: that of `@leeward/accounts`, or `createKeyHolder`. */
export interface Directory {
  /** undefined for an unknown, altered, expired or revoked token, in equal time. Rejects if unavailable, which is answered 503. */
  authenticate(token: string): Promise<Caller | undefined>;
  /** Display name. If omitted, the identifier. */
  organization?(organizationId: string): Promise<{ readonly name: string } | undefined>;
  /** Display name. If omitted, the identifier. */
  team?(teamId: string): Promise<{ readonly name: string } | undefined>;
  /** Display name of a person. If omitted, the identifier. */
  user?(userId: string): Promise<{ readonly name: string | null } | undefined>;
}
