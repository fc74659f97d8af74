import { effect, signal } from '@preact/signals';
import { ask, type Failure } from './ask.ts';
import { type PersonSession, type Session, session, signIn, signInProvider, signOut } from './session.ts';
import type { WireSignedIn, WireSignInStarted } from './wire.ts';

/*
 * Sign-in at an identity provider: Authorization Code with PKCE. State, nonce and verifier stay in this tab.
 *
 *     begin → provider → page with code → finish → session
 *
 * With unsaved work the provider opens in another window, which passes its answer to the tab that has the state.
 */

/** The progress of a sign-in. */
export type ProviderSignIn =
  | { readonly step: 'idle' }
  | { readonly step: 'busy' | 'elsewhere' | 'passed_on' }
  | { readonly step: 'failed'; readonly message: string }
  | { readonly step: 'choose'; readonly organizations: readonly { readonly id: string; readonly name: string }[] };

export const providerSignIn = signal<ProviderSignIn>({ step: 'idle' });

interface Begun {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  readonly issuer: string;
  readonly organizationId?: string | undefined;
  /** To return to. */
  readonly hash: string;
}

/** The provider's answer. */
interface ProviderAnswer {
  readonly state: string;
  readonly code?: string | undefined;
  readonly iss?: string | undefined;
  readonly error?: string | undefined;
}

const STORED = 'leeward-sign-in';
const CHANNEL = 'leeward-sign-in';
const MAX_HANDOVER_MS = 1_500;
const RENEW_BEFORE_MS = 10 * 60_000;

let begun: Begun | undefined = readBegun();
const channel = signInProvider && typeof BroadcastChannel === 'function' ? new BroadcastChannel(CHANNEL) : undefined;

function readBegun(): Begun | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

function keepBegun(next: Begun | undefined): void {
  begun = next;
  try {
    if (next === undefined) sessionStorage.removeItem(STORED);
    else sessionStorage.setItem(STORED, JSON.stringify(next));
  } catch {
    // Without storage only the sign-in in another window succeeds.
  }
}

const fail = (message: string) => {
  providerSignIn.value = { step: 'failed', message };
};

/** Opens the provider: in this tab, or in another window if a session with its work must stay. */
export async function beginProviderSignIn(organizationId?: string): Promise<void> {
  if (crypto.subtle === undefined)
    return fail('Browsers allow this sign-in only over HTTPS. Open the page with https.');
  // At once: browsers refuse windows that open later.
  const other = session.peek() === undefined ? undefined : window.open('', '_blank');
  providerSignIn.value = { step: 'busy' };
  const [state, nonce, codeVerifier] = [random(), random(), random()];
  const redirectUri = new URL('.', document.baseURI).href;
  const answer = await ask<WireSignInStarted>('/v1/sign-in/start', {
    ...{ redirect_uri: redirectUri, state, nonce, code_challenge: await sha256(codeVerifier) },
  });
  if (!answer.ok) {
    other?.close();
    return fail(wordsOf(answer.failure));
  }
  const { authorization_url: address, issuer } = answer.data;
  keepBegun({ state, nonce, codeVerifier, redirectUri, issuer, organizationId, hash: location.hash });
  if (other) {
    providerSignIn.value = { step: 'elsewhere' };
    other.location.href = address;
  } else location.assign(address);
}

/** Takes the provider's answer out of the address and the history, and completes the sign-in. */
export function takeProviderAnswer(): void {
  if (signInProvider === undefined) return;
  const places = [new URLSearchParams(location.hash.slice(1)), new URLSearchParams(location.search)];
  const parameters = places.find((each) => each.has('state') && (each.has('code') || each.has('error')));
  if (parameters === undefined) return;
  const read = (name: string) => parameters.get(name) ?? undefined;
  const answer = { state: parameters.get('state')!, code: read('code'), iss: read('iss'), error: read('error') };
  const isOwn = begun?.state === answer.state;
  history.replaceState(null, '', `${location.pathname}${isOwn ? begun!.hash || '#/home' : '#/home'}`);
  if (isOwn) void finish(answer);
  else passOn(answer);
}

