import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** SHA-256 over the whole text, so that environment and id are bound to the secret. A secret of 256 bits needs no salt. */
export function hashToken(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** Compared with where there is nothing to compare with, so that an unknown id costs what a wrong secret does. */
const nobodys = randomBytes(32);

/** Whether a presented token has this hash; false, and no sooner, when there is none. */
export function hashMatches(presented: Buffer, storedHex: string | undefined): boolean {
  const stored = storedHex === undefined ? nobodys : Buffer.from(storedHex, 'hex');
  return timingSafeEqual(presented, stored.length === 32 ? stored : nobodys) && stored.length === 32;
}
