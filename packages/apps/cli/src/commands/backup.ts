import { resolve } from 'node:path';
import type { Command } from 'commander';
import { formatCount } from '../format-count.ts';
import { refuseFaults } from '../settings/refuse-faults.ts';
import { storeSettings } from '../store/store-settings.ts';
import type { Terminal } from '../terminal.ts';

/** `leeward backup FILE`: writes the whole database to one file, while services run. */
export function backupCommand(command: Command, terminal: Terminal): void {
  command
    .argument('<target>', 'the file to write; it must not exist')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nThe database of LEEWARD_DATABASE_URL, else LEEWARD_DATA_DIR.\nServices may run.')
    .action(async (target: string, { json }: { readonly json?: boolean }) => {
      const faults: string[] = [];
      const { databaseUrl } = storeSettings(terminal, 'live', faults);
      refuseFaults(faults);
      const { backUpDatabase } = await import('@leeward/database');
      const result = await backUpDatabase(databaseUrl, resolve(terminal.folder, target));
      terminal.write(
        json
          ? `${JSON.stringify(result, null, 2)}\n`
          : `Backed up to ${result.file}: ${formatCount(result.bytes)} bytes, checked.\nIf LEEWARD_FIELDS_KEY is set, keep that key too: without it the insureds in the backup cannot be read.\n`,
      );
    });
}
