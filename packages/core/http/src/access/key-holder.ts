import { hash as digest, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Caller, Directory } from './directory.ts';

/** A key of a host without a store of accounts. */
export interface HeldKey {
  /** `lw_<environment>_<id>_<secret>`. Only the hash is kept. */
  readonly token: string;
  readonly scopes: readonly string[];
  /** If omitted, an operator's key. */
  readonly organizationId?: string | null;
  /** If omitted, for the whole organization. */
  readonly teamId?: string | null;
  /** If omitted, it does not expire. */
  readonly expiresAt?: Date;
}

const pattern = /^lw_[a-z0-9]{1,16}_([0-9A-Za-z]{8,64})_[0-9A-Za-z]{32,128}$/;

/**
 * A directory of keys in memory: hashed, looked up by id and compared in constant time.
 *
 * @throws {TypeError} for a malformed key, or two keys with one id
 *
 * @example
 * const key = `lw_test_01jd4v3x9m8k7h2q5t6w0y1z2a_${'k'.repeat(43)}`;
 * createLeeward({ directory: createKeyHolder([{ token: key, scopes: ['underwrite'] }]) });
 */
export function createKeyHolder(keys: readonly HeldKey[], clock: () => Date = () => new Date()): Directory {
  const keysById = new Map<string, { hash: Buffer; expiresMs: number; caller: Caller }>();
  for (const key of keys) {
    const tokenId = pattern.exec(key.token)?.[1];
    if (tokenId === undefined)
      throw new TypeError('A key has the form lw_<environment>_<id>_<secret>; one of these keys does not.');
    if (keysById.has(tokenId)) throw new TypeError(`Two keys share the id ${tokenId}.`);
    const { scopes, organizationId = null, teamId = null, expiresAt } = key;
    keysById.set(tokenId, {
      hash: sha256(key.token),
      expiresMs: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
      caller: { tokenId, scopes: new Set(scopes), organizationId, teamId },
    });
  }
  // Makes an unknown id take as long as a known one.
  const decoy = randomBytes(32);
  return {
    async authenticate(token) {
      const key = keysById.get(pattern.exec(token)?.[1] ?? '');
      const matches = timingSafeEqual(sha256(token), key?.hash ?? decoy);
      return key && matches && clock().getTime() < key.expiresMs ? key.caller : undefined;
    },
  };
}

function sha256(text: string): Buffer {
  return digest('sha256', text, 'buffer');
}
