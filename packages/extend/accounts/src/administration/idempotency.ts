import { createHash } from 'node:crypto';
import { canonicalJson, exceedsDepth, IDEMPOTENCY_HOURS, idempotencyKeyFault } from '@leeward/terms';
import { AdministrationError } from '../administration-error.ts';

export interface Idempotency {
  readonly key: string;
  /** SHA-256, independent of the order of fields. */
  readonly bodyHash: string;
}

const MAX_DEPTH = 1_000;
const IDEMPOTENCY_MS = IDEMPOTENCY_HOURS * 3_600_000;

/** @throws {AdministrationError} `invalid_request` for a malformed key. */
export function readIdempotency(key: string | undefined, body: unknown): Idempotency | undefined {
  if (key === undefined) return undefined;
  const fault = idempotencyKeyFault(key);
  if (fault !== undefined) throw new AdministrationError('invalid_request', [fault]);
  const text = exceedsDepth(body, MAX_DEPTH) ? 'too deep' : canonicalJson(body);
  return { key, bodyHash: createHash('sha256').update(text).digest('hex') };
}

/**
 * True if the earlier request is still valid and has the same body.
 *
 * @throws {AdministrationError} `idempotency_conflict` if it had another body.
 */
export function answersAgain(
  { bodyHash }: Idempotency,
  earlier: { readonly bodyHash: string | null; readonly atMs: number },
  nowMs: number,
): boolean {
  if (earlier.atMs <= nowMs - IDEMPOTENCY_MS) return false;
  if (earlier.bodyHash === bodyHash) return true;
  const message = 'This Idempotency-Key was used with another body: send a new key with this one.';
  throw new AdministrationError('idempotency_conflict', [{ path: '', code: 'idempotency_conflict', message }]);
}
