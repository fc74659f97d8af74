import { isUnavailable as isStoreUnavailable } from '@leeward/database';
import { KeysUnavailableError } from './field-cipher.ts';

/**
 * True if the database or the key service is unavailable: try again later.
 *
 * @example
 * if (isUnavailable(error)) return new Response(null, { status: 503 });
 */
export function isUnavailable(error: unknown): boolean {
  return error instanceof KeysUnavailableError || isStoreUnavailable(error);
}
