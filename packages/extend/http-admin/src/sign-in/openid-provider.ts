import * as client from 'openid-client';
import { acceptedAlgorithms, CLOCK_SKEW_SECONDS, checkIdToken, refusedClaim } from './id-token-checks.ts';
import { createLimitedFetch, isLoopback, isSecure } from './limited-fetch.ts';
import { type IdentifiedPerson, SignInError, type SignInProvider } from './sign-in-provider.ts';

/** An OpenID provider, and this service as its client. */
export interface OpenIdOptions {
  /** `https:`, or `http:` on this machine. */
  readonly issuer: string;
  readonly clientId: string;
  /** If omitted, a public client: the code verifier (PKCE) alone protects the code. */
  readonly clientSecret?: string | undefined;
  /** Separated by blanks. @default 'openid email profile' */
  readonly scopes?: string | undefined;
  /** Name for people. If omitted, the host of the issuer. */
  readonly name?: string | undefined;
  /** Maximum time of one call of the provider, in ms. @default 5_000 */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** A sign-in provider that speaks OpenID Connect. */
export interface OpenIdProvider extends SignInProvider {
  /** Reads the description of the provider. Rejects with a `SignInError`; the next sign-in tries again. */
  connect(): Promise<void>;
  /** Cause of the last failure to connect; undefined if people can sign in. */
  readonly problem: string | undefined;
}

/** The provider's endpoints may change. */
const MAX_AGE_MS = 3_600_000;
/** Rest between attempts, so that an unavailable provider is not called for every request. */
const RETRY_MS = 2_000;

/**
 * Authorization Code with PKCE against an OpenID provider. It is called on the first use, not at once: a provider that is down stops
 * nothing else.
 *
 * @throws {TypeError} If the issuer is not an `https:` URL, or `http:` on this machine.
 *
 * @example
 * import { createOpenIdProvider } from '@leeward/http-admin/openid';
 *
 * const provider = createOpenIdProvider({ issuer: 'https://login.example.com', clientId: 'leeward' });
 */
export function createOpenIdProvider(options: OpenIdOptions): OpenIdProvider {
  const { clientId, scopes = 'openid email profile', timeoutMs = 5_000, now = Date.now } = options;
  const issuer = new URL(options.issuer);
  if (!isSecure(issuer)) throw new TypeError('An issuer is an https: URL; http: is only for this machine.');
  const limitedFetch = createLimitedFetch(timeoutMs);
  let connected: { readonly configuration: client.Configuration; atMs: number } | undefined;
  let connecting: Promise<client.Configuration> | undefined;
  let failed: { readonly error: SignInError; readonly atMs: number } | undefined;

  const connect = (): Promise<client.Configuration> => {
    connecting ??= discover({ ...options, issuer, fetch: limitedFetch, timeoutMs })
      .then(
        (configuration) => {
          connected = { configuration, atMs: now() };
          failed = undefined;
          return configuration;
        },
        (thrown: unknown) => {
          const error = asSignInError(thrown);
          failed = { error, atMs: now() };
          throw error;
        },
      )
      .finally(() => {
        connecting = undefined;
      });
    return connecting;
  };
  const configuration = async (): Promise<client.Configuration> => {
    if (connected === undefined) {
      if (connecting === undefined && failed && now() - failed.atMs < RETRY_MS) throw failed.error;
      return connect();
    }
    if (now() - connected.atMs > MAX_AGE_MS) {
      // The old description serves until there is a new one.
      connected.atMs = now();
      connect().catch(() => {});
    }
    return connected.configuration;
  };

  return {
    name: options.name ?? issuer.host,
    get problem() {
      return connected === undefined ? failed?.error.message : undefined;
    },
    async connect() {
      await configuration();
    },
    async authorizationUrl({ redirectUri, state, nonce, codeChallenge, responseMode }) {
      const current = await configuration();
      const url = client.buildAuthorizationUrl(current, {
        ...{ redirect_uri: redirectUri, scope: scopes, response_type: 'code', response_mode: responseMode },
        ...{ state, nonce, code_challenge: codeChallenge, code_challenge_method: 'S256' },
      });
      return { url: url.href, issuer: current.serverMetadata().issuer };
    },
    async exchange({ code, redirectUri, nonce, codeVerifier, issuer: responseIssuer }) {
      const current = await configuration();
      const metadata = current.serverMetadata();
      const hasIssuer =
        responseIssuer !== undefined || metadata.authorization_response_iss_parameter_supported === true;
      if (hasIssuer && responseIssuer !== metadata.issuer) {
        throw new SignInError(
          'issuer_mismatch',
          `The code is not from ${metadata.issuer}. Sign in again from the start.`,
        );
      }
      const answer = new URL(redirectUri);
      answer.search = new URLSearchParams({
        code,
        ...(responseIssuer !== undefined && { iss: responseIssuer }),
      }).toString();
      try {
        const tokens = await client.authorizationCodeGrant(current, answer, {
          pkceCodeVerifier: codeVerifier,
          expectedNonce: nonce,
          // The browser or the command line has compared it.
          expectedState: client.skipStateCheck,
          idTokenExpected: true,
        });
        const claims = tokens.claims()!;
        const { id_token: idToken = '', access_token: accessToken } = tokens;
        checkIdToken(claims, { idToken, accessToken, clientId, nowMs: now() });
        // Many providers confirm addresses only there.
        const isElsewhere = claims['email_verified'] === undefined && metadata.userinfo_endpoint !== undefined;
        const more =
          isElsewhere && scopes.split(' ').includes('email')
            ? await client.fetchUserInfo(current, accessToken, claims.sub)
            : undefined;
        return personOf(claims, more ?? claims);
      } catch (thrown) {
        throw asSignInError(thrown);
      }
    },
  };
}

const OTHER_ISSUER =
  'calls itself by another issuer: set the one in its `/.well-known/openid-configuration`, of one tenant.';

async function discover({
  issuer,
  clientId,
  clientSecret,
  fetch,
  timeoutMs,
}: Omit<OpenIdOptions, 'issuer'> & {
  readonly issuer: URL;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly timeoutMs: number;
}): Promise<client.Configuration> {
  const customFetch: client.CustomFetch = (url, init) => fetch(url, init as RequestInit);
  const isLocal = isLoopback(issuer.hostname);
  const timeout = timeoutMs / 1000;
  const discovered = await client.discovery(issuer, clientId, undefined, undefined, {
    [client.customFetch]: customFetch,
    timeout,
    ...(isLocal && { execute: [client.allowInsecureRequests] }),
  });
  const { supportsPKCE: _, ...metadata } = discovered.serverMetadata();
  // openid-client accepts any tenant where the issuer is a template of tenants.
  if (new URL(metadata.issuer).href !== issuer.href) throw unavailable(OTHER_ISSUER);
  if (metadata.jwks_uri === undefined || metadata.token_endpoint === undefined) {
    throw unavailable('publishes no keys or no token endpoint.');
  }
  const algorithms = acceptedAlgorithms(metadata.id_token_signing_alg_values_supported);
  if (algorithms.length === 0) throw unavailable('signs ID tokens with no algorithm that is accepted, such as RS256.');
  const configuration = new client.Configuration(
    { ...metadata, id_token_signing_alg_values_supported: algorithms },
    clientId,
    { ...(clientSecret !== undefined && { client_secret: clientSecret }), [client.clockTolerance]: CLOCK_SKEW_SECONDS },
    clientSecret === undefined ? client.None() : authenticationFor(metadata, clientSecret),
  );
  configuration.timeout = timeout;
  configuration[client.customFetch] = customFetch;
  if (isLocal) client.allowInsecureRequests(configuration);
  client.enableNonRepudiationChecks(configuration);
  return configuration;
}

/** Basic is the default of the specification, but some providers list only the body. */
function authenticationFor(
  {
    token_endpoint_auth_methods_supported: methods = ['client_secret_basic'],
  }: Pick<client.ServerMetadata, 'token_endpoint_auth_methods_supported'>,
  secret: string,
): client.ClientAuth {
  return methods.includes('client_secret_basic') ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret);
}

