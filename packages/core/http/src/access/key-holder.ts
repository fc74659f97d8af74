import { hash as digest, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Caller, Directory } from './directory.ts';

/** A key held in memory, for a host without a store of accounts. */
export interface HeldKey {
  /** `lw_<environment>_<id>_<secret>`. Hashed at once; the text is not kept. */
  readonly token: string;
  readonly scopes: readonly string[];
  readonly organizationId?: string | null;
  readonly teamId?: string | null;
  readonly expiresAt?: Date;
}

const pattern = /^lw_[a-z0-9]{1,16}_([0-9A-Za-z]{8,64})_[0-9A-Za-z]{32,128}$/;

/** Keys held in memory: hashed, looked up by id, compared in constant time. Throws a `TypeError` for one that is no key. */
export function createKeyHolder(keys: readonly HeldKey[], clock: () => Date = () => new Date()): Directory {
  const held = new Map<string, { hash: Buffer; expiresMs: number; caller: Caller }>();
  for (const key of keys) {
    const tokenId = pattern.exec(key.token)?.[1];
    if (tokenId === undefined)
      throw new TypeError('A key reads lw_<environment>_<id>_<secret>; one of these does not.');
    if (held.has(tokenId)) throw new TypeError(`Two keys share the id ${tokenId}.`);
    const { scopes, organizationId = null, teamId = null, expiresAt } = key;
    held.set(tokenId, {
      hash: sha256(key.token),
      expiresMs: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
      caller: { tokenId, scopes: new Set(scopes), organizationId, teamId },
    });
  }
  // Compared with where there is no such id, so that both cost the same.
  const nobodys = randomBytes(32);
  return {
    async authenticate(token) {
      const key = held.get(pattern.exec(token)?.[1] ?? '');
      const matches = timingSafeEqual(sha256(token), key?.hash ?? nobodys);
      return key && matches && clock().getTime() < key.expiresMs ? key.caller : undefined;
    },
  };
}

function sha256(text: string): Buffer {
  return digest('sha256', text, 'buffer');
}
