import { type KeyObject, randomUUID, sign } from 'node:crypto';
import { CarrierFault } from '@leeward/quotes';
import type { ClientCredentialsFile } from '../schema.ts';
import { fillSecrets, type Secrets } from '../secrets.ts';
import { type Fetch, sendHttp } from '../send-http.ts';
import type { Auth } from './auth.ts';
import { readKey } from './keys.ts';

/** A token is renewed so long before it runs out. */
const RENEW_BEFORE_MS = 30_000;
/** Of a token service that does not say. */
const USUAL_LIFETIME_MS = 300_000;
/** How long a token may take; a carrier's deadline has not begun meanwhile. */
const MAX_TOKEN_MS = 10_000;

interface Token {
  readonly text: string;
  /** By the clock of this process. */
  readonly until: number;
}

/** OAuth 2.0 client credentials (RFC 6749, section 4.4): one token for all calls until shortly before it runs out. */
export function createClientCredentials(file: ClientCredentialsFile, secrets: Secrets, fetch: Fetch): Auth {
  let current: Token | undefined;
  let asking: Promise<Token> | undefined;

  const ask = async (): Promise<Token> => {
    try {
      const { status, body, retryAfterMs } = await sendHttp(fetch, file.token_url, {
        method: 'POST',
        ...tokenRequest(file, secrets),
        // Not the caller's signal: others wait for the same token.
        signal: AbortSignal.timeout(MAX_TOKEN_MS),
      });
      current = readToken(status, body, retryAfterMs);
      return current;
    } catch (error) {
      if (error instanceof CarrierFault && error.code === 'no_token') throw error;
      throw noToken('could not be asked', { cause: error });
    } finally {
      asking = undefined;
    }
  };
  return {
    async headers(signal) {
      let token = current;
      if (token === undefined || performance.now() >= token.until) {
        asking ??= ask();
        token = await unlessAborted(asking, signal);
      }
      return { authorization: `Bearer ${token.text}` };
    },
    refused({ authorization }) {
      // Many calls may be told so of one token: those that come late must not cost its successor.
      if (current !== undefined && authorization === `Bearer ${current.text}`) current = undefined;
      return true;
    },
  };
}

/** What the token service is asked, and how it knows who asks (RFC 6749, 2.3; RFC 7523, 2.2; RFC 8705, 2). */
function tokenRequest(
  file: ClientCredentialsFile,
  secrets: Secrets,
): { headers: Record<string, string>; body: string } {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (file.scope !== undefined) form.set('scope', file.scope);
  if (file.audience !== undefined) form.set('audience', file.audience);
  for (const resource of [file.resource ?? []].flat()) form.append('resource', resource);
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  const id = fillSecrets(file.client_id, secrets);
  const secret = fillSecrets(file.client_secret ?? '', secrets);
  switch (file.client_authentication) {
    case 'client_secret_post':
      form.set('client_id', id);
      form.set('client_secret', secret);
      break;
    case 'private_key_jwt': {
      const { key, algorithm, key_id: keyId, audience = file.token_url } = file.private_key!;
      form.set('client_id', id);
      form.set('client_assertion_type', assertionType);
      const signing = { key: readKey(key, secrets), algorithm, keyId };
      form.set('client_assertion', signClientAssertion({ clientId: id, audience, atMs: Date.now(), ...signing }));
      break;
    }
    case 'tls_client_auth':
      form.set('client_id', id);
      break;
    default: {
      const pair = [id, secret].map((text) => encodeURIComponent(text)).join(':');
      headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
    }
  }
  return { headers, body: form.toString() };
}

function readToken(status: number, body: unknown, retryAfterMs: number | undefined): Token {
  const { access_token: text, expires_in: seconds, token_type: type, error } = (body ?? {}) as Record<string, unknown>;
  if (status !== 200) {
    const said = knownErrors.find((each) => each === error);
    throw noToken(`answered ${status}${said === undefined ? '' : ` (${said})`}`, { retryAfterMs });
  }
  if (typeof type === 'string' && type.toLowerCase() !== 'bearer') throw noToken('gave a token that is no bearer’s');
  // What no header can carry would be printed by what refuses it.
  if (typeof text !== 'string' || !/^[\x21-\x7e]+$/.test(text)) throw noToken('gave no token');
  const lifetimeMs = Number(seconds) > 0 ? Number(seconds) * 1000 : USUAL_LIFETIME_MS;
  return { text, until: performance.now() + lifetimeMs - Math.min(RENEW_BEFORE_MS, lifetimeMs / 2) };
}

/** What RFC 6749, section 5.2, and RFC 8707 let a token service say; anything else is not repeated. */
const knownErrors = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_target',
];

async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(noToken('was not waited for', { cause: signal.reason }));
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

/** The carrier itself has not been asked yet: trying again is safe. */
function noToken(what: string, more: { retryAfterMs?: number | undefined; cause?: unknown } = {}): CarrierFault {
  return new CarrierFault(`The carrier's token service ${what}.`, { kind: 'refused', code: 'no_token', ...more });
}

/** Of a client that is known by a signed assertion (RFC 7523, section 2.2). */
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
/** Long enough for clocks that differ by a little, and of no use to whoever finds it later. */
const LIFETIME_SECONDS = 60;

/** What an assertion says, and the key that signs it. */
interface ClientAssertion {
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
function signClientAssertion({ clientId, audience, key, algorithm, keyId, atMs }: ClientAssertion): string {
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
