import { Problem, unavailable } from '../problem/problem.ts';
import type { Incoming } from '../request/incoming.ts';
import { inSpan } from '../trace/tracing.ts';
import type { Caller, Directory } from './directory.ts';

const headers = { 'www-authenticate': 'Bearer' };

/** @throws {Problem} `unauthenticated` without a valid token, `unavailable` if the directory fails */
export async function authenticate(request: Pick<Incoming, 'header'>, directory: Directory): Promise<Caller> {
  const token = bearerToken(request.header('authorization'));
  if (token === undefined) {
    throw new Problem('unauthenticated', 'Send your key as "Authorization: Bearer <key>".', { headers });
  }
  let caller: Caller | undefined;
  try {
    caller = await inSpan('directory.authenticate', () => directory.authenticate(token));
  } catch (cause) {
    throw unavailable('The directory of tokens', cause);
  }
  if (caller === undefined) {
    throw new Problem('unauthenticated', 'The token is unknown, expired or revoked.', { headers });
  }
  return caller;
}

/** @throws {Problem} `forbidden` unless the caller has one of the scopes */
export function requireScope(caller: Caller, scopes: readonly string[]): void {
  if (scopes.some((scope) => caller.scopes.has(scope))) return;
  const names = scopes.map((scope) => `"${scope}"`).join(' or ');
  throw new Problem('forbidden', `The token lacks the scope ${names}.`);
}

const bearer = /^bearer +(\S(?:.{0,1022}\S)?)$/i;

/**
 * The token of an `Authorization: Bearer …` field; undefined if the field is missing or malformed.
 *
 * @example
 * bearerToken('Bearer abc'); // 'abc'
 */
export function bearerToken(authorization: string | null): string | undefined {
  return authorization === null ? undefined : bearer.exec(authorization.trim())?.[1];
}
