import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

/** Parts of the next ID token that a test forges. */
export interface Forgery {
  /** Replaces claims; undefined removes one. */
  readonly claims?: Json;
  readonly header?: Json;
  /** Signs with a key that the provider does not publish. */
  readonly isForeign?: boolean;
  /** Signs with the client secret. */
  readonly isSymmetric?: boolean;
  /** Replaces members of the token response; undefined removes one. */
  readonly response?: Json;
}

/** An OpenID provider that a test controls. */
export interface ForgingProvider {
  readonly issuer: string;
  /** Claims of the good ID token. */
  readonly claims: () => Json;
  forge(forgery: Forgery): void;
  /** Answers a path in place of the provider. */
  answer(path: string, handle: (request: IncomingMessage, response: ServerResponse) => void): void;
  /** Changes the description of the provider; undefined removes a member. */
  describe(change: Json): void;
  readonly description: () => Json;
  /** Paths of all requests so far, and the last form of the token endpoint. */
  readonly requests: string[];
  readonly form: () => URLSearchParams;
  stop(): Promise<void>;
}

export const forgedClient = {
  clientId: 'leeward',
  clientSecret: 'hunter2-client-secret',
  nonce: 'the-nonce-of-this-sign-in',
} as const;
export const accessToken = 'access-token-of-a-test';

const encode = (part: object | Buffer) =>
  (Buffer.isBuffer(part) ? part : Buffer.from(JSON.stringify(part))).toString('base64url');

/** Making keys takes longer than all tests. */
const [own, foreign] = [1, 2].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }));

/** Starts a provider on this machine; its ID tokens are good until `forge` is called. */
export async function startForgingProvider(port = 0): Promise<ForgingProvider> {
  const handlers = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();
  const requests: string[] = [];
  let [forgery, changes, form]: [Forgery, Json, URLSearchParams] = [{}, {}, new URLSearchParams()];
  let issuer = '';
  const claims = (): Json => {
    const seconds = Math.floor(Date.now() / 1000);
    const at_hash = createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
    const { clientId: aud, nonce } = forgedClient;
    const person = { sub: 'ana', name: 'Ana Núñez', email: 'ana@example.com', email_verified: true };
    return { iss: issuer, aud, nonce, iat: seconds, exp: seconds + 300, at_hash, ...person };
  };
  const idToken = (): string => {
    const header = { alg: forgery.isSymmetric ? 'HS256' : 'RS256', kid: 'one', ...forgery.header };
    const text = `${encode(header)}.${encode({ ...claims(), ...forgery.claims })}`;
    const key: KeyObject = (forgery.isForeign ? foreign : own)!.privateKey;
    const signature = forgery.isSymmetric
      ? createHmac('sha256', forgedClient.clientSecret).update(text).digest()
      : sign('sha256', Buffer.from(text), key);
    return `${text}.${header.alg === 'none' ? '' : encode(signature)}`;
  };
  const answers: Record<string, () => Json> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
      authorization_response_iss_parameter_supported: true,
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      ...changes,
    }),
    '/jwks': () => ({ keys: [{ ...own!.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] }),
    '/token': () => ({ access_token: accessToken, token_type: 'Bearer', id_token: idToken(), ...forgery.response }),
    '/userinfo': () => ({ sub: 'ana', email: 'ana@example.com', email_verified: true }),
  };
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    const handle = handlers.get(path);
    if (handle) return handle(request, response);
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (path === '/token') form = new URLSearchParams(body);
    const answer = answers[path]?.();
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    claims,
    description: answers['/.well-known/openid-configuration']!,
    requests,
    form: () => form,
    forge: (next) => {
      forgery = next;
    },
    describe: (next) => {
      changes = next;
    },
    answer: (path, handle) => void handlers.set(path, handle),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
