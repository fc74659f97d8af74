import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';

/**
 * Returns the identity of a JSON document: the SHA-256, in hex, of its canonical form (RFC 8785).
 *
 * @throws for values that JSON cannot represent: lone surrogates, infinite numbers
 */
export function sha256OfJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('Only a JSON value has an identity.');
  return bytesToHex(sha256(utf8ToBytes(text)));
}
