import type { Command } from 'commander';
import { everyPage } from '../accounts/every-page.ts';
import { explainEntry } from '../accounts/explain-entry.ts';
import { type PrintOptions, printItem, printItems } from '../accounts/print-items.ts';
import { commandLine, withAccounts } from '../accounts/with-accounts.ts';
import { readJsonInput } from '../files/json-input.ts';
import { addCheckCommand } from '../quotes/check-carrier-command.ts';
import { addExchangeCommands } from '../quotes/exchange-commands.ts';
import { addPauseCommands } from '../quotes/operator-commands.ts';
import type { Terminal } from '../terminal.ts';

interface CarrierOptions extends PrintOptions {
  readonly organization: string;
  readonly carriers?: string;
}

/** `leeward carrier …`: custom carriers of organizations, paused carriers, and files of HTTP carriers. */
export function carrierCommand(group: Command, terminal: Terminal): void {
  group
    .command('add')
    .description('Enter a rule set, under the limits for files from strangers.')
    .argument('<file>', 'the rule set; - for standard input')
    .requiredOption('--organization <id>', 'whose carrier it is')
    .option('--carriers <folder>', 'folder of carriers (LEEWARD_CARRIERS, default the invented ones)')
    .option('--json', 'print JSON')
    .action(async (file: string, { organization, carriers, ...options }: CarrierOptions) => {
      const entry = await readJsonInput(file, terminal);
      const access = { terminal, carriers: { folder: carriers }, explain: explainEntry(entry, '/rule_set') };
      const item = await withAccounts(access, ({ registry }) =>
        registry.administration.carriers.create.run(commandLine, {
          organization_id: organization,
          rule_set: entry.value,
        }),
      );
      printItem(item, options, terminal);
    });
  group
    .command('list')
    .description('List the carriers of an organization’s own.')
    .requiredOption('--organization <id>', 'whose carriers')
    .option('--json', 'print JSON')
    .action(async ({ organization, ...options }: CarrierOptions) => {
      const items = await withAccounts({ terminal }, ({ registry }) =>
        everyPage(registry.administration.carriers.list, { organization_id: organization }),
      );
      printItems(items, ['carrier_id', 'carrier_key', 'carrier', 'version', 'effective'], options, terminal);
    });
  group
    .command('remove')
    .description('Remove such a rule set.')
    .argument('<carrier-id>', 'as it is listed')
    .option('--json', 'print JSON')
    .action(async (carrier_id: string, options: PrintOptions) => {
      const item = await withAccounts({ terminal }, ({ registry }) =>
        registry.administration.carriers.remove.run(commandLine, { carrier_id }),
      );
      printItem(item, options, terminal);
    });
  addPauseCommands(group, terminal);
  addCheckCommand(group, terminal);
  addExchangeCommands(group, terminal);
}
