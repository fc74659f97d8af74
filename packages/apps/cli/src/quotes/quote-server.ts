import { CommandError } from '../command-error.ts';
import { type Demo, demoPath, readDemo } from '../demo/demo-file.ts';
import type { DemoKeys } from '../demo/seed-demo.ts';
import { nearPath } from '../near-path.ts';
import { tokenOfSignIn } from '../sign-in/token-of-sign-in.ts';
import { storeSettings } from '../store/store-settings.ts';
import type { Terminal } from '../terminal.ts';

export interface ServerOptions {
  readonly url?: string;
  readonly token?: string;
}

export interface QuoteServer {
  /** Without a trailing slash. */
  readonly url: string;
  readonly token: string;
}

/** From the options, the environment, the sign-in at the service, or the demo of the data folder. */
export async function quoteServer(options: ServerOptions, terminal: Terminal): Promise<QuoteServer> {
  const token = options.token ?? (terminal.environment['LEEWARD_TOKEN'] || undefined);
  const url = serviceUrl(options, terminal);
  if (token !== undefined) return { url, token };
  const ownToken = await tokenOfSignIn(url, 'team', terminal);
  if (ownToken !== undefined) return { url, token: ownToken };
  const demo = demoOf(terminal);
  // A demo's token works with the demo only.
  if (demo?.team_token !== undefined && demo.url === url) return { url, token: demo.team_token };
  throw new CommandError(`Give the token of a team for ${url}: LEEWARD_TOKEN, --token or leeward login.`);
}

/** Found like {@link quoteServer}, without a trailing slash. */
export function serviceUrl({ url: named }: ServerOptions, terminal: Terminal): string {
  const { environment, folder } = terminal;
  const serviceUrl = named ?? (environment['LEEWARD_URL'] || undefined);
  if (serviceUrl !== undefined) return checkedUrl(serviceUrl);
  const url = demoOf(terminal)?.url;
  if (url !== undefined) return url;
  const path = nearPath(demoPath(storeSettings(terminal, 'live', []).dataFolder), folder);
  throw new CommandError(`Say which service: --url or LEEWARD_URL. (There is no demo either: ${path} is not there.)`);
}

/** The key of the demo's organization at that address; undefined for another service. */
export function demoKey(url: string, terminal: Terminal): string | undefined {
  const demo = demoOf(terminal);
  // A demo's token works with the demo only.
  return demo?.url === url ? demo.api_key : undefined;
}

function demoOf(terminal: Terminal): (Demo & Partial<DemoKeys>) | undefined {
  return readDemo(storeSettings(terminal, 'live', []).dataFolder);
}

export function checkedUrl(text: string): string {
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.username !== '') {
    throw new CommandError('The address of a service begins with http:// or https://, without user and password.');
  }
  return `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, '');
}
