import type { Command } from 'commander';
import type { DiffOptions } from '../book/diff-command.ts';
import type { FilterOptions } from '../book/filter-command.ts';
import type { MergeOptions, PartOptions, PlanOptions } from '../book/part-commands.ts';
import type { RunOptions } from '../book/run-command.ts';
import { eventsOption } from '../homes/read-events.ts';
import { lineOption } from '../lines/known-lines.ts';
import type { Terminal } from '../terminal.ts';

// Loaded on demand: reading one of them takes as long as evaluating a small book.
const parts = () => import('../book/part-commands.ts');

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
    .option('--format <format>', 'parquet, arrow, csv or ndjson (default by the file)');
}

export function bookCommand(book: Command, terminal: Terminal): void {
  withBookWords(
    book
      .command('run')
      .description('Evaluate every home of a book and count the answers of carriers.')
      .argument('<files...>', 'homes: Parquet, Arrow, NDJSON, or CSV with a header of field names'),
  )
    .option('--out <file>', 'write a status for every row and carrier: .parquet, .arrow, .csv or .ndjson')
    .option('--out-format <format>', 'how --out is written (default by its ending)')
    .option('--rejects <file>', 'where bad rows go (default <file>.rejects.ndjson)')
    .option('--summary <file>', 'write the summary as JSON')
    .option('--page <file>', 'write the summary as a page with charts')
    .option('--json', 'print the summary as JSON')
    .option('--threads <number>', 'threads of this machine (default all cores)')
    .option('--parts <number>', 'parts of the book (default by its rows)')
    .option('--queue <url>', 'let leeward worker --books take the parts: redis://… or postgres://…')
    .option('--restart', 'begin anew where another run was stopped')
    .action(async (files: string[], options: RunOptions) => {
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
  withBookWords(
    book
      .command('plan')
      .description('Cut a book into parts that any scheduler can run.')
      .argument('<files...>', 'homes, as of book run'),
  )
    .requiredOption('--out <folder>', 'where the plan is written, and its parts will be')
    .option('--out-format <format>', 'how parts write statuses: parquet, arrow, csv or ndjson', 'parquet')
    .option('--parts <number>', 'parts of the book (default by its rows)')
    .action(async (files: string[], options: PlanOptions) => (await parts()).planCommand(files, options, terminal));
  book
    .command('part')
    .description('Evaluate one part of a plan. Every run writes the same bytes.')
    .requiredOption('--plan <file>', 'the plan.json of book plan')
    .option(
      '--index <number>',
      'which part, from 0 (JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX, SLURM_ARRAY_TASK_ID; PARALLEL_SEQ, from 1)',
    )
    .option('--carriers <folder>', 'folder of carriers, the same as of the plan (LEEWARD_CARRIERS)')
    .option('--trust-inputs', 'look at the size of the book only, not at its hash')
    .action(async (options: PartOptions) => (await parts()).partCommand(options, terminal));
  book
    .command('status')
    .description('Show the progress and failures of the parts of a plan.')
    .argument('<folder>', 'the folder of the plan')
    .option('--json', 'print as JSON')
    .action(async (folder: string, options: { readonly json?: boolean }) =>
      (await parts()).statusCommand(folder, options, terminal),
    );
  book
    .command('merge')
    .description('Add up the parts of a plan: every row answered exactly once, or what is missing is named.')
    .argument('<folder>', 'the folder of the plan')
    .option('--out <file>', 'put the statuses of all parts into one file')
    .option('--rejects <file>', 'where bad rows go (default rejects.ndjson in the folder)')
    .option('--summary <file>', 'where the summary goes (default summary.json in the folder)')
    .option('--page <file>', 'write the summary as a page with charts')
    .option('--carriers <folder>', 'folder of carriers, the same as of the plan (LEEWARD_CARRIERS)')
    .option('--json', 'print the summary as JSON')
    .option('--trust-inputs', 'look at the size of the book only, not at its hash')
    .action(async (folder: string, options: MergeOptions) => (await parts()).mergeCommand(folder, options, terminal));
}
