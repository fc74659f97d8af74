/** End of a token's life, in epoch milliseconds; null: never. */
interface Validity {
  readonly revoked_at: number | null;
  readonly expires_at: number | null;
}

/** True if neither revoked nor expired. At the moment of expiry the token is already invalid. */
export function isUsable(token: Validity, nowMs: number): boolean {
  return token.revoked_at === null && (token.expires_at === null || nowMs < token.expires_at);
}
