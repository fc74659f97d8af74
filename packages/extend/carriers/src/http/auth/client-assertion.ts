import { type KeyObject, randomUUID, sign } from 'node:crypto';

/** Of a client that is known by a signed assertion (RFC 7523, section 2.2). */
export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
/** Long enough for clocks that differ by a little, and of no use to whoever finds it later. */
const LIFETIME_SECONDS = 60;

/** What an assertion says, and the key that signs it. */
export interface ClientAssertion {
  readonly clientId: string;
  /** Whom it is for: the token service. */
  readonly audience: string;
  readonly key: KeyObject;
  readonly algorithm: 'RS256' | 'ES256';
  readonly keyId: string | undefined;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

/** A JSON Web Token that proves once who a client is (RFC 7523, section 3; OpenID Connect’s `private_key_jwt`). */
export function signClientAssertion({ clientId, audience, key, algorithm, keyId, atMs }: ClientAssertion): string {
  const issuedAt = Math.floor(atMs / 1000);
  const header = { alg: algorithm, typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) };
  const claims = {
    iss: clientId,
    sub: clientId,
    aud: audience,
    jti: randomUUID(),
    iat: issuedAt,
    exp: issuedAt + LIFETIME_SECONDS,
  };
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  // JWS wants the two numbers of an elliptic signature one behind the other, not as DER.
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}
