import { CommandError } from '../command-error.ts';
import { type Demo, demoPath, readDemo } from '../demo/demo-file.ts';
import type { DemoKeys } from '../demo/seed-demo.ts';
import { nearPath } from '../near-path.ts';
import { storeSettings } from '../store/store-settings.ts';
import type { Terminal } from '../terminal.ts';

/** What the command line says of the service that is talked to. */
export interface ServerOptions {
  readonly url?: string;
  readonly token?: string;
}

/** A running service, and the team's token for it. */
export interface QuoteServer {
  /** Without a slash at its end. */
  readonly url: string;
  readonly token: string;
}

/** Where quotes are asked for: the command line, else the environment, else the demo of the data folder. */
export function quoteServer(options: ServerOptions, terminal: Terminal): QuoteServer {
  const { environment, folder } = terminal;
  const given = options.url ?? (environment['LEEWARD_URL'] || undefined);
  const token = options.token ?? (environment['LEEWARD_TOKEN'] || undefined);
  const { dataFolder } = storeSettings(terminal, 'live', []);
  const demo: (Demo & Partial<DemoKeys>) | undefined =
    given !== undefined && token !== undefined ? undefined : readDemo(dataFolder);
  const url = given === undefined ? demo?.url : checkedUrl(given);
  if (url === undefined) {
    throw new CommandError(
      `Say which service: --url or LEEWARD_URL. (There is no demo either: ${nearPath(demoPath(dataFolder), folder)} is not there.)`,
    );
  }
  if (token !== undefined) return { url, token };
  // A demo's token is for the demo alone.
  if (demo?.team_token !== undefined && demo.url === url) return { url, token: demo.team_token };
  throw new CommandError(`Give the token of a team for ${url}: LEEWARD_TOKEN, or --token.`);
}

function checkedUrl(text: string): string {
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.username !== '') {
    throw new CommandError('The address of a service begins with http:// or https://, without user and password.');
  }
  return `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, '');
}
