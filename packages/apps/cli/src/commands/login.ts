import { createHash, randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { CommandError } from '../command-error.ts';
import { serviceUrl } from '../quotes/quote-server.ts';
import { listenForAnswer, type ProviderAnswer } from '../sign-in/answer-listener.ts';
import { callService, describeProblem, type ServiceProblem } from '../sign-in/call-service.ts';
import { openBrowser } from '../sign-in/open-browser.ts';
import { readSignIn, type StoredSignIn, storedSignIns } from '../sign-in/stored-sign-ins.ts';
import type { Terminal } from '../terminal.ts';

interface LoginOptions {
  readonly url?: string;
  readonly organization?: string;
}

const MAX_WAIT_MS = 5 * 60_000;

/** `leeward login`: a person signs in at the identity provider of a service, in a browser. */
export function loginCommand(command: Command, terminal: Terminal): void {
  command
    .option('--url <url>', 'the service (LEEWARD_URL, default the demo)')
    .option('--organization <id>', 'if you belong to several')
    .action((options: LoginOptions) => login(options, terminal));
}

async function login(options: LoginOptions, terminal: Terminal): Promise<void> {
  const url = serviceUrl(options, terminal);
  const [state, nonce, codeVerifier] = [random(), random(), random()];
  const listener = await listenForAnswer(state);
  let timer: NodeJS.Timeout | undefined;
  try {
    const { redirectUri } = listener;
    const started = await callService(url, '/v1/sign-in/start', {
      ...{ redirect_uri: redirectUri, state, nonce, response_mode: 'query' },
      code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    });
    if (started.status === 404) throw new CommandError(`${url} has no sign-in for people. Use a token: LEEWARD_TOKEN.`);
    if (started.status !== 200) throw new CommandError(describeProblem(url, started));
    const { authorization_url: address, issuer } = started.body as { authorization_url: string; issuer: string };
    if (!/^https?:\/\//.test(address)) throw new CommandError(`${url} returned an address that is not a web page.`);
    terminal.writeError(`Open this address to sign in, within 5 minutes:\n\n  ${address}\n\n`);
    if (terminal.columns !== undefined) openBrowser(address);
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new CommandError('The sign-in took longer than 5 minutes. Run leeward login again.')),
        MAX_WAIT_MS,
      );
    });
    const { answer, show } = await Promise.race([listener.answer, late]);
    try {
      const code = codeOf(answer, issuer);
      const signIn = await finish(url, {
        ...{ code, redirect_uri: redirectUri, nonce, code_verifier: codeVerifier },
        ...(answer.iss !== undefined && { iss: answer.iss }),
        ...(options.organization !== undefined && { organization_id: options.organization }),
      });
      await store(url, signIn, terminal);
      await show({
        title: `Signed in as ${signIn.user.name}`,
        text: 'Return to the command line. You can close this page.',
      });
    } catch (error) {
      const isForUser = error instanceof CommandError;
      await show({ title: 'Not signed in', text: isForUser ? error.message : 'The command line shows why.' });
      throw error;
    }
  } finally {
    clearTimeout(timer);
    listener.stop();
  }
}

function codeOf({ code, error, iss }: ProviderAnswer, issuer: string): string {
  if (iss !== undefined && iss !== issuer) {
    throw new CommandError('The answer came from another provider. It was not used.');
  }
  if (code !== undefined && error === undefined) return code;
  throw new CommandError(
    error === 'access_denied'
      ? 'The sign-in was cancelled.'
      : 'The provider refused the sign-in. Run leeward login again.',
  );
}

async function finish(url: string, body: object): Promise<StoredSignIn> {
  const answer = await callService(url, '/v1/sign-in/finish', body);
  const signIn = answer.status === 200 ? readSignIn(answer.body) : undefined;
  if (signIn !== undefined) return signIn;
  const { errors = [] } = (answer.body ?? {}) as ServiceProblem;
  const organizations = errors.flatMap(({ path, message }) => {
    const id = /^\/organization_id\/(.+)$/.exec(path)?.[1];
    return id === undefined ? [] : [`  leeward login --organization ${id}  (${message})`];
  });
  if (answer.status !== 409 || organizations.length === 0) throw new CommandError(describeProblem(url, answer));
  throw new CommandError(['You belong to several organizations. Choose one:', ...organizations].join('\n'));
}

/** Replaces an earlier sign-in, whose tokens end. */
async function store(url: string, signIn: StoredSignIn, terminal: Terminal): Promise<void> {
  const signIns = storedSignIns(terminal);
  const earlier = signIns.get(url);
  signIns.set(url, signIn);
  if (earlier) await callService(url, '/v1/sign-in/end', {}, earlier.tokens[0]!.token).catch(() => {});
  const { user, organization } = signIn;
  const place = organization === null ? '' : ` of ${organization.name}`;
  terminal.write(`Signed in at ${url} as ${user.name}${place}, until ${signIn.ends_at} at the latest.\n`);
}

/** 256 bits. */
const random = () => randomBytes(32).toString('base64url');
