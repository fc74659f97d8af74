import type { Command } from 'commander';
import { everyPage } from '../accounts/every-page.ts';
import { type PrintOptions, printItem, printItems } from '../accounts/print-items.ts';
import { commandLine, withAccounts, withTeamsRemoved } from '../accounts/with-accounts.ts';
import type { Terminal } from '../terminal.ts';

/** `leeward organization …`: whose carriers, teams and tokens there are. */
export function organizationCommand(group: Command, terminal: Terminal): void {
  group
    .command('create')
    .description('Make an organization.')
    .argument('<name>', 'its name')
    .option('--json', 'print JSON')
    .action(async (name: string, options: PrintOptions) => {
      const item = await withAccounts({ terminal }, ({ administration }) =>
        administration.organizations.create.run(commandLine, { name }),
      );
      printItem(item, options, terminal);
    });
  group
    .command('list')
    .description('List organizations, oldest first.')
    .option('--json', 'print JSON')
    .action(async (options: PrintOptions) => {
      const items = await withAccounts({ terminal }, ({ administration }) =>
        everyPage(administration.organizations.list, {}),
      );
      printItems(items, ['organization_id', 'name', 'created_at'], options, terminal);
    });
  group
    .command('remove')
    .description('Remove an organization and everything of it but its audit log.')
    .argument('<organization-id>', 'as it is listed')
    .option('--json', 'print JSON')
    .action(async (organization_id: string, options: PrintOptions) => {
      const item = await withTeamsRemoved(terminal, ({ administration }) =>
        administration.organizations.remove.run(commandLine, { organization_id }),
      );
      printItem(item, options, terminal);
    });
}
