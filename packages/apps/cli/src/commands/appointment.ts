import type { Command } from 'commander';
import { everyPage } from '../accounts/every-page.ts';
import { listOption } from '../accounts/list-option.ts';
import { type PrintOptions, printItem, printItems } from '../accounts/print-items.ts';
import { commandLine, withAccounts } from '../accounts/with-accounts.ts';
import type { Terminal } from '../terminal.ts';

interface AppointmentOptions extends PrintOptions {
  readonly organization: string;
  readonly carriers?: string;
  readonly states?: readonly string[];
  readonly policyTypes?: readonly string[];
  readonly from?: string;
  readonly until?: string;
}

/** `leeward appointment …`: the carriers of the catalog that an organization may sell. */
export function appointmentCommand(group: Command, terminal: Terminal): void {
  group
    .command('add')
    .description('Appoint a carrier; several appointments of one carrier add up.')
    .argument('<carrier>', "the carrier's key")
    .requiredOption('--organization <id>', 'to whom')
    .addOption(listOption('--states <states>', 'only there (default everywhere)'))
    .addOption(listOption('--policy-types <types>', 'only these (default all)'))
    .option('--from <date>', 'the first day')
    .option('--until <date>', 'the first day after')
    .option('--carriers <folder>', 'folder of carriers (LEEWARD_CARRIERS, default the invented ones)')
    .option('--json', 'print JSON')
    .action(async (carrier_key: string, options: AppointmentOptions) => {
      const item = await withAccounts({ terminal, carriers: { folder: options.carriers } }, ({ administration }) =>
        administration.appointments.create.run(commandLine, {
          organization_id: options.organization,
          carrier_key,
          states: options.states,
          policy_types: options.policyTypes,
          from: options.from,
          until: options.until,
        }),
      );
      printItem(item, options, terminal);
    });
  group
    .command('list')
    .description('List what is appointed to an organization.')
    .requiredOption('--organization <id>', 'to whom')
    .option('--json', 'print JSON')
    .action(async ({ organization, ...options }: AppointmentOptions) => {
      const items = await withAccounts({ terminal }, ({ administration }) =>
        everyPage(administration.appointments.list, { organization_id: organization }),
      );
      const columns = ['appointment_id', 'carrier_key', 'states', 'policy_types', 'from', 'until'];
      printItems(items, columns, options, terminal);
    });
  group
    .command('remove')
    .description('End an appointment.')
    .argument('<appointment-id>', 'as it is listed')
    .option('--json', 'print JSON')
    .action(async (appointment_id: string, options: PrintOptions) => {
      const item = await withAccounts({ terminal }, ({ administration }) =>
        administration.appointments.remove.run(commandLine, { appointment_id }),
      );
      printItem(item, options, terminal);
    });
}
