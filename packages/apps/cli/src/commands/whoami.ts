import type { Command } from 'commander';
import { type PrintOptions, printItem } from '../accounts/print-items.ts';
import { CommandError } from '../command-error.ts';
import { type ServerOptions, serviceUrl } from '../quotes/quote-server.ts';
import { callService, describeProblem } from '../sign-in/call-service.ts';
import { storedSignIns } from '../sign-in/stored-sign-ins.ts';
import { tokenOfSignIn } from '../sign-in/token-of-sign-in.ts';
import type { Terminal } from '../terminal.ts';

/** Answer of `GET /v1/token`. */
interface Holder {
  readonly environment: string | null;
  readonly organization: { readonly organization_id: string; readonly name: string | null } | null;
  readonly team: { readonly team_id: string; readonly name: string | null } | null;
  readonly user: { readonly user_id: string; readonly name: string | null } | null;
  readonly scopes: readonly string[];
}

/** `leeward whoami`: the person and the rights that commands have at a service. */
export function whoamiCommand(command: Command, terminal: Terminal): void {
  command
    .option('--url <url>', 'the service (LEEWARD_URL, default the demo)')
    .option('--token <token>', 'a token to describe (LEEWARD_TOKEN, default the sign-in)')
    .option('--json', 'print JSON')
    .action(async (options: ServerOptions & PrintOptions) => {
      const url = serviceUrl(options, terminal);
      const ownToken = options.token ?? (terminal.environment['LEEWARD_TOKEN'] || undefined);
      const token = ownToken ?? (await tokenOfSignIn(url, 'organization', terminal));
      if (token === undefined)
        throw new CommandError(`You are not signed in at ${url}. Run leeward login --url ${url}`);
      const answer = await callService(url, '/v1/token', undefined, token);
      if (answer.status !== 200) {
        const isEnded = answer.status === 401 && ownToken === undefined;
        const ended = `Your sign-in at ${url} has ended. Run leeward login --url ${url}`;
        throw new CommandError(isEnded ? ended : describeProblem(url, answer));
      }
      const { user, organization, team, scopes, environment } = answer.body as Holder;
      const stored = ownToken === undefined ? storedSignIns(terminal).get(url) : undefined;
      const teams = stored?.tokens.flatMap(({ team_name, team_id }) =>
        team_id === null ? [] : [team_name ?? team_id],
      );
      printItem(
        {
          service: url,
          person: user && (user.name ?? user.user_id),
          organization: organization && (organization.name ?? organization.organization_id),
          teams: teams ?? (team ? [team.name ?? team.team_id] : []),
          scopes: stored ? [...new Set(stored.tokens.flatMap((each) => each.scopes))] : scopes,
          environment,
          valid_until: stored?.expires_at ?? null,
          ends_at: stored?.ends_at ?? null,
        },
        options,
        terminal,
      );
    });
}
