import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';
import { runSteps, type Steps } from '../turns/steps.ts';

/**
 * Identity of a JSON document: SHA-256 (hex) over its canonical form, RFC 8785.
 * Throws on what JSON cannot carry (lone surrogates, infinite numbers).
 */
export function sha256OfJson(value: unknown): string {
  return runSteps(sha256OfJsonInSteps(value));
}

/** Bytes hashed between two steps. */
const BYTES_A_STEP = 32 * 1024;

/** The same, with a pause now and then. */
export function* sha256OfJsonInSteps(value: unknown): Steps<string> {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('Only a JSON value has an identity.');
  const bytes = utf8ToBytes(text);
  const hash = sha256.create();
  for (let from = 0; from < bytes.length; from += BYTES_A_STEP) {
    if (from > 0) yield;
    hash.update(bytes.subarray(from, from + BYTES_A_STEP));
  }
  return bytesToHex(hash.digest());
}
