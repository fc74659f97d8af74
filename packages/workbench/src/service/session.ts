import { signal } from '@preact/signals';

/** Who is signed in: tokens, and whose carriers are asked. */
export interface Session {
  readonly token: string;
  /** For quotes, which are a team’s; default the token. */
  readonly teamToken?: string;
  /** Whose appointments count; default every carrier there is. */
  readonly organization?: string;
  /** Who asks for quotes. */
  readonly producer?: string;
}

/** In memory only: whoever leaves the page is signed out. */
export const session = signal<Session | undefined>(undefined);

/** Takes the tokens out of the address as soon as the page is there, so that nobody reads them over a shoulder or in a history. */
export function takeSessionFromAddress(): void {
  const given = new URLSearchParams(location.hash.slice(1));
  const token = given.get('token');
  if (!location.hash.startsWith('#token=') || token === null) return;
  history.replaceState(null, '', `${location.pathname}${location.search}#/home`);
  const teamToken = given.get('team');
  const organization = given.get('organization');
  const producer = given.get('producer');
  session.value = {
    token,
    ...(teamToken ? { teamToken } : {}),
    ...(organization ? { organization } : {}),
    ...(producer ? { producer } : {}),
  };
}
