import { randomBytes } from 'node:crypto';
import { createKeyHolder, createLeeward } from '@leeward/http';
import { referenceResources } from '@leeward/mcp';
import { createService, type McpPorts, reviewOnThreads, serveStdio } from '@leeward/mcp/server';
import type { Command } from 'commander';
import { readCatalog } from '../carriers/carrier-files.ts';
import { demoCarriersFolder } from '../carriers/demo-carriers.ts';
import { distanceSettings } from '../coast/distance-settings.ts';
import { fixtureResources } from '../demo/fixture-resources.ts';
import { quoteServer, type ServerOptions, serviceUrl } from '../quotes/quote-server.ts';
import { openDistances } from '../serve/open-distances.ts';
import { tokenOfSignIn } from '../sign-in/token-of-sign-in.ts';
import type { Terminal } from '../terminal.ts';

interface McpOptions extends ServerOptions {
  readonly carriers?: string;
}

/** `leeward mcp`: tools for AI agents on standard input and output, over a service or over a folder of carriers. */
export function mcpCommand(command: Command, terminal: Terminal): void {
  command
    .option('--url <url>', 'ask a service that runs (LEEWARD_URL); otherwise a folder of carriers, with no network')
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

/** A service that runs, with the given token, or the sign-in or demo that commands use. */
async function remoteService(options: McpOptions, terminal: Terminal) {
  const url = serviceUrl(options, terminal);
  const own = options.token ?? (terminal.environment['LEEWARD_TOKEN'] || undefined);
  if (own !== undefined) return createService({ url, token: own });
  const fallback = (await tokenOfSignIn(url, 'organization', terminal))
    ? undefined
    : await quoteServer(options, terminal);
  return createService({
    url,
    token: async () => fallback?.token ?? (await tokenOfSignIn(url, 'organization', terminal)) ?? '',
  });
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