/** @param addressClaims address and confirmation, of one source: another source may have another address */
function personOf(
  { iss: issuer, sub: subject, ...claims }: client.IDToken,
  addressClaims: client.JsonObject,
): IdentifiedPerson {
  const { email, email_verified: isVerified } = addressClaims;
  const name = claims['name'] ?? addressClaims['name'];
  const isUsable = (text: unknown, max: number): text is string =>
    typeof text === 'string' && text.trim() !== '' && text.length <= max && !/[\p{C}\p{Zl}\p{Zp}]/u.test(text);
  return {
    issuer,
    subject,
    verifiedEmail: isVerified === true && isUsable(email, 254) ? email : undefined,
    hasUnverifiedEmail: isVerified !== true && typeof email === 'string',
    name: isUsable(name, 200) ? name.trim() : undefined,
  };
}

/** Reasons of the provider's refusal that the operator must act on. */
const clientErrors = new Set(['invalid_client', 'unauthorized_client', 'unsupported_grant_type', 'invalid_scope']);
const outages = new Set(['server_error', 'temporarily_unavailable']);
/** Faults of an answer, or of its absence. The others of the library are faults of the ID token. */
const unreadable = new Set([
  ...[
    'OAUTH_RESPONSE_IS_NOT_CONFORM',
    'OAUTH_RESPONSE_IS_NOT_JSON',
    'OAUTH_PARSE_ERROR',
    'OAUTH_TIMEOUT',
    'OAUTH_ABORT',
  ],
  ...['OAUTH_HTTP_REQUEST_FORBIDDEN', 'OAUTH_REQUEST_PROTOCOL_FORBIDDEN', 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'],
]);

/** Drops all that the library's errors carry: responses, tokens and claims. */
function asSignInError(thrown: unknown): SignInError {
  if (thrown instanceof SignInError) return thrown;
  if (thrown instanceof client.ResponseBodyError) {
    const reason = /^[a-z_]{1,40}$/.test(thrown.error) ? thrown.error : 'an error';
    if (clientErrors.has(reason)) return clientRefused(reason);
    if (outages.has(reason) || thrown.status >= 500) return unavailable(`answers ${reason}.`);
    const detail = `The provider did not accept the code (${reason}): it is used, expired or of another sign-in. Sign in again.`;
    return new SignInError('code_refused', detail);
  }
  if (thrown instanceof client.WWWAuthenticateChallengeError) return clientRefused('401');
  if (thrown instanceof client.ClientError && thrown.code !== undefined && !unreadable.has(thrown.code)) {
    return refusedClaim(claimIn(thrown.cause));
  }
  const code = thrown instanceof client.ClientError ? thrown.code : undefined;
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') return unavailable(OTHER_ISSUER);
  if (code === 'OAUTH_TIMEOUT' || nameOf(thrown) === 'TimeoutError') return unavailable('does not answer in time.');
  return unavailable('is unreachable, or its answer cannot be used.');
}

function claimIn(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const claim = typeof cause === 'object' && cause !== null && 'claim' in cause ? cause.claim : undefined;
  return typeof claim === 'string' && /^[a-z_]{1,20}$/.test(claim) ? claim : undefined;
}

function nameOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { cause } = thrown;
  return cause instanceof Error ? cause.name : thrown.name;
}

function clientRefused(reason: string): SignInError {
  const detail = `The sign-in provider does not accept this service (${reason}): its operator must check client id, client secret and scopes.`;
  return new SignInError('client_refused', detail);
}

function unavailable(what: string): SignInError {
  return new SignInError('provider_unavailable', `The sign-in provider ${what}`);
}
