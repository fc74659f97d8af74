import { batch, signal } from '@preact/signals';
import { goHome } from '../address/route.ts';

/** Tokens of the user, with the organization and the producer. */
export interface Session {
  readonly token: string;
  /** For quotes, which are a team’s; default the token. */
  readonly teamToken?: string;
  /** The organization whose appointments apply. The default is every carrier. */
  readonly organization?: string;
  /** Email of the producer for quotes. */
  readonly producer?: string;
}

/** In memory only: leaving the page signs out. */
export const session = signal<Session | undefined>(undefined);

/**
 * Increases when a user signs in or out, which clears forms and answers. A new token for the same organization does not
 * increase it.
 */
export const visit = signal(0);

/** The service takes the token no longer: it was revoked, or has run out. */
export const isRefused = signal(false);

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

/**
 * A sign-in that a link offers. Anyone can send a link, so nothing is done with its tokens until the person confirms whose they
 * are.
 */
export const offer = signal<Session | undefined>(undefined);

/** Signs in with the tokens of the link, and clears what was typed before. */
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

/** Removes the tokens from the address at once, so that they are neither visible nor in the history. */
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
  if (!isSame(offered, session.peek())) offer.value = offered;
}

function isSame(one: Session, other: Session | undefined): boolean {
  const names = ['token', 'teamToken', 'organization', 'producer'] as const;
  return other !== undefined && names.every((name) => one[name] === other[name]);
}
