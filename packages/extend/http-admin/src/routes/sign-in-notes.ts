import type { ContentText } from '@leeward/http';
import { only } from './operation-note.ts';

type Examples = NonNullable<ContentText['examples']>;

interface SignInNote {
  readonly summary: string;
  readonly description: string;
  readonly request?: Examples;
  readonly answer: Examples;
}

const redirect_uri = 'https://leeward.palmetto-coast.example/';
const nonce = 'r3Vb0sQd7yT2mX5kW8nZ1c';
const code_verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

/** Texts of the operations on sign-in. */
export const signInNotes: Readonly<Record<'start' | 'finish' | 'renew' | 'end', SignInNote>> = {
  start: {
    summary: 'Begin a sign-in',
    description:
      'Returns the address of the identity provider to send the person to. The caller makes `state`, `nonce` and a code verifier (PKCE) at random, keeps all three, and compares `state` when the provider sends the person back. The service keeps nothing. 503 while the provider is unavailable.',
    request: only('The page', {
      redirect_uri,
      state: 'aX4pK9tR2wE7uJ6bN1fD0s',
      nonce,
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    }),
    answer: only('The provider', {
      authorization_url: 'https://login.palmetto-coast.example/authorize?client_id=leeward&response_type=code',
      issuer: 'https://login.palmetto-coast.example',
    }),
  },
  finish: {
    summary: 'Complete a sign-in',
    description:
      'Exchanges the provider’s code, verifies the identity, and creates tokens for the roles of the person: one for the organization and one for each team. 403 if the identity is not of a user; it names issuer and subject. 409 for a person of several organizations: `errors` has one entry for each, with `/organization_id/ID` as its path; sign in again with one of them. A code is accepted once.',
    request: only('The code of the page', { code: 'SplxlOBeZQQYbYS6WxSbIA', redirect_uri, nonce, code_verifier }),
    answer: only('A person with one team', {
      user: { user_id: '01jd4v3x9m8k7h2q5t6w0y1z2d', name: 'Ana Núñez', email: 'ana@palmetto-coast.example' },
      organization: { organization_id: '01jd4v3x9m8k7h2q5t6w0y1z2b', name: 'Palmetto Coast Agency' },
      tokens: [
        {
          token: `lw_live_01jd4v3x9m8k7h2q5t6w0y1z2e_${'k'.repeat(43)}`,
          team_id: '01jd4v3x9m8k7h2q5t6w0y1z2c',
          team_name: 'Personal lines',
          scopes: ['underwrite', 'quote', 'distance'],
        },
      ],
      expires_at: '2026-11-20T13:00:00.000000Z',
      ends_at: '2026-11-21T00:00:00.000000Z',
    }),
  },
  renew: {
    summary: 'Extend a sign-in',
    description:
      'Extends the token of this request by an hour, up to the end of the sign-in. 409 for a token that is not from a sign-in.',
    answer: only('One hour more', { expires_at: '2026-11-20T14:00:00.000000Z' }),
  },
  end: {
    summary: 'Sign out',
    description:
      'Revokes all tokens of the same sign-in at once. The person remains signed in at the provider. 409 for a token that is not from a sign-in.',
    answer: only('Signed out', {}),
  },
};
