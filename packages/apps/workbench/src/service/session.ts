import { batch, effect, signal } from '@preact/signals';
import { goHome } from '../address/route.ts';

/** A person who signed in at the identity provider. */
export interface PersonSession {
  readonly name: string;
  /** Teams of the person, with their tokens. */
  readonly teams: readonly { readonly token: string; readonly name: string }[];
  /** Instant at which the tokens expire unless they are renewed. */
  readonly expiresAt: string;
  /** Instant of the end of the sign-in. */
  readonly endsAt: string;
}

export interface Session {
  readonly token: string;
  /** A team’s token for quotes. @default token */
  readonly teamToken?: string;
  /** Organization whose appointments apply. @default every carrier */
  readonly organization?: string;
  /** Email of the producer for quotes. */
  readonly producer?: string;
  /** Undefined for a token that was entered. */
  readonly person?: PersonSession;
}

const STORED = 'leeward-session';
/** The host chooses whether a tab keeps its sign-in; otherwise leaving the page signs out. */
const isKept = document.documentElement.dataset['keepSignIn'] !== undefined;

export const session = signal<Session | undefined>(isKept ? readStored() : undefined);

function readStored(): Session | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? 'null');
    const isSession = typeof stored === 'object' && stored !== null && 'token' in stored;
    return isSession && typeof stored.token === 'string' ? (stored as Session) : undefined;
  } catch {
    // A browser can refuse storage.
    return undefined;
  }
}

if (isKept)
  effect(() => {
    try {
      if (session.value === undefined) sessionStorage.removeItem(STORED);
      else sessionStorage.setItem(STORED, JSON.stringify(session.value));
    } catch {
      // The sign-in then ends with the page.
    }
  });

/** The identity provider that people can sign in at; undefined if there is none. */
export const signInProvider: { readonly issuerName: string } | undefined =
  document.documentElement.dataset['signIn'] === undefined
    ? undefined
    : { issuerName: document.documentElement.dataset['signIn'] };

/** Increases when a user signs in or out, which clears forms and answers; not with a new token for the same organization. */
export const visit = signal(0);

/** The token was revoked or has expired. */
export const isRefused = signal(false);

/** True if a reload keeps the sign-in. */
export const isSignInKept = isKept;

export function signIn(next: Session): void {
  batch(() => {
    if (session.value === undefined || session.value.organization !== next.organization) visit.value += 1;
    session.value = next;
    isRefused.value = false;
  });
}

export function signOut(): void {
  batch(() => {
    session.value = undefined;
    isRefused.value = false;
    visit.value += 1;
  });
  goHome();
}

/** The host trusts all links if its tokens belong to one person, as those of a demo do. */
const isLinkTrusted = document.documentElement.dataset['trustLinks'] !== undefined;

/** A sign-in from a link. Anyone can send a link, so its tokens are unused until the person confirms them. */
export const offer = signal<Session | undefined>(undefined);

/** Signs in with the link's tokens, and clears earlier input. */
export function acceptOffer(): void {
  const offered = offer.peek();
  if (offered === undefined) return;
  batch(() => {
    offer.value = undefined;
    session.value = offered;
    isRefused.value = false;
    visit.value += 1;
  });
}

export function declineOffer(): void {
  offer.value = undefined;
}

/** Removes the tokens from the address and the history at once. */
export function takeSessionFromAddress(): void {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const token = parameters.get('token');
  if (!location.hash.startsWith('#token=') || token === null) return;
  history.replaceState(null, '', `${location.pathname}${location.search}#/home`);
  const teamToken = parameters.get('team');
  const organization = parameters.get('organization');
  const producer = parameters.get('producer');
  const offered: Session = {
    token,
    ...(teamToken ? { teamToken } : {}),
    ...(organization ? { organization } : {}),
    ...(producer ? { producer } : {}),
  };
  if (isSame(offered, session.peek())) return;
  offer.value = offered;
  // A link that would end another session needs a confirmation everywhere.
  if (isLinkTrusted && session.peek() === undefined) acceptOffer();
}

function isSame(one: Session, other: Session | undefined): boolean {
  const names = ['token', 'teamToken', 'organization', 'producer'] as const;
  return other !== undefined && names.every((name) => one[name] === other[name]);
}
