import { resolve } from 'node:path';
import { accountsMigrations } from '@leeward/accounts';
import { MigrationError, restoreDatabase } from '@leeward/database';
import { quoteMigrations } from '@leeward/quotes';
import type { Command } from 'commander';
import { CommandError } from '../command-error.ts';
import { formatCount } from '../format-count.ts';
import { refuseFaults } from '../settings/refuse-faults.ts';
import { storeSettings } from '../store/store-settings.ts';
import type { Terminal } from '../terminal.ts';
import { readErasures, replayErasures } from './erasures.ts';

interface RestoreOptions {
  readonly moveOldTo?: string;
  readonly erasures?: string;
  readonly json?: boolean;
}

/** `leeward restore FILE`: puts a backup in the place of the database. */
export function restoreCommand(command: Command, terminal: Terminal): void {
  command
    .argument('<file>', 'a file that leeward backup wrote')
    .option('--move-old-to <file>', 'where the database that exists now is moved; without it, an existing one is kept')
    .option('--erasures <file>', 'erase again what a file of leeward erasures export lists')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nThe database of LEEWARD_DATABASE_URL, else LEEWARD_DATA_DIR.\nStop every service and worker first.',
    )
    .action(async (file: string, { moveOldTo, erasures, json }: RestoreOptions) => {
      // First: a malformed list must not leave a database that brings erased people back.
      const list = erasures === undefined ? undefined : readErasures(resolve(terminal.folder, erasures));
      const faults: string[] = [];
      const { databaseUrl } = storeSettings(terminal, 'live', faults);
      refuseFaults(faults);
      const result = await restore(databaseUrl, resolve(terminal.folder, file), moveOldTo, terminal);
      const old = moveOldTo === undefined ? '' : `The old database is ${resolve(terminal.folder, moveOldTo)}.\n`;
      terminal.write(
        json
          ? `${JSON.stringify(result, null, 2)}\n`
          : `Restored ${result.file}: ${formatCount(result.bytes)} bytes.\n${old}`,
      );
      if (list !== undefined) await replayErasures(list, json ? { ...terminal, write: terminal.writeError } : terminal);
    });
}

async function restore(databaseUrl: string, file: string, moveOldTo: string | undefined, terminal: Terminal) {
  try {
    return await restoreDatabase(databaseUrl, file, {
      migrations: [accountsMigrations, quoteMigrations],
      moveOldTo: moveOldTo === undefined ? undefined : resolve(terminal.folder, moveOldTo),
    });
  } catch (error) {
    if (error instanceof MigrationError) throw new CommandError(error.message);
    throw error;
  }
}
