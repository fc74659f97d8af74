import { randomUUID } from 'node:crypto';
import { createMemoryHazardEvents, Problem, underwriteHome } from '@leeward/http';
import type { Command } from 'commander';
import { readCatalog } from '../carriers/carrier-files.ts';
import { demoCarriersOf } from '../carriers/demo-carriers.ts';
import { CommandError } from '../command-error.ts';
import { printFaults } from '../files/file-fault.ts';
import { readJsonInput } from '../files/json-input.ts';
import { lazyDistances } from '../homes/lazy-distances.ts';
import { eventsOption, readEvents } from '../homes/read-events.ts';
import { lineOption, openKnownLines } from '../lines/known-lines.ts';
import type { Terminal } from '../terminal.ts';
import { describeNotOffered } from '../underwrite/not-offered.ts';
import { verdictTable } from '../underwrite/verdict-table.ts';

interface UnderwriteOptions {
  readonly carriers?: string;
  readonly line?: string;
  readonly events?: string;
  readonly json?: boolean;
}

/** Width for output that is not a terminal. */
const USUAL_COLUMNS = 120;

export function underwriteCommand(command: Command, terminal: Terminal): void {
  command
    .argument('<file>', 'the home, as a request has it; - for standard input')
    .option('--carriers <folder>', 'folder of carriers (LEEWARD_CARRIERS, default the invented ones)')
    .option(...lineOption)
    .option(...eventsOption)
    .option('--json', 'print what the HTTP API would answer')
    .action((file: string, options: UnderwriteOptions) => underwrite(file, options, terminal));
}

async function underwrite(file: string, options: UnderwriteOptions, terminal: Terminal): Promise<void> {
  const carriers = options.carriers ?? (terminal.environment['LEEWARD_CARRIERS'] || undefined);
  const lines = await openKnownLines(options.line, terminal.folder);
  const catalog = readCatalog(carriers ?? demoCarriersOf(lines.requested), terminal.folder, lines);
  const home = await readJsonInput(file, terminal, 'The home');
  const events = await readEvents(options.events, terminal);
  const decision = await underwriteHome(home.value, {
    decider: catalog,
    now: terminal.now(),
    distance: lazyDistances(terminal),
    traceId: randomUUID(),
    organizationId: null,
    hazardEvents: events && createMemoryHazardEvents(events),
  }).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'invalid_request') throw error;
    const errors = error.options.errors ?? [];
    const faults = errors.map((fault) => ({ ...fault, file: home.file, line: home.lineOf(fault.path) }));
    throw new CommandError(`The home has errors:\n\n${printFaults(faults)}`);
  });
  if (options.json) {
    terminal.write(`${JSON.stringify(decision, null, 2)}\n`);
    return;
  }
  if (carriers === undefined) terminal.writeError('These carriers are invented; give yours with --carriers.\n');
  terminal.write(
    verdictTable(decision, {
      columns: terminal.columns ?? USUAL_COLUMNS,
      inColor: terminal.inColor,
      notOffered: describeNotOffered(catalog, decision),
      vocabulary: catalog.vocabulary,
    }),
  );
}
