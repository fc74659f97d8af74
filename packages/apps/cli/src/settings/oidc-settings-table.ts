import { readText } from './read-values.ts';
import { setting } from './setting.ts';

/** Settings of the sign-in of people at an identity provider. */
export const oidcSettingsTable = {
  oidc_issuer: setting({
    variable: 'LEEWARD_OIDC_ISSUER',
    description: 'Issuer of the OpenID provider that people sign in at. Without it there are only tokens.',
    read: (text) => {
      if (isWebAddress(text)) return text;
      throw new RangeError(`is ${JSON.stringify(text)}; give an https:// URL, such as https://login.example.com.`);
    },
  }),
  oidc_client_id: setting({
    variable: 'LEEWARD_OIDC_CLIENT_ID',
    description: 'Identifier of this service at that provider.',
    read: readText,
  }),
  oidc_client_secret: setting({
    variable: 'LEEWARD_OIDC_CLIENT_SECRET',
    description:
      'Secret of this service at that provider. Without it the client is public, and PKCE alone protects codes.',
    secret: 'whole',
    read: readText,
  }),
  oidc_scopes: setting({
    variable: 'LEEWARD_OIDC_SCOPES',
    description: 'Scopes that are requested of the provider, separated by blanks.',
    usual: 'openid email profile',
    read(text) {
      const scopes = text.trim().split(/\s+/);
      if (scopes.includes('openid')) return scopes.join(' ');
      throw new RangeError(`is ${JSON.stringify(text)}; it must have openid, as in openid email profile.`);
    },
  }),
  oidc_redirect_uris: setting({
    variable: 'LEEWARD_OIDC_REDIRECT_URIS',
    description:
      'Addresses of the workbench page that the provider sends people back to, separated by commas: https://leeward.example.com/.',
    read: (text) => text.split(',').map((each) => readRedirectUri(each.trim())),
  }),
  oidc_name: setting({
    variable: 'LEEWARD_OIDC_NAME',
    description: 'Name of the provider on the sign-in button; default the host of the issuer.',
    read(text) {
      if (text.length <= 60) return text;
      throw new RangeError(`has ${text.length} characters; give at most 60.`);
    },
  }),
} as const;

function readRedirectUri(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !isWebAddress(text)) {
    throw new RangeError(`has ${JSON.stringify(text)}; give https:// URLs without a query, separated by commas.`);
  }
  if (url.href !== text) throw new RangeError(`has ${JSON.stringify(text)}; write ${url.href}, as browsers do.`);
  return text;
}

/** `http:` only on this machine, for tests and demos. */
function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username, password } = new URL(text);
  const isLocal = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
  const isPlain = [search, hash, username, password].every((part) => part === '');
  return isPlain && (protocol === 'https:' || (protocol === 'http:' && isLocal));
}
