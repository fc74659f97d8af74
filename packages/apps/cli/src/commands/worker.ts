import { type Command, Option } from 'commander';
import type { ServeOptions } from '../serve/serve-settings.ts';
import type { Terminal } from '../terminal.ts';
import { BEYOND, retiredError } from './book.ts';

/** Default time for running carrier calls: less than the 30 seconds after which most process managers kill. */
const USUAL_GRACE_MS = 25_000;

export function workerCommand(command: Command, terminal: Terminal): void {
  command
    .option('--config <file>', 'configuration file; leeward config lists its settings (LEEWARD_CONFIG)')
    .option('--carriers <folder>', 'folder of carriers, the same as the services have (LEEWARD_CARRIERS)')
    .option('--adapters <file...>', 'carrier adapters of your own, the same as the services have (LEEWARD_ADAPTERS)')
    .option('--coastline <file...>', 'coastlines to measure to, as of serve (LEEWARD_COASTLINES)')
    .option('--demo', 'the invented carriers and the sandbox, as of serve --demo')
    .option('--allow-demo', 'let a demo use a database')
    .addOption(new Option('--books').hideHelp())
    .addOption(new Option('--queue <url>').hideHelp())
    .addOption(new Option('--at-once <number>').hideHelp())
    .action(async (options: ServeOptions & { readonly books?: boolean }) => {
      if (options.books) throw retiredError('leeward worker --books', BEYOND);
      const { workForServices } = await import('../serve/work-for-services.ts');
      await workForServices(options, USUAL_GRACE_MS, terminal);
    });
}
