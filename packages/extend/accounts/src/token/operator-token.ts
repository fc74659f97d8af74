import type { Caller } from '../directory.ts';
import { hashMatches, hashToken } from './token-hash.ts';

const MIN_LENGTH = 32;

/** Its id in the audit log. */
export const OPERATOR_TOKEN_ID = 'operator';

/** Minimum 32 characters; only the hash is stored. */
export function createOperatorToken(text: string, environment: string) {
  if (text.length < MIN_LENGTH) {
    throw new TypeError(
      `An operator token has ${MIN_LENGTH} characters or more; this one has ${text.length}. Make one with: openssl rand -hex 32`,
    );
  }
  const hash = hashToken(text).toString('hex');
  const caller: Caller = {
    tokenId: OPERATOR_TOKEN_ID,
    name: 'operator',
    environment,
    scopes: new Set(['operator'] as const),
    organizationId: null,
    teamId: null,
    userId: null,
  };
  return (presented: Buffer): Caller | undefined => (hashMatches(presented, hash) ? caller : undefined);
}
