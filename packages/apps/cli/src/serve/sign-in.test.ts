import { describe, expect, it } from 'vitest';
import type { Terminal } from '../terminal.ts';
import { type ServeOptions, serveSettings } from './serve-settings.ts';

const issuer = 'https://login.example.com/tenant';

function signInOf(environment: Record<string, string>, options: ServeOptions = {}) {
  const set = Object.fromEntries(Object.entries(environment).map(([name, text]) => [`LEEWARD_OIDC_${name}`, text]));
  return serveSettings({ demo: true, ...options }, { environment: set, folder: '/srv' } as unknown as Terminal).signIn;
}

describe('settings of sign-in', () => {
  it('need an issuer and a client, and have defaults for the rest', () => {
    expect(signInOf({})).toBeUndefined();
    expect(signInOf({ ISSUER: issuer, CLIENT_ID: 'leeward' })).toEqual({
      issuer,
      clientId: 'leeward',
      scopes: 'openid email profile',
      redirectUris: [],
    });
    const all = {
      ...{ ISSUER: issuer, CLIENT_ID: 'leeward', CLIENT_SECRET: 's3cret', SCOPES: 'openid  email', NAME: 'Palmetto' },
      REDIRECT_URIS: 'https://leeward.example.com/, http://127.0.0.1:3000/',
    };
    expect(signInOf(all)).toEqual({
      ...{ issuer, clientId: 'leeward', clientSecret: 's3cret', scopes: 'openid email', name: 'Palmetto' },
      redirectUris: ['https://leeward.example.com/', 'http://127.0.0.1:3000/'],
    });
    // The host of a development provider.
    expect(signInOf({ ISSUER: 'http://localhost:8080/realms/a', CLIENT_ID: 'leeward' })?.issuer).toContain('localhost');
  });

  it.each([
    [{ CLIENT_ID: 'leeward', CLIENT_SECRET: 'hunter2' }, 'LEEWARD_OIDC_CLIENT_SECRET: set LEEWARD_OIDC_ISSUER too'],
    [{ ISSUER: issuer }, 'set LEEWARD_OIDC_CLIENT_ID too'],
    [{ ISSUER: 'http://login.example.com' }, 'give an https:// URL'],
    [{ ISSUER: 'https://login.example.com/?tenant=a' }, 'give an https:// URL'],
    [{ ISSUER: issuer, CLIENT_ID: 'a', SCOPES: 'email' }, 'it must have openid'],
    [
      { ISSUER: issuer, CLIENT_ID: 'a', REDIRECT_URIS: 'https://leeward.example.com' },
      'write https://leeward.example.com/',
    ],
    [{ ISSUER: issuer, CLIENT_ID: 'a', REDIRECT_URIS: 'http://leeward.example.com/' }, 'give https:// URLs'],
    [{ ISSUER: issuer, CLIENT_ID: 'a', REDIRECT_URIS: 'https://leeward.example.com/?a=b' }, 'without a query'],
    [{ ISSUER: issuer, CLIENT_ID: 'a', NAME: 'x'.repeat(61) }, 'give at most 60'],
  ])('refuse %j', (environment, message) => {
    let thrown: unknown;
    try {
      signInOf(environment as Record<string, string>);
    } catch (error) {
      thrown = error;
    }
    expect(String(thrown)).toContain(message);
    expect(String(thrown)).not.toContain('hunter2');
  });

  it('refuse a sandbox without a demo, or next to another provider', () => {
    expect(() => signInOf({}, { demo: false, carriers: 'ours', signIn: true })).toThrow('--sign-in starts the sandbox');
    expect(() => signInOf({ ISSUER: issuer, CLIENT_ID: 'a' }, { signIn: true })).toThrow('both name a provider');
  });
});
