/** Epoch milliseconds; null: never. */
interface Validity {
  readonly revoked_at: number | null;
  readonly expires_at: number | null;
}

/** Exclusive at the moment of expiry. */
export function isUsable(token: Validity, nowMs: number): boolean {
  return token.revoked_at === null && (token.expires_at === null || nowMs < token.expires_at);
}
