import { createHash, randomBytes } from 'node:crypto';

/** Values that a browser keeps of one sign-in. */
export interface StartedSignIn {
  readonly redirect_uri: string;
  readonly state: string;
  readonly nonce: string;
  readonly code_verifier: string;
  readonly authorization_url: string;
  readonly issuer: string;
}

/** Parameters of the provider's response. */
export interface ReturnedCode {
  readonly code: string;
  readonly state: string;
  readonly iss?: string;
}

const random = () => randomBytes(24).toString('base64url');

export function postJson(url: string, body: unknown, token?: string): Promise<Response> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { 'content-type': 'application/json', ...authorization };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Random values of one sign-in. */
export function newSignIn(redirect_uri: string, response_mode: 'fragment' | 'query' = 'fragment') {
  const code_verifier = random() + random();
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
  return { redirect_uri, state: random(), nonce: random(), code_challenge, response_mode, code_verifier };
}

/** Starts a sign-in as the page or the command line does. */
export async function startSignIn(
  url: string,
  { redirectUri = `${url}/`, responseMode }: { redirectUri?: string; responseMode?: 'fragment' | 'query' } = {},
): Promise<StartedSignIn> {
  const { code_verifier, ...own } = newSignIn(redirectUri, responseMode);
  const response = await postJson(`${url}/v1/sign-in/start`, own);
  const body = (await response.json()) as { authorization_url: string; issuer: string };
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  return { ...own, code_verifier, ...body };
}

/** Follows redirects and sends the form, with cookies, as a browser does. Stops at the redirect URI. */
export async function chooseAtProvider(started: StartedSignIn, person: string): Promise<ReturnedCode> {
  const cookies = new Map<string, string>();
  let at = new URL(started.authorization_url);
  let form: string | undefined;
  for (let step = 0; step < 12; step++) {
    const response = await fetch(at, {
      redirect: 'manual',
      method: form === undefined ? 'GET' : 'POST',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form !== undefined && { body: form }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    const text = await response.text();
    if (location === null) {
      if (response.status !== 200 || form !== undefined)
        throw new Error(`${at.href} answered ${response.status}: ${text}`);
      form = new URLSearchParams({ person }).toString();
      continue;
    }
    form = undefined;
    const next = new URL(location, at);
    if (`${next.origin}${next.pathname}` === started.redirect_uri) {
      const parameters = Object.fromEntries(new URLSearchParams(next.hash === '' ? next.search : next.hash.slice(1)));
      return parameters as unknown as ReturnedCode;
    }
    at = next;
  }
  throw new Error('The provider redirects without end.');
}

/** The body of the request that completes a sign-in. */
export function finishBody({ redirect_uri, nonce, code_verifier }: StartedSignIn, { code, iss }: ReturnedCode) {
  return { code, redirect_uri, nonce, code_verifier, ...(iss !== undefined && { iss }) };
}

/** Answer of a completed sign-in. */
export interface SignedIn {
  readonly user: { readonly user_id: string; readonly name: string; readonly email: string | null };
  readonly organization: { readonly organization_id: string; readonly name: string } | null;
  readonly tokens: readonly {
    readonly token: string;
    readonly team_id: string | null;
    readonly team_name: string | null;
    readonly scopes: readonly string[];
  }[];
  readonly expires_at: string;
  readonly ends_at: string;
}

/** Signs a person of the demo in. */
export async function signInAs(url: string, person: string): Promise<SignedIn> {
  const started = await startSignIn(url);
  const returned = await chooseAtProvider(started, person);
  if (returned.state !== started.state) throw new Error('The provider returned another state.');
  const response = await postJson(`${url}/v1/sign-in/finish`, finishBody(started, returned));
  const body = await response.json();
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  return body as SignedIn;
}
