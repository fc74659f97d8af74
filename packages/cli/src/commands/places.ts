import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { AddressBookError, importAddresses } from '@leeward/places/address-book';
import type { Command } from 'commander';
import { distanceSettings } from '../coast/distance-settings.ts';
import { CommandError } from '../command-error.ts';
import { makeFolder, nameDataFolder } from '../make-folder.ts';
import { addressBookPath } from '../serve/open-distances.ts';
import type { Terminal } from '../terminal.ts';

interface ImportCommandOptions {
  readonly source?: string;
  readonly state?: string;
  readonly attribution?: string;
}

export function placesCommand(program: Command, terminal: Terminal): void {
  program
    .command('places')
    .description('Addresses, kept here.')
    .command('import')
    .description('Import addresses as OpenAddresses writes them, to find them to the rooftop with no network.')
    .argument('<file>', 'CSV with LON, LAT, NUMBER, STREET, CITY, REGION, POSTCODE')
    .option(
      '--source <name>',
      'what the addresses are called; importing it again replaces them (default the file’s name)',
    )
    .option('--state <state>', 'state of rows that do not say')
    .option('--attribution <text>', 'whom the data’s licence wants named')
    .action((file: string, options: ImportCommandOptions) => run(file, options, terminal));
}

async function run(file: string, options: ImportCommandOptions, terminal: Terminal): Promise<void> {
  const path = resolve(terminal.folder, file);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new CommandError(`There is no file ${file}.`);
  const { dataFolder: folder } = distanceSettings(terminal);
  makeFolder(folder, nameDataFolder);
  try {
    const report = await importAddresses({
      database: addressBookPath(folder),
      csv: path,
      source: options.source ?? basename(file),
      ...(options.state === undefined ? {} : { state: options.state }),
      ...(options.attribution === undefined ? {} : { attribution: options.attribution }),
    });
    terminal.write(`${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    throw error instanceof AddressBookError ? new CommandError(error.message) : error;
  }
}
