import type { Caller } from '../directory.ts';
import { hashMatches, hashToken } from './token-hash.ts';

const MIN_LENGTH = 32;

/** The id of this token in the audit log. */
export const OPERATOR_TOKEN_ID = 'operator';

/** The operator token that the host sets: any text of 32 characters or more, stored only as a hash. */
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
  };
  return (presented: Buffer): Caller | undefined => (hashMatches(presented, hash) ? caller : undefined);
}
