import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Binds environment and id to the secret. 256 bits need no salt. */
export function hashToken(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** Makes an unknown id take as long as a wrong secret. */
const nobodys = randomBytes(32);

/** Takes the same time without a hash. */
export function hashMatches(presented: Buffer, storedHex: string | undefined): boolean {
  const stored = storedHex === undefined ? nobodys : Buffer.from(storedHex, 'hex');
  return timingSafeEqual(presented, stored.length === 32 ? stored : nobodys) && stored.length === 32;
}
