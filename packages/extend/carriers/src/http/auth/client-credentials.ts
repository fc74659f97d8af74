import { type KeyObject, randomUUID, sign } from 'node:crypto';
import { CarrierFault } from '@leeward/quotes';
import type { ClientCredentialsFile } from '../schema.ts';
import { fillSecrets, type Secrets } from '../secrets.ts';
import { type Fetch, sendHttp } from '../send-http.ts';
import type { Auth } from './auth.ts';
import { readKey } from './keys.ts';

/** Before expiry. */
const RENEW_BEFORE_MS = 30_000;
/** If the service does not state one. */
const USUAL_LIFETIME_MS = 300_000;
/** The carrier's deadline has not started yet. */
const MAX_TOKEN_MS = 10_000;

interface Token {
  readonly text: string;
  /** On the monotonic clock. */
  readonly until: number;
}

/** RFC 6749, section 4.4. All calls share one token until shortly before it expires. */
export function createClientCredentials(file: ClientCredentialsFile, secrets: Secrets, fetch: Fetch): Auth {
  let current: Token | undefined;
  let pending: Promise<Token> | undefined;

  const requestToken = async (): Promise<Token> => {
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
      throw noToken('could not be reached', { cause: error });
    } finally {
      pending = undefined;
    }
  };
  return {
    async headers(signal) {
      let token = current;
      if (token === undefined || performance.now() >= token.until) {
        pending ??= requestToken();
        token = await unlessAborted(pending, signal);
      }
      return { authorization: `Bearer ${token.text}` };
    },
    refused({ authorization }) {
      // Late reports must not drop its successor.
      if (current !== undefined && authorization === `Bearer ${current.text}`) current = undefined;
      return true;
    },
  };
}

/** With the client's credentials (RFC 6749, 2.3; RFC 7523, 2.2; RFC 8705, 2). */
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
    const meaning = typeof error === 'string' && Object.hasOwn(knownErrors, error) ? knownErrors[error] : undefined;
    const why = meaning === undefined ? '' : ` (${String(error)}): ${meaning}`;
    throw noToken(`answered ${status}${why}`, { retryAfterMs });
  }
  if (typeof type === 'string' && type.toLowerCase() !== 'bearer')
    throw noToken('returned a token that is not a bearer token');
  // The HTTP client's error would quote an invalid header.
  if (typeof text !== 'string' || !/^[\x21-\x7e]+$/.test(text)) throw noToken('returned no token');
  const lifetimeMs = Number(seconds) > 0 ? Number(seconds) * 1000 : USUAL_LIFETIME_MS;
  return { text, until: performance.now() + lifetimeMs - Math.min(RENEW_BEFORE_MS, lifetimeMs / 2) };
}

/** RFC 6749, section 5.2, and RFC 8707. Other text is not repeated. */
const knownErrors: Readonly<Record<string, string>> = {
  invalid_request: 'it does not understand the request; check scope, audience and resource',
  invalid_client: 'it does not accept the client; check client_id, its secret or key, and client_authentication',
  invalid_grant: 'it does not accept the credentials; they may have expired',
  unauthorized_client: 'the carrier must allow client credentials for this client',
  unsupported_grant_type: 'it does not support client credentials; use the sign-in of the carrier’s manual',
  invalid_scope: 'it does not know the scope, or does not grant it; check scope',
  invalid_target: 'it does not know the resource; check resource and audience',
};

async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(noToken('did not answer before the call was aborted', { cause: signal.reason }));
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

/** The carrier was not called yet: a retry is safe. */
function noToken(what: string, more: { retryAfterMs?: number | undefined; cause?: unknown } = {}): CarrierFault {
  return new CarrierFault(`The carrier's token service ${what}.`, { kind: 'refused', code: 'no_token', ...more });
}

/** RFC 7523, section 2.2. */
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
/** Long enough for clock differences, short enough to be useless if leaked. */
const LIFETIME_SECONDS = 60;

interface ClientAssertion {
  readonly clientId: string;
  /** The token service. */
  readonly audience: string;
  readonly key: KeyObject;
  readonly algorithm: 'RS256' | 'ES256';
  readonly keyId: string | undefined;
  /** Since 1970. */
  readonly atMs: number;
}

/** A JSON Web Token that authenticates the client once (RFC 7523, section 3; OpenID Connect's `private_key_jwt`). */
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
  // JWS requires concatenated numbers, not DER.
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}
