import type { Command } from 'commander';
import { type RunOptions, runBook } from '../book/run-command.ts';
import type { Terminal } from '../terminal.ts';

/** What all commands say of a book alike. */
function withBookWords(command: Command): Command {
  return command
    .option('--carriers <folder>', 'folder of carriers (LEEWARD_CARRIERS, default the invented ones)')
    .option('--as-of <instant>', 'instant at which the book is judged (default now)')
    .option(
      '--effective-date <date>',
      'date on which every policy would begin (default the date of --as-of in each home’s state)',
    )
    .option('--columns <file>', 'JSON: which column is which field, constants, units, columns left aside')
    .option('--reasons', 'count for which reasons carriers decline as well')
    .option('--exact', 'settle what only several rules together settle; slower')
    .option('--format <format>', 'parquet, arrow, csv or ndjson (default by the file)');
}

export function bookCommand(program: Command, terminal: Terminal): void {
  const book = program.command('book').description('Judge a whole book of policies.');
  withBookWords(
    book
      .command('run')
      .description('Judge every home of a book, and count what carriers say.')
      .argument('<files...>', 'homes: Parquet, Arrow, NDJSON, or CSV with a header of field names'),
  )
    .option('--out <file>', 'write a status for every row and carrier: .parquet, .arrow, .csv or .ndjson')
    .option('--out-format <format>', 'how --out is written (default by its ending)')
    .option('--rejects <file>', 'where bad rows go (default <file>.rejects.ndjson)')
    .option('--summary <file>', 'write the summary as JSON')
    .option('--json', 'print the summary as JSON')
    .option('--threads <number>', 'threads of this machine (default all cores)')
    .option('--parts <number>', 'parts of the book (default by its rows)')
    .option('--restart', 'begin anew where another run was stopped')
    .action((files: string[], options: RunOptions) => runBook(files, options, terminal));
}
