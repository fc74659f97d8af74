import type { Command } from 'commander';
import { CommandError } from '../command-error.ts';
import { type ServerOptions, serviceUrl } from '../quotes/quote-server.ts';
import { callService } from '../sign-in/call-service.ts';
import { storedSignIns } from '../sign-in/stored-sign-ins.ts';
import type { Terminal } from '../terminal.ts';

/** `leeward logout`: ends the tokens of a sign-in, and deletes them here. */
export function logoutCommand(command: Command, terminal: Terminal): void {
  command
    .option('--url <url>', 'the service (LEEWARD_URL, default the demo)')
    .action(async (options: Pick<ServerOptions, 'url'>) => {
      const url = serviceUrl(options, terminal);
      const signIns = storedSignIns(terminal);
      const stored = signIns.get(url);
      if (stored === undefined) throw new CommandError(`You are not signed in at ${url}.`);
      signIns.remove(url);
      const { token } = stored.tokens[0]!;
      const { status } = await callService(url, '/v1/sign-in/end', {}, token).catch(() => ({ status: 0 }));
      // 401: the tokens have ended already.
      if (status !== 200 && status !== 401) {
        const message = `The tokens were deleted here, but ${url} did not end them: they are valid until ${stored.expires_at}.`;
        throw new CommandError(message);
      }
      terminal.write(`Signed out of ${url}.\n`);
    });
}
