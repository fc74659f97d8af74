import {
  type Accounts,
  type Caller as AccountsCaller,
  AdministrationError,
  type OpenedSession,
} from '@leeward/accounts';
import {
  checkBody,
  createContentText,
  createShares,
  invalidRequest,
  type OpenOperation,
  Problem,
  type RequestContext,
  type RouteGroup,
} from '@leeward/http';
import { formatInstant } from '@leeward/terms';
import type { z } from 'zod';
import { describeRedirectUris, isRedirectUri } from '../sign-in/redirect-uris.ts';
import {
  type CodeExchange,
  type IdentifiedPerson,
  SignInError,
  type SignInProvider,
} from '../sign-in/sign-in-provider.ts';
import { asAdministrationProblem } from './administration.ts';
import { signInNotes } from './sign-in-notes.ts';
import {
  finishSignInRequest,
  signedIn,
  signInEnded,
  signInRenewed,
  signInStarted,
  startSignInRequest,
} from './sign-in-schema.ts';

/** The identity provider, and the accounts whose users sign in. */
export interface SignInPorts {
  readonly accounts: Pick<Accounts, 'signIn' | 'directory'>;
  readonly provider: SignInProvider;
  /** Exact addresses that the provider may send people to. The command line’s loopback addresses are allowed without being listed. */
  readonly redirectUris: readonly string[];
}

const tag = 'sign-in';
/** Codes in exchange at once, and those of one network. The provider counts the calls of this service, so one client must not use all. */
const MAX_EXCHANGES = 50;
const MAX_EXCHANGES_PER_NETWORK = 5;

/**
 * `/v1/sign-in/…`: people sign in at an identity provider. The service keeps nothing between start and finish: state, nonce and code
 * verifier stay in the browser or the command line.
 *
 * @example
 * const provider = createOpenIdProvider({ issuer: 'https://login.example.com', clientId: 'leeward' });
 * createLeeward({ directory: accounts.directory, routes: [signInRoutes({ accounts, provider, redirectUris })] });
 */
export function signInRoutes(ports: SignInPorts): RouteGroup {
  return { name: tag, description: 'People sign in at an identity provider.', operations: operationsOf(ports) };
}

function operationsOf({ accounts: { signIn, directory }, provider, redirectUris }: SignInPorts): OpenOperation[] {
  const exchanges = createShares(MAX_EXCHANGES, MAX_EXCHANGES_PER_NETWORK);
  const requireRedirectUri = (text: string) => {
    if (isRedirectUri(text, redirectUris)) return;
    const message = `redirect_uri is not allowed here; give one of: ${describeRedirectUris(redirectUris)}.`;
    throw invalidRequest([{ path: '/redirect_uri', code: 'redirect_uri_not_allowed', message }]);
  };
  const exchange = async (network: string, code: CodeExchange): Promise<IdentifiedPerson> => {
    if (!exchanges.enter(network)) throw busy();
    try {
      return await provider.exchange(code);
    } finally {
      exchanges.leave(network);
    }
  };

  return [
    operation({
      path: 'start',
      access: 'anyone',
      request: startSignInRequest,
      response: signInStarted,
      async run({ json }) {
        const body = checkBody(startSignInRequest, json);
        requireRedirectUri(body.redirect_uri);
        const { url, issuer } = await provider.authorizationUrl({
          redirectUri: body.redirect_uri,
          state: body.state,
          nonce: body.nonce,
          codeChallenge: body.code_challenge,
          responseMode: body.response_mode ?? 'fragment',
        });
        return { authorization_url: url, issuer };
      },
    }),
    operation({
      path: 'finish',
      access: 'anyone',
      request: finishSignInRequest,
      response: signedIn,
      async run({ json, requestId, network, address }) {
        const body = checkBody(finishSignInRequest, json);
        requireRedirectUri(body.redirect_uri);
        const { hasUnverifiedEmail, ...person } = await exchange(network ?? address ?? '', {
          code: body.code,
          redirectUri: body.redirect_uri,
          nonce: body.nonce,
          codeVerifier: body.code_verifier,
          issuer: body.iss,
        });
        const context = { organizationId: body.organization_id, requestId, network };
        const opened = await signIn.open(person, context).catch((error: unknown) => {
          throw hasUnverifiedEmail ? withUnverifiedEmail(error) : error;
        });
        return describeSession(opened, directory);
      },
    }),
    operation({
      path: 'renew',
      access: 'token',
      response: signInRenewed,
      run: async ({ caller }) => ({ expires_at: formatInstant(await signIn.renew(caller as AccountsCaller)) }),
    }),
    operation({
      path: 'end',
      access: 'token',
      response: signInEnded,
      async run({ caller, requestId, network }) {
        await signIn.end(caller as AccountsCaller, { requestId, network });
        return {};
      },
    }),
  ];
}

