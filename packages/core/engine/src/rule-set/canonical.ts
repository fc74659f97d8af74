import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';

/**
 * Identity of a JSON document: SHA-256 (hex) over its canonical form, RFC 8785.
 * Throws on what JSON cannot carry (lone surrogates, infinite numbers).
 */
export function sha256OfJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('Only a JSON value has an identity.');
  return bytesToHex(sha256(utf8ToBytes(text)));
}
