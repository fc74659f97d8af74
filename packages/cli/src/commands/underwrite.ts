import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Problem, underwriteHome } from '@leeward/http';
import type { Command } from 'commander';
import { readCatalog } from '../carriers/carrier-files.ts';
import { demoCarriersFolder } from '../carriers/demo-carriers.ts';
import { CommandError } from '../command-error.ts';
import { printFaults } from '../files/file-fault.ts';
import { type JsonFile, readJsonFile } from '../files/json-file.ts';
import { lazyDistances } from '../homes/lazy-distances.ts';
import type { Terminal } from '../terminal.ts';
import { tellNotOffered } from '../underwrite/not-offered.ts';
import { verdictTable } from '../underwrite/verdict-table.ts';

interface UnderwriteOptions {
  readonly carriers?: string;
  readonly json?: boolean;
}

/** Wide enough for sentences, where nobody tells how wide the page is. */
const usualColumns = 120;

export function underwriteCommand(command: Command, terminal: Terminal): void {
  command
    .argument('<file>', 'the home, as a request has it; - for standard input')
    .option('--carriers <folder>', 'folder of carriers (LEEWARD_CARRIERS, default the invented ones)')
    .option('--json', 'print what the HTTP API would answer')
    .action((file: string, options: UnderwriteOptions) => underwrite(file, options, terminal));
}

async function underwrite(file: string, options: UnderwriteOptions, terminal: Terminal): Promise<void> {
  const carriers = options.carriers ?? (terminal.environment['LEEWARD_CARRIERS'] || undefined);
  const catalog = readCatalog(carriers ?? demoCarriersFolder(), terminal.folder);
  const home = await readHome(file, terminal);
  const decision = await underwriteHome(home.value, {
    decider: catalog,
    now: terminal.now(),
    distance: lazyDistances(terminal),
    traceId: randomUUID(),
    organizationId: null,
  }).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'invalid_request') throw error;
    const errors = error.options.errors ?? [];
    const faults = errors.map((fault) => ({ ...fault, file: home.file, line: home.lineOf(fault.path) }));
    throw new CommandError(`The home does not fit:\n\n${printFaults(faults)}`);
  });
  if (options.json) {
    terminal.write(`${JSON.stringify(decision, null, 2)}\n`);
    return;
  }
  if (carriers === undefined) terminal.writeError('These carriers are invented; give yours with --carriers.\n');
  terminal.write(
    verdictTable(decision, {
      columns: terminal.columns ?? usualColumns,
      inColor: terminal.inColor,
      notOffered: tellNotOffered(catalog, decision),
    }),
  );
}

async function readHome(file: string, terminal: Terminal): Promise<JsonFile> {
  let text: string;
  try {
    text = file === '-' ? await terminal.readInput() : await readFile(resolve(terminal.folder, file), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read (${code}).`);
  }
  const read = readJsonFile(file === '-' ? 'standard input' : file, text);
  if ('value' in read) return read;
  throw new CommandError(`The home cannot be read:\n\n${printFaults(read)}`);
}