/** Explains to an invited person why the invitation does not apply. */
function withUnverifiedEmail(error: unknown): unknown {
  if (!(error instanceof AdministrationError) || error.faults[0]?.code !== 'unknown_user') return error;
  const message = 'The provider does not confirm your e-mail address, so an invitation to it does not apply.';
  return new AdministrationError(error.code, [...error.faults, { path: '', code: 'email_unverified', message }]);
}

async function describeSession(
  { userId, name, email, organizationId, tokens, endsAtMs }: OpenedSession,
  directory: Accounts['directory'],
): Promise<z.output<typeof signedIn>> {
  const organization = organizationId === null ? undefined : await directory.organization(organizationId);
  const teams = await Promise.all(
    tokens.map(({ team_id }) => (team_id === null ? undefined : directory.team(team_id))),
  );
  return {
    user: { user_id: userId, name: name ?? email ?? userId, email },
    organization:
      organizationId === null ? null : { organization_id: organizationId, name: organization?.name ?? organizationId },
    tokens: tokens.map(({ token, team_id, scopes }, index) => ({
      ...{ token, team_id, scopes: [...scopes] },
      team_name: teams[index]?.name ?? null,
    })),
    expires_at: tokens[0]?.expires_at ?? formatInstant(endsAtMs),
    ends_at: formatInstant(endsAtMs),
  };
}

function operation(options: {
  readonly path: 'start' | 'finish' | 'renew' | 'end';
  readonly access: 'anyone' | 'token';
  readonly request?: z.ZodType;
  readonly response: z.ZodType;
  readonly run: (context: RequestContext) => Promise<unknown>;
}): OpenOperation {
  const { path, access, request, response, run } = options;
  const operationId = `${path}SignIn`;
  const name = `${operationId[0]?.toUpperCase()}${operationId.slice(1)}`;
  const { summary, description, request: requestExamples, answer } = signInNotes[path];
  return {
    method: 'post',
    path: `/v1/sign-in/${path}`,
    operationId,
    tag,
    access,
    summary,
    description,
    ...(request && {
      requestBody: createContentText(`${name}Body`, request, 'input', requestExamples && { examples: requestExamples }),
    }),
    answers: {
      200: {
        description: 'Done.',
        content: createContentText(`${name}Response`, response, 'output', { examples: answer }),
      },
    },
    problems: path === 'start' ? [] : path === 'finish' ? ['forbidden', 'conflict'] : ['not_found', 'conflict'],
    async handle(context) {
      try {
        return { status: 200, body: await run(context) };
      } catch (thrown) {
        throw thrown instanceof SignInError ? asSignInProblem(thrown) : asAdministrationProblem(thrown);
      }
    },
  };
}

function asSignInProblem(error: SignInError): Problem {
  if (error.isUnavailable) {
    return new Problem('unavailable', error.message, { headers: { 'retry-after': '5' }, cause: error });
  }
  return new Problem('forbidden', error.message, { errors: [{ path: '', code: error.code, message: error.message }] });
}

function busy(): Problem {
  const detail = 'Too many people sign in from your network at this moment; try again in a second.';
  return new Problem('unavailable', detail, { headers: { 'retry-after': '1' } });
}