/** Another tab of this page may have begun this sign-in. */
function passOn(answer: ProviderAnswer): void {
  providerSignIn.value = { step: 'busy' };
  const late = setTimeout(
    () => fail('This sign-in was not started here, or is over. It was not used: start again.'),
    MAX_HANDOVER_MS,
  );
  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if ((data as { receivedState?: string }).receivedState !== answer.state) return;
    clearTimeout(late);
    providerSignIn.value = { step: 'passed_on' };
    window.close();
  });
  channel?.postMessage({ answer });
}

channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const { answer } = data as { answer?: ProviderAnswer };
  if (answer === undefined || begun?.state !== answer.state) return;
  channel.postMessage({ receivedState: answer.state });
  void finish(answer);
});

async function finish({ code, iss, error }: ProviderAnswer): Promise<void> {
  const { nonce, codeVerifier, redirectUri, issuer, organizationId } = begun!;
  // A state is used once.
  keepBegun(undefined);
  if (error !== undefined || code === undefined) {
    return fail(
      error === 'access_denied' ? 'The sign-in was cancelled.' : `The provider refused the sign-in (${error}).`,
    );
  }
  if (iss !== undefined && iss !== issuer) return fail('The answer came from another provider. It was not used.');
  providerSignIn.value = { step: 'busy' };
  const answer = await ask<WireSignedIn>('/v1/sign-in/finish', {
    ...{ code, redirect_uri: redirectUri, nonce, code_verifier: codeVerifier },
    ...(iss !== undefined && { iss }),
    ...(organizationId !== undefined && { organization_id: organizationId }),
  });
  if (answer.ok) {
    signIn(sessionOf(answer.data));
    providerSignIn.value = { step: 'idle' };
    return;
  }
  const organizations = answer.failure.errors.flatMap(({ path, message }) => {
    const id = /^\/organization_id\/(.+)$/.exec(path)?.[1];
    return id === undefined ? [] : [{ id, name: message }];
  });
  if (answer.failure.status === 409 && organizations.length > 0) {
    providerSignIn.value = { step: 'choose', organizations };
  } else fail(wordsOf(answer.failure));
}

function sessionOf({ user, organization, tokens, expires_at, ends_at }: WireSignedIn): Session {
  const teams = tokens.flatMap(({ token, team_id, team_name }) =>
    team_id === null ? [] : [{ token, name: team_name ?? team_id }],
  );
  const whole = tokens.find(({ team_id }) => team_id === null);
  const [team] = teams;
  return {
    token: (whole ?? tokens[0])!.token,
    ...(organization && whole === undefined && { organization: organization.organization_id }),
    ...(team && { teamToken: team.token }),
    ...(team && user.email !== null && { producer: user.email }),
    person: { name: user.name, teams, expiresAt: expires_at, endsAt: ends_at },
  };
}

/** Quotes for another team of the person. */
export function chooseTeam(token: string): void {
  const current = session.peek();
  if (current) session.value = { ...current, teamToken: token };
}

/** Revokes the tokens of a person, and ends the session here. */
export async function leave(): Promise<void> {
  const current = session.peek();
  signOut();
  if (current?.person) await ask('/v1/sign-in/end', {}, { token: current.token });
}

const tokensOf = ({ token, person }: Session) => [
  ...new Set([token, ...(person?.teams ?? []).map((team) => team.token)]),
];

async function renew(current: Session, person: PersonSession): Promise<void> {
  const answers = await Promise.all(
    tokensOf(current).map((token) => ask<{ readonly expires_at: string }>('/v1/sign-in/renew', {}, { token })),
  );
  const [first] = answers;
  if (session.peek() !== current || !first?.ok) return;
  session.value = { ...current, person: { ...person, expiresAt: first.data.expires_at } };
}

// Until the end of the sign-in, tokens are renewed before they expire.
effect(() => {
  const current = session.value;
  const person = current?.person;
  if (current === undefined || person === undefined || person.expiresAt >= person.endsAt) return;
  const waitMs = Date.parse(person.expiresAt) - RENEW_BEFORE_MS - Date.now();
  const timer = setTimeout(() => void renew(current, person), Math.max(1_000, waitMs));
  return () => clearTimeout(timer);
});

const wordsOf = ({ title, detail }: Failure) => `${title}. ${detail}`;

/** 256 bits in base64url. */
function random(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)));
}

async function sha256(text: string): Promise<string> {
  return base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
