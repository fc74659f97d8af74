import type { Command } from 'commander';
import { everyPage } from '../accounts/every-page.ts';
import { listOption } from '../accounts/list-option.ts';
import { type PrintOptions, printItem, printItems } from '../accounts/print-items.ts';
import { commandLine, withAccounts, withTeamsRemoved } from '../accounts/with-accounts.ts';
import type { Terminal } from '../terminal.ts';

interface TeamOptions extends PrintOptions {
  readonly organization: string;
  readonly carriers?: readonly string[];
}

/** `leeward team …`: who quotes together. */
export function teamCommand(group: Command, terminal: Terminal): void {
  group
    .command('create')
    .description('Make a team.')
    .argument('<name>', 'its name')
    .requiredOption('--organization <id>', 'whose team it is')
    .addOption(listOption('--carriers <keys>', 'the carriers it keeps of those of the organization (default all)'))
    .option('--json', 'print JSON')
    .action(async (name: string, { organization, carriers, ...options }: TeamOptions) => {
      const narrowed_to = carriers?.map((carrier_key) => ({ carrier_key })) ?? null;
      const item = await withAccounts({ terminal }, ({ administration }) =>
        administration.teams.create.run(commandLine, { organization_id: organization, name, narrowed_to }),
      );
      printItem(item, options, terminal);
    });
  group
    .command('list')
    .description('List the teams of an organization.')
    .requiredOption('--organization <id>', 'whose teams')
    .option('--json', 'print JSON')
    .action(async ({ organization, ...options }: TeamOptions) => {
      const items = await withAccounts({ terminal }, ({ administration }) =>
        everyPage(administration.teams.list, { organization_id: organization }),
      );
      printItems(items, ['team_id', 'name', 'narrowed_to'], options, terminal);
    });
  group
    .command('remove')
    .description('Remove a team, its producers and its tokens.')
    .argument('<team-id>', 'as it is listed')
    .option('--json', 'print JSON')
    .action(async (team_id: string, options: PrintOptions) => {
      const item = await withTeamsRemoved(terminal, ({ administration }) =>
        administration.teams.remove.run(commandLine, { team_id }),
      );
      printItem(item, options, terminal);
    });
}
