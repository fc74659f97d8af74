import type { Command } from 'commander';
import { CommandError } from '../command-error.ts';
import type { ServeOptions } from '../serve/serve-settings.ts';
import type { Terminal } from '../terminal.ts';

/** Default time for running carrier calls: less than the 30 seconds after which most process managers kill. */
const USUAL_GRACE_MS = 25_000;

interface WorkerOptions extends ServeOptions {
  readonly books?: boolean;
  readonly queue?: string;
  readonly atOnce: string;
}

export function workerCommand(command: Command, terminal: Terminal): void {
  command
    .option('--config <file>', 'configuration file; leeward config lists its settings (LEEWARD_CONFIG)')
    .option('--carriers <folder>', 'folder of carriers, the same as the services have (LEEWARD_CARRIERS)')
    .option('--adapters <file...>', 'carrier adapters of your own, the same as the services have (LEEWARD_ADAPTERS)')
    .option('--coastline <file...>', 'coastlines to measure to, as of serve (LEEWARD_COASTLINES)')
    .option('--demo', 'the invented carriers and the sandbox, as of serve --demo')
    .option('--allow-demo', 'let a demo use a database')
    .option('--books', 'take parts of books from the queue instead, and nothing else')
    .option('--queue <url>', 'with --books: redis://… or postgres://… (LEEWARD_QUEUE_URL)')
    .option('--at-once <number>', 'with --books: parts at once, those of all workers together', '4')
    .action((options: WorkerOptions) => (options.books ? takeParts(options, terminal) : work(options, terminal)));
}

// Each loads what it works with alone: what the other works with would be most of its start and of its memory.

async function work(options: ServeOptions, terminal: Terminal): Promise<void> {
  const { workForServices } = await import('../serve/work-for-services.ts');
  await workForServices(options, USUAL_GRACE_MS, terminal);
}

async function takeParts({ carriers, queue, atOnce }: WorkerOptions, terminal: Terminal): Promise<void> {
  const url = queue ?? terminal.environment['LEEWARD_QUEUE_URL'];
  if (!url)
    throw new CommandError('Where do parts wait? Give --queue redis://… or postgres://…, or LEEWARD_QUEUE_URL.');
  const stopAsked = terminal.stopAsked();
  const { serveBookParts } = await import('../book/book-queue.ts');
  const { wholeNumber } = await import('../book/make-plan.ts');
  const bookOptions = {
    ...(carriers === undefined ? {} : { carriers }),
    concurrency: wholeNumber('--at-once', atOnce),
  };
  const parts = await serveBookParts(url, bookOptions, terminal);
  terminal.write('A Leeward worker is up: parts of books.\n');
  terminal.writeError(`${await stopAsked}: finishing the part that was begun, then stopping.\n`);
  await parts.stop({ graceMs: USUAL_GRACE_MS });
}
