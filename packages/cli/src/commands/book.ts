import { statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readAskedAt } from '@leeward/engine/authoring';
import { checkDate } from '@leeward/terms';
import { SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import { type BookRun, runBook } from '../book/run-book.ts';
import { summaryTable } from '../book/summary-table.ts';
import { readCatalog } from '../carriers/carrier-files.ts';
import { demoCarriersFolder } from '../carriers/demo-carriers.ts';
import { CommandError } from '../command-error.ts';
import { lazyDistances } from '../homes/lazy-distances.ts';
import { openHomeRows } from '../homes/open-home-rows.ts';
import { readBookHomes } from '../homes/read-book-homes.ts';
import { createLineFile } from '../rows/line-file.ts';
import type { Terminal } from '../terminal.ts';

/** A book has time to wait for its turn at a geocoder. */
const longestWaitMs = 600_000;

interface BookOptions {
  readonly carriers?: string;
  readonly asOf?: string;
  readonly effectiveDate?: string;
  readonly out?: string;
  readonly rejects?: string;
  readonly summary?: string;
  readonly json?: boolean;
}

export function bookCommand(program: Command, terminal: Terminal): void {
  program
    .command('book')
    .description('Judge a whole book of policies.')
    .command('run')
    .description('Judge every home of a file, and count what carriers say.')
    .argument('<file>', 'homes as requests: NDJSON, an object a line, or CSV with a header of field names')
    .option('--carriers <folder>', 'folder of carriers (LEEWARD_CARRIERS, default the invented ones)')
    .option('--as-of <instant>', 'instant at which the book is judged (default now)')
    .option(
      '--effective-date <date>',
      'date on which every policy would begin (default the date of --as-of in each home’s state)',
    )
    .option('--out <file>', 'write a line a policy: the carriers of each status (NDJSON)')
    .option('--rejects <file>', 'where bad rows go (default <file>.rejects.ndjson)')
    .option('--summary <file>', 'write the summary as JSON')
    .option('--json', 'print the summary as JSON')
    .action((file: string, options: BookOptions) => run(file, options, terminal));
}

async function run(file: string, options: BookOptions, terminal: Terminal): Promise<void> {
  const path = resolve(terminal.folder, file);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) throw new CommandError(`There is no file ${file}; name an NDJSON or CSV file of homes.`);
  const carriers = options.carriers ?? (terminal.environment['LEEWARD_CARRIERS'] || undefined);
  const catalog = readCatalog(carriers ?? demoCarriersFolder(), terminal.folder);
  const needy = catalog.evaluators.find(({ evaluator }) => evaluator === 'reference');
  if (needy) {
    const { carrierKey, version, reason } = needy;
    throw new CommandError(
      `Version ${version} of ${carrierKey} cannot judge books${reason === undefined ? '' : ` (${reason})`}: take it out of the folder, or ask home by home.`,
    );
  }
  const { asOf, effectiveDate } = dates(options, terminal);
  const at = (name: string) => resolve(terminal.folder, name);
  const book = await openHomeRows(path, file);
  const results = options.out === undefined ? undefined : createLineFile(at(options.out));
  const rejectsName = options.rejects ?? `${file}.rejects.ndjson`;
  const rejects = createLineFile(at(rejectsName));
  const cancelled = new AbortController();
  const cancel = () => cancelled.abort();
  process.once('SIGINT', cancel).once('SIGTERM', cancel);
  const bar = terminal.columns === undefined ? undefined : progressBar(stat.size);
  let outcome: BookRun;
  try {
    outcome = await runBook({
      catalog,
      homes: readBookHomes(book.rows, {
        asOf,
        effectiveDate,
        vocabulary: catalog.vocabulary,
        distance: lazyDistances(terminal, { longestWaitMs }),
      }),
      asOf,
      results,
      rejects,
      signal: cancelled.signal,
      onRows: (rows) => bar?.update(book.bytesRead(), { rows: rows.toLocaleString('en-US') }),
    });
  } finally {
    bar?.stop();
    process.off('SIGINT', cancel).off('SIGTERM', cancel);
  }
  const { summary, rejected } = outcome;
  if (outcome.isCancelled) {
    const kept = [results?.keepPartial(), rejects.keepPartial()].filter((each) => each !== undefined);
    const where = kept.length > 0 ? ` What was written is whole lines, in ${kept.join(' and ')}.` : '';
    throw new CommandError(`Cancelled after ${summary.rows.toLocaleString('en-US')} policies.${where}`);
  }
  results?.finish();
  rejects.finish();
  const report = {
    as_of: asOf.toISOString(),
    effective_dates: outcome.effectiveDates,
    rejected,
    warnings: outcome.warnings,
    ...wireSummary(summary),
  };
  if (options.summary !== undefined) writeFileSync(at(options.summary), `${JSON.stringify(report, null, 2)}\n`);
  terminal.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : summaryTable(summary, terminal.inColor));
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  terminal.writeError(
    `${summary.rows.toLocaleString('en-US')} policies judged by ${catalog.carriers.length} carriers: reading and checking ${seconds(outcome.readingMs)} s, judging ${seconds(outcome.judgingMs)} s.\n`,
  );
  terminal.writeError(`As of ${report.as_of}, effective ${Object.keys(outcome.effectiveDates).join(' and ')}.\n`);
  const warned = Object.entries(outcome.warnings).map(([code, number]) => `${code} ${number.toLocaleString('en-US')}`);
  if (warned.length > 0) terminal.writeError(`Warnings: ${warned.join(', ')}.\n`);
  for (const sentence of book.recognized()) terminal.writeError(`${sentence}\n`);
  if (rejected > 0)
    terminal.writeError(`${rejected.toLocaleString('en-US')} bad rows are in ${rejectsName}, each with its line.\n`);
  if (summary.rows === 0) throw new CommandError(`No row of ${file} was judged.`);
}

function dates(
  { asOf, effectiveDate }: BookOptions,
  terminal: Terminal,
): { readonly asOf: Date; readonly effectiveDate: string | undefined } {
  const asked = asOf === undefined ? terminal.now().getTime() : readAskedAt(asOf)?.asOfMs;
  if (asked === undefined) {
    throw new CommandError(
      `--as-of is "${asOf}"; give a date like 2026-11-20, or an instant like 2026-11-20T12:00:00Z.`,
    );
  }
  const date = effectiveDate === undefined ? { value: undefined } : checkDate('--effective-date', effectiveDate);
  if (!('value' in date)) throw new CommandError(date.message);
  return { asOf: new Date(asked), effectiveDate: date.value };
}

function wireSummary(summary: BookRun['summary']): Record<string, unknown> {
  return {
    policies: summary.rows,
    by_carrier: summary.byCarrier,
    by_state: summary.byState,
    by_policy_type: summary.byPolicyType,
    by_reason: summary.byReason,
    by_reason_and_carrier: summary.byReasonAndCarrier,
  };
}

function progressBar(bytes: number): SingleBar {
  const bar = new SingleBar({
    format: '{bar} {percentage} % | {rows} policies | {eta_formatted} left',
    hideCursor: true,
  });
  bar.start(bytes, 0, { rows: '0' });
  return bar;
}
