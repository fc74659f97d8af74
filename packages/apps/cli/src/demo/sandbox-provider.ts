import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CommandError } from '../command-error.ts';
import { type DemoPerson, demoPeople } from './demo-people.ts';
import { sandboxPage } from './sandbox-page.ts';
import { createSandboxStore } from './sandbox-store.ts';

/** An identity provider of the demo, on this machine only. */
export interface SandboxProvider {
  readonly issuer: string;
  readonly clientId: string;
  stop(): Promise<void>;
}

/** The parts of `oidc-provider` that are used. */
interface OidcProvider {
  callback(): RequestListener;
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<unknown>;
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
}
interface GrantContext {
  readonly oidc: {
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
    readonly provider: {
      readonly Grant: new (of: object) => { addOIDCScope(scopes: string): void; save(): Promise<string> };
    };
  };
}
type Constructor = new (issuer: string, configuration: object) => OidcProvider;

const CLIENT_ID = 'leeward';
const SCOPES = 'openid email profile';
const MAX_FORM_BYTES = 1_000;

/**
 * Starts an OpenID provider where a person of the demo is chosen by name, without a password. Listens on 127.0.0.1.
 *
 * @param port 0, or a port that is taken: any free one
 * @param folder of the user, whose packages may have `oidc-provider`
 */
export async function startSandboxProvider(port: number, folder: string): Promise<SandboxProvider> {
  const Provider = await loadProvider(folder);
  let answer: RequestListener = (_, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => answer(request, response));
  const listen = (on: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(on, '127.0.0.1', resolve);
    });
  await listen(port).catch(() => listen(0));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, configurationOf(demoPeople));
  const protocol = provider.callback();
  answer = (request, response) => {
    const handled = request.url?.startsWith('/people/')
      ? choose(provider, request, response)
      : protocol(request, response);
    Promise.resolve(handled).catch(() => {
      if (!response.headersSent) response.writeHead(400, { 'content-type': 'text/plain' });
      response.end('This sign-in is over. Go back and start again.\n');
    });
  };
  return {
    issuer,
    clientId: CLIENT_ID,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function configurationOf(people: readonly DemoPerson[]): object {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    adapter: createSandboxStore(),
    clients: [
      {
        client_id: CLIENT_ID,
        token_endpoint_auth_method: 'none',
        // Native clients may use any port of this machine.
        application_type: 'native',
        redirect_uris: ['http://127.0.0.1/', 'http://127.0.0.1/callback', 'http://[::1]/callback'],
      },
    ],
    jwks: {
      keys: [
        { ...privateKey.export({ format: 'jwk' }), kid: randomBytes(8).toString('hex'), alg: 'RS256', use: 'sig' },
      ],
    },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    scopes: SCOPES.split(' '),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/people/${uid}` },
    // Short, so that another person can sign in from the same browser.
    ttl: { Session: 10, Interaction: 600, Grant: 600, AccessToken: 300, IdToken: 300, AuthorizationCode: 60 },
    findAccount: (_: unknown, id: string) => {
      const person = people.find((each) => each.id === id);
      if (person === undefined) return undefined;
      const { name, email } = person;
      return { accountId: id, claims: () => ({ sub: id, name, email, email_verified: true }) };
    },
    renderError(page: { type: string; body: string }, { error, error_description }: Readonly<Record<string, string>>) {
      page.type = 'text/plain';
      page.body = `The sandbox refuses this sign-in: ${error_description ?? error}.\n`;
    },
    // Grants the scopes without a page of consent.
    async loadExistingGrant({ oidc: { client, session, provider } }: GrantContext) {
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope(SCOPES);
      await grant.save();
      return grant;
    },
  };
}

/** Shows the people, and ends the interaction with the chosen one. */
async function choose(provider: OidcProvider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  await provider.interactionDetails(request, response);
  if (request.method !== 'POST') {
    const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
    response.writeHead(200, { ...headers, 'x-frame-options': 'DENY' }).end(sandboxPage(demoPeople));
    return;
  }
  let form = '';
  for await (const chunk of request) {
    form += String(chunk);
    if (form.length > MAX_FORM_BYTES) throw new RangeError('The form is too large.');
  }
  const accountId = new URLSearchParams(form).get('person');
  if (!demoPeople.some(({ id }) => id === accountId)) throw new RangeError('There is no such person.');
  await provider.interactionFinished(request, response, { login: { accountId, remember: false }, consent: {} });
}

/** Loads it from the packages of the command, else from those of the user's folder. */
async function loadProvider(folder: string): Promise<Constructor> {
  const name = 'oidc-provider';
  try {
    return ((await import(name)) as { default: Constructor }).default;
  } catch {}
  try {
    const url = pathToFileURL(createRequire(join(folder, 'package.json')).resolve(name)).href;
    return ((await import(url)) as { default: Constructor }).default;
  } catch {
    throw new CommandError(`--sign-in starts a sandbox provider, which is not installed: npm install ${name}`);
  }
}
