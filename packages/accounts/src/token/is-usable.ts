import type { TokenRecord } from '../store/records.ts';

/** Neither revoked nor expired: the first moment of expiry is the first it is no good. */
export function isUsable(token: TokenRecord, nowMs: number): boolean {
  return token.revoked_at === null && (token.expires_at === null || nowMs < token.expires_at);
}
