import type { Command } from 'commander';
import { everyPage } from '../accounts/every-page.ts';
import { listOption } from '../accounts/list-option.ts';
import { organizationOfTeam } from '../accounts/organization-of-team.ts';
import { type PrintOptions, printItem, printItems } from '../accounts/print-items.ts';
import { commandLine, withAccounts } from '../accounts/with-accounts.ts';
import type { Terminal } from '../terminal.ts';

interface ProducerOptions extends PrintOptions {
  readonly organization?: string;
  readonly team?: string;
  readonly name?: string;
  readonly states?: readonly string[];
}

/** `leeward producer …`: the people of a team. */
export function producerCommand(group: Command, terminal: Terminal): void {
  group
    .command('add')
    .description('Put a person on a team.')
    .argument('<email>', 'capitals make no difference')
    .requiredOption('--team <id>', 'the team')
    .option('--name <name>', 'how the person is called')
    .addOption(listOption('--states <states>', 'where the person is licensed (default not recorded)'))
    .option('--json', 'print JSON')
    .action(async (email: string, { team, name, states, ...options }: ProducerOptions & { team: string }) => {
      const item = await withAccounts({ terminal }, async (accounts) =>
        accounts.administration.producers.create.run(commandLine, {
          organization_id: await organizationOfTeam(accounts, team),
          team_id: team,
          email,
          name,
          licensed_states: states,
        }),
      );
      printItem(item, options, terminal);
    });
  group
    .command('list')
    .description('List the producers of an organization or of a team.')
    .option('--organization <id>', 'of all teams of this organization')
    .option('--team <id>', 'of this team')
    .option('--json', 'print JSON')
    .action(async ({ organization, team, ...options }: ProducerOptions) => {
      const items = await withAccounts({ terminal }, async (accounts) => {
        const organization_id = organization ?? (team && (await organizationOfTeam(accounts, team)));
        return everyPage(accounts.administration.producers.list, { organization_id, team_id: team });
      });
      printItems(items, ['producer_id', 'email', 'name', 'team_id', 'licensed_states'], options, terminal);
    });
  group
    .command('remove')
    .description('Take a person off a team.')
    .argument('<producer-id>', 'as it is listed')
    .option('--json', 'print JSON')
    .action(async (producer_id: string, options: PrintOptions) => {
      const item = await withAccounts({ terminal }, ({ administration }) =>
        administration.producers.remove.run(commandLine, { producer_id }),
      );
      printItem(item, options, terminal);
    });
}
