import { type Command, Option } from 'commander';
import type { DiffOptions } from '../book/diff-command.ts';
import type { FilterOptions } from '../book/filter-command.ts';
import type { RunOptions } from '../book/run-command.ts';
import { CommandError } from '../command-error.ts';
import { eventsOption } from '../homes/read-events.ts';
import { lineOption } from '../lines/known-lines.ts';
import type { Terminal } from '../terminal.ts';

const GUIDE = 'https://github.com/leeward/leeward/blob/main/docs/books-beyond-one-machine.md';

/** Former commands and options, and what replaces them. */
const retired: Readonly<Record<string, string>> = {
  plan: 'leeward book run --part i/n evaluates one of n slices of a book, without a plan',
  part: 'leeward book run --part i/n evaluates one of n slices of a book, without a plan',
  status: 'the scheduler of an array job shows its slices; each is one leeward book run --part i/n',
  merge: 'concatenate the outputs of leeward book run --part 1/n to n/n',
};

/** The replacement of evaluation on several machines. */
export const BEYOND = 'Spark, Ray or any engine evaluates a book with the file that leeward compile writes';

/** The error of a former command or option. */
export function retiredError(name: string, way: string): CommandError {
  return new CommandError(`${name} was retired: ${way}. See ${GUIDE}`);
}

/** Adds the options that all book commands share. */
function withBookWords(command: Command): Command {
  return command
    .option('--carriers <folder>', 'folder of carriers (LEEWARD_CARRIERS, default the invented ones)')
    .option(...lineOption)
    .option('--as-of <instant>', 'time of evaluation for rows without as_of (default now)')
    .option(
      '--effective-date <date>',
      'effective date for all policies instead of the row’s (default the row’s, else the current date in the home’s state)',
    )
    .option('--columns <file>', 'JSON: which column is which field, constants, units, columns left aside')
    .option(...eventsOption)
    .option('--reasons', 'count for which reasons carriers decline as well')
    .option('--long', 'write a line for each row and carrier, with the reasons of a decline; slower')
    .option('--keep <columns>', 'columns of the book to carry to the output, with commas: policy_id,agent')
    .option('--format <format>', 'parquet, arrow, csv or ndjson (default by the file)');
}

export function bookCommand(book: Command, terminal: Terminal): void {
  withBookWords(
    book
      .command('run')
      .description('Evaluate every home of a book and count the answers of carriers.')
      .argument('[files...]', 'homes: Parquet, Arrow, NDJSON, or CSV with a header of field names'),
  )
    .option('--out <file>', 'write a status for every row and carrier: .parquet, .arrow, .csv or .ndjson')
    .option('--out-format <format>', 'how --out is written (default by its ending)')
    .option('--rejects <file>', 'where bad rows go (default <file>.rejects.ndjson)')
    .option('--summary <file>', 'write the summary as JSON')
    .option('--page <file>', 'write the summary as a page with charts')
    .option('--json', 'print the summary as JSON')
    .option('--threads <number>', 'threads of this machine (default all cores)')
    .option('--part <i/n>', 'evaluate only the i-th of n slices, for array jobs: 1/n to n/n')
    .option(
      '--sql <query>',
      'read the rows of a query with DuckDB instead of files; ORDER BY a unique column for --part',
    )
    .option('--sql-setup <statements>', 'SQL that runs before the query: INSTALL, LOAD, CREATE SECRET, ATTACH …')
    .option('--restart', 'begin anew where another run was stopped')
    .addOption(new Option('--queue <url>').hideHelp())
    .option(
      '--parts <number>',
      'cut the book into so many parts for threads (default by its rows); the output is the same',
    )
    .action(async (files: string[], options: RunOptions & { readonly queue?: string }) => {
      if (options.queue !== undefined) throw retiredError('--queue', BEYOND);
      // Loaded on demand: reading it takes as long as evaluating a small book.
      const { runBook } = await import('../book/run-command.ts');
      await runBook(files, options, terminal);
    });
  book
    .command('diff')
    .description('List policies of a book that two versions of the rules answer differently, with their premium.')
    .argument('<files...>', 'homes, as of book run')
    .requiredOption('--old <path>', 'folder of carriers, or a rule-set file: before')
    .requiredOption('--new <path>', 'the same, changed')
    .option(...lineOption)
    .option('--premium <column>', 'the column with the premium of a policy: sums it next to the counts')
    .option('--as-of <instant>', 'time of evaluation for both versions (default now)')
    .option('--effective-date <date>', 'date on which every policy would begin (default as of book run)')
    .option('--columns <file>', 'JSON: which column is which field, constants, units, columns left aside')
    .option('--format <format>', 'parquet, arrow, csv or ndjson (default by the file)')
    .option('--out <file>', 'write every move, one a line: .csv or .ndjson')
    .option('--rejects <file>', 'where bad rows go (default <file>.rejects.ndjson)')
    .option('--summary <file>', 'write the summary as JSON')
    .option('--page <file>', 'write the summary as a page with charts')
    .option('--json', 'print the summary as JSON')
    .action(async (files: string[], options: DiffOptions) => {
      const { diffBooks } = await import('../book/diff-command.ts');
      await diffBooks(files, options, terminal);
    });
  withBookWords(
    book
      .command('filter')
      .description('Evaluate rows from standard input to standard output, one by one and in order.'),
  )
    .option(
      '--out-format <format>',
      'arrow, csv or ndjson (default the format of the rows: NDJSON unless --format is given)',
    )
    .option('--no-header', 'write CSV without the line that names its columns')
    .action(async (options: FilterOptions) => {
      const { filterBook } = await import('../book/filter-command.ts');
      await filterBook(options, terminal);
    });
  for (const [name, way] of Object.entries(retired))
    book
      .command(name, { hidden: true })
      .argument('[words...]')
      .allowUnknownOption()
      .helpOption(false)
      .action(() => {
        throw retiredError(`leeward book ${name}`, way);
      });
}
