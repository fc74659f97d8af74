/** How long a token is good, as it is kept: epoch milliseconds, null for never. */
interface Validity {
  readonly revoked_at: number | null;
  readonly expires_at: number | null;
}

/** Neither revoked nor expired: the first moment of expiry is the first it is no good. */
export function isUsable(token: Validity, nowMs: number): boolean {
  return token.revoked_at === null && (token.expires_at === null || nowMs < token.expires_at);
}
