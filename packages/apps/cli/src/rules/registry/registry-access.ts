import type { Actor } from '@leeward/accounts';
import type { RegistryAdministration } from '@leeward/registry';
import { CommandError } from '../../command-error.ts';
import { tokenOfSignIn } from '../../sign-in/token-of-sign-in.ts';
import type { Terminal } from '../../terminal.ts';
import { exitWith } from '../wrong-use.ts';

/** The registry to use, and the caller's token. */
export interface RegistryOptions {
  /** URL of a running service. Without it the store is opened. */
  readonly url?: string;
  readonly token?: string;
  readonly organization?: string;
  /** Folder of carriers served in addition to the registry, to compare with. */
  readonly carriers?: string;
  readonly format: 'text' | 'json';
  /** Lines for the store, if no setting names them. */
  readonly lines?: readonly string[];
  /** Beginning of messages. @default leeward rules */
  readonly command?: string;
}

type Groups = Pick<RegistryAdministration, 'ruleSets' | 'moratoria' | 'savedDecisions' | 'hazardEvents'>;
type Answer<Group extends keyof Groups, Verb extends keyof Groups[Group]> = Groups[Group][Verb] extends {
  run(...words: never[]): Promise<infer Result>;
}
  ? Result
  : never;

/** Calls one operation of the registry. Exits with 1 after printing a refusal. */
export type AskRegistry = <Group extends keyof Groups, Verb extends keyof Groups[Group] & string>(
  group: Group,
  verb: Verb,
  body: object,
) => Promise<Answer<Group, Verb>>;

const paths = {
  ruleSets: 'rule-sets',
  moratoria: 'moratoria',
  savedDecisions: 'saved-decisions',
  hazardEvents: 'hazard-events',
} as const;
const ANSWER_MS = 60_000;

/**
 * Runs an action on the registry: over HTTP if a service is given (`--url`, `LEEWARD_URL`), otherwise in its store. A
 * token (`--token`, `LEEWARD_TOKEN`) identifies the caller; without one in the store it is the command line.
 */
export async function withRegistry(
  options: RegistryOptions,
  terminal: Terminal,
  work: (ask: AskRegistry) => Promise<void>,
): Promise<void> {
  const url = options.url ?? (terminal.environment['LEEWARD_URL'] || undefined);
  const token = options.token ?? (terminal.environment['LEEWARD_TOKEN'] || undefined);
  if (url !== undefined) {
    const ownToken = token ?? (await tokenOfSignIn(url, 'organization', terminal));
    if (ownToken === undefined) {
      throw new CommandError(`Give a token for ${url}: LEEWARD_TOKEN, --token or leeward login.`);
    }
    return work((group, verb, body) =>
      askService(
        { url, token: ownToken, command: options.command },
        `/v1/admin/${paths[group]}/${verb}`,
        body,
        terminal,
      ),
    );
  }
  const { commandLine, withAccounts } = await import('../../accounts/with-accounts.ts');
  const folder = options.carriers ?? (terminal.environment['LEEWARD_CARRIERS'] || undefined);
  const carriers = folder === undefined ? {} : { carriers: { folder } };
  const explain = (faults: readonly { readonly path: string; readonly code: string; readonly message: string }[]) =>
    refusalText(faults);
  try {
    await withAccounts({ terminal, ...carriers, lines: options.lines, explain }, async ({ registry, directory }) => {
      const actor: Actor | undefined = token === undefined ? commandLine : await directory.authenticate(token);
      if (actor === undefined) throw new CommandError('The registry does not know this token; see LEEWARD_TOKEN.');
      await work(async (group, verb, body) => {
        const operations = registry.administration[group] as unknown as Record<
          string,
          { run(...words: unknown[]): Promise<never> }
        >;
        return operations[verb]!.run(actor, body);
      });
    });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    refuse(error.message, terminal, options.command);
  }
}

/** Calls one operation of a service with a token. */
export async function askService(
  { url, token, command }: { readonly url: string; readonly token: string; readonly command: string | undefined },
  path: string,
  body: object,
  terminal: Terminal,
): Promise<never> {
  let response: Response;
  try {
    response = await fetch(`${url.replace(/\/+$/, '')}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      // A token follows no redirect.
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
  } catch {
    throw new CommandError(`No service can be reached at ${url}. Is it running?`);
  }
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.status === 200) return answer as never;
  const { detail, code, errors } = (answer ?? {}) as { detail?: string; code?: string; errors?: [] };
  if (code === undefined) throw new CommandError(`${url} is not a Leeward service (${response.status}).`);
  return refuse(errors && errors.length > 0 ? refusalText(errors) : (detail ?? code), terminal, command);
}

function refusalText(
  faults: readonly { readonly path: string; readonly code: string; readonly message: string }[],
): string {
  const lines = faults.map(
    ({ path, code, message }) => `  ${path === '' ? '' : `${path.slice(1)}: `}${message} (${code})`,
  );
  return ['This is refused:', ...lines].join('\n');
}

function refuse(message: string, terminal: Terminal, command = 'leeward rules'): never {
  terminal.writeError(`${command}: ${message}\n`);
  return exitWith(1);
}
