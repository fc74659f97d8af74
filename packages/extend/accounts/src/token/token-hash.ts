import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** SHA-256 over the whole text, so that environment and id are bound to the secret. A secret of 256 bits needs no salt. */
export function hashToken(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** Compared for an unknown id, so that it takes as long as a wrong secret. */
const nobodys = randomBytes(32);

/** True if the presented token has this hash. Without a hash, returns false after the same time. */
export function hashMatches(presented: Buffer, storedHex: string | undefined): boolean {
  const stored = storedHex === undefined ? nobodys : Buffer.from(storedHex, 'hex');
  return timingSafeEqual(presented, stored.length === 32 ? stored : nobodys) && stored.length === 32;
}
