import type { Accounts } from '@leeward/accounts';
import type { ReadinessWarning, RouteGroup } from '@leeward/http';
import { SignInError, signInRoutes } from '@leeward/http-admin';
import type { OpenIdOptions } from '@leeward/http-admin/openid';
import type { Settings } from '../settings/read-settings.ts';

/** The provider that people sign in at, and where it may send them. */
export interface SignInSettings
  extends Pick<OpenIdOptions, 'issuer' | 'clientId' | 'clientSecret' | 'scopes' | 'name'> {
  readonly redirectUris: readonly string[];
}

/** undefined without an issuer. Adds a fault for settings that lack another. */
export function signInSettings(settings: Pick<Settings, 'value'>, faults: string[]): SignInSettings | undefined {
  const issuer = settings.value('oidc_issuer');
  const clientId = settings.value('oidc_client_id');
  const clientSecret = settings.value('oidc_client_secret');
  const redirectUris = settings.value('oidc_redirect_uris');
  if (issuer === undefined) {
    const set = [
      ...(clientId === undefined ? [] : ['LEEWARD_OIDC_CLIENT_ID']),
      ...(clientSecret === undefined ? [] : ['LEEWARD_OIDC_CLIENT_SECRET']),
      ...(redirectUris === undefined ? [] : ['LEEWARD_OIDC_REDIRECT_URIS']),
    ];
    if (set.length > 0) faults.push(`${set.join(', ')}: set LEEWARD_OIDC_ISSUER too, or none of them.`);
    return undefined;
  }
  if (clientId === undefined) {
    faults.push('LEEWARD_OIDC_ISSUER is set; set LEEWARD_OIDC_CLIENT_ID too, as the provider has it.');
    return undefined;
  }
  const scopes = settings.value('oidc_scopes');
  return {
    issuer,
    clientId,
    clientSecret,
    scopes,
    name: settings.value('oidc_name'),
    redirectUris: redirectUris ?? [],
  };
}

/** Sign-in as a service has it. */
export interface OpenedSignIn {
  readonly issuerName: string;
  readonly routes: RouteGroup;
  /** Empty while people can sign in. */
  warnings(): ReadinessWarning[];
}

/** Calls the provider at once, but does not wait for it: without it everything else works. */
export async function openSignIn(
  { redirectUris, ...options }: SignInSettings,
  accounts: Pick<Accounts, 'signIn' | 'directory'>,
  onProblem: (message: string) => void,
): Promise<OpenedSignIn> {
  // Loads the library only for services that use it.
  const { createOpenIdProvider } = await import('@leeward/http-admin/openid');
  const provider = createOpenIdProvider(options);
  provider.connect().catch((error: unknown) => {
    if (error instanceof SignInError) onProblem(error.message);
    else throw error;
  });
  return {
    issuerName: provider.name,
    routes: signInRoutes({ accounts, provider, redirectUris }),
    warnings: () =>
      provider.problem === undefined ? [] : [{ code: 'sign_in_unavailable', message: provider.problem }],
  };
}
