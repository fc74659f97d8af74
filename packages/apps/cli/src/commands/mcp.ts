import { randomBytes } from 'node:crypto';
import { createKeyHolder, createLeeward } from '@leeward/http';
import { referenceResources } from '@leeward/mcp';
import { createService, type McpPorts, reviewOnThreads, type Service, serveStdio } from '@leeward/mcp/server';
import type { Command } from 'commander';
import { readCatalog } from '../carriers/carrier-files.ts';
import { demoCarriersFolder } from '../carriers/demo-carriers.ts';
import { distanceSettings } from '../coast/distance-settings.ts';
import { CommandError } from '../command-error.ts';
import { fixtureResources } from '../demo/fixture-resources.ts';
import { demoKey, type ServerOptions, serviceUrl } from '../quotes/quote-server.ts';
import { openDistances } from '../serve/open-distances.ts';
import { callService, describeProblem } from '../sign-in/call-service.ts';
import { tokenOfSignIn } from '../sign-in/token-of-sign-in.ts';
import type { Terminal } from '../terminal.ts';

interface McpOptions extends ServerOptions {
  readonly carriers?: string;
}

/** `leeward mcp`: tools for AI agents on standard input and output, over a service or over a folder of carriers. */
export function mcpCommand(command: Command, terminal: Terminal): void {
  command
    .option('--url <url>', 'a running service (LEEWARD_URL); default a folder of carriers, without a network')
    .option('--token <token>', 'for the service; better in LEEWARD_TOKEN, where no list of processes shows it')
    .option('--carriers <folder>', 'folder of carriers (LEEWARD_CARRIERS, default the invented ones)')
    .action((options: McpOptions) => mcp(options, terminal));
}

async function mcp(options: McpOptions, terminal: Terminal): Promise<void> {
  const { input, output } = terminal.streams();
  const isRemote = options.url !== undefined || Boolean(terminal.environment['LEEWARD_URL']);
  const service = isRemote ? await remoteService(options, terminal) : await localService(options, terminal);
  const ports: McpPorts = {
    service,
    review: reviewOnThreads({ tenant: 'terminal' }),
    resources: [...referenceResources(), ...fixtureResources()],
    onError: (error) => terminal.writeError(`leeward mcp: ${error instanceof Error ? error.message : String(error)}\n`),
  };
  await serveStdio({ ...ports, input, output, stop: terminal.stopAsked() });
}

/**
 * A service that runs, with the token of the option, or of the sign-in or demo that other commands use.
 *
 * @throws {CommandError} if the service cannot be reached, or refuses the token.
 */
async function remoteService(options: McpOptions, terminal: Terminal): Promise<Service> {
  const url = serviceUrl(options, terminal);
  const own = options.token ?? (terminal.environment['LEEWARD_TOKEN'] || undefined);
  const signedIn = own === undefined ? await tokenOfSignIn(url, 'organization', terminal) : undefined;
  const first = own ?? signedIn ?? demoKey(url, terminal);
  if (first === undefined) {
    throw new CommandError(`Give a token for ${url}: LEEWARD_TOKEN, --token, or leeward login --url ${url}.`);
  }
  const answer = await callService(url, '/v1/token', undefined, first);
  if (answer.status !== 200) throw new CommandError(describeProblem(url, answer));
  // A sign-in is renewed while the server runs.
  const token = async () => (signedIn && (await tokenOfSignIn(url, 'organization', terminal))) ?? first;
  return createService({ url, token });
}

/** A service in this process, with no port, database or network. */
async function localService(options: McpOptions, terminal: Terminal) {
  const carriers = options.carriers ?? (terminal.environment['LEEWARD_CARRIERS'] || undefined);
  if (carriers === undefined) terminal.writeError('These carriers are invented; give yours with --carriers.\n');
  const token = `lw_local_mcp00000_${randomBytes(32).toString('hex')}`;
  const leeward = createLeeward({
    directory: createKeyHolder([{ token, scopes: ['underwrite', 'distance', 'rules'] }]),
    underwriting: { catalog: readCatalog(carriers ?? demoCarriersFolder(), terminal.folder) },
    distance: await openDistances(distanceSettings(terminal)),
    rateLimit: null,
  });
  return createService({ url: 'http://localhost', token, fetch: (request) => leeward.fetch(request) });
}
