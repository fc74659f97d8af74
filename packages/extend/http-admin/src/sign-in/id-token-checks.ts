import { createHash } from 'node:crypto';
import { SignInError } from './sign-in-provider.ts';

/** Signatures with a public key. `none` and `HS256` prove nothing to a party that is not the provider. */
const signingAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Clocks of two machines may differ by this much. */
export const CLOCK_SKEW_SECONDS = 60;
/** An ID token is used in the second that it is issued in. */
const MAX_AGE_SECONDS = 600;

interface CheckedClaims {
  readonly sub: string;
  readonly iat: number;
  readonly azp?: unknown;
  readonly at_hash?: unknown;
}

/** @param listed by the provider; without a list it signs with RS256 */
export function acceptedAlgorithms(listed: readonly string[] = ['RS256']): string[] {
  return listed.filter((algorithm) => signingAlgorithms.includes(algorithm));
}

/**
 * Checks what `openid-client` leaves out: `azp` of a single audience, the age, `at_hash`, and the characters of `sub`.
 *
 * @param idToken verified
 * @throws {SignInError} `id_token_refused`
 */
export function checkIdToken(
  claims: CheckedClaims,
  { idToken, accessToken, clientId, nowMs }: { idToken: string; accessToken: string; clientId: string; nowMs: number },
): void {
  if (claims.azp !== undefined && claims.azp !== clientId) throw refusedClaim('azp');
  const age = nowMs / 1000 - claims.iat;
  if (age < -CLOCK_SKEW_SECONDS || age > MAX_AGE_SECONDS) throw refusedClaim('iat');
  if (!/^[\x21-\x7e]{1,255}$/.test(claims.sub)) throw refusedClaim('sub');
  if (claims.at_hash !== undefined && claims.at_hash !== hashOf(accessToken, algorithmOf(idToken))) {
    throw refusedClaim('at_hash');
  }
}

/** @param claim undefined: the signature, or the form of the token */
export function refusedClaim(claim: string | undefined): SignInError {
  const what = claim === undefined ? 'signature or form' : `claim \`${claim}\``;
  const wayOut = claim === 'exp' || claim === 'iat' || claim === 'nbf' ? ' Compare the clocks of both.' : '';
  return new SignInError(
    'id_token_refused',
    `The ID token of the provider has the wrong ${what}. Sign in again.${wayOut}`,
  );
}

/** Left half of the hash of the signature's algorithm, in base64url. */
function hashOf(accessToken: string, algorithm: string): string {
  const bits = /\d{3}$/.exec(algorithm)?.[0] ?? '512';
  const digest = createHash(algorithm.startsWith('Ed') ? 'sha512' : `sha${bits}`)
    .update(accessToken, 'ascii')
    .digest();
  return digest.subarray(0, digest.length / 2).toString('base64url');
}

function algorithmOf(idToken: string): string {
  const header: unknown = JSON.parse(Buffer.from(idToken.split('.')[0] ?? '', 'base64url').toString());
  return (header as { alg: string }).alg;
}
