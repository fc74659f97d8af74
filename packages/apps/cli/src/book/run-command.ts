import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';
import {
  type BookFormat,
  type BookRun,
  bookFormats,
  joinParts,
  readResult,
  type StatusCounts,
  type StatusFormat,
  writeFinalFile,
} from '@leeward/books';
import type { Vocabulary } from '@leeward/engine';
import { labelOf } from '@leeward/engine/vocabulary';
import { wordOf, writeTime, writeWord } from '@leeward/terms';
import type { SingleBar } from 'cli-progress';
import { CommandError } from '../command-error.ts';
import { openKnownLines } from '../lines/known-lines.ts';
import { fittingTable } from '../table/fitting-table.ts';
import type { Terminal } from '../terminal.ts';
import { carriersFolder, noteUnknownEvents, openBookCarriers } from './book-carriers.ts';
import { type BookReport, bookReport, describeDates, describeSample } from './book-report.ts';
import { type BookWords, makeRun, shareOf, wholeNumber } from './make-run.ts';
import type { QueriedBook } from './query-book.ts';
import { createRowReader } from './read-book-row.ts';
import { runParts } from './run-parts.ts';

export interface RunOptions extends BookWords {
  readonly out?: string;
  readonly outFormat?: string;
  readonly rejects?: string;
  readonly summary?: string;
  readonly page?: string;
  readonly json?: boolean;
  readonly threads?: string;
  readonly restart?: boolean;
  readonly sql?: string;
  readonly sqlSetup?: string;
}

/** `book run`: evaluates the parts of a book on threads, then joins them. Resumes a stopped run. */
export async function runBook(files: readonly string[], options: RunOptions, terminal: Terminal): Promise<void> {
  const at = (name: string) => resolve(terminal.folder, name);
  for (const name of [options.out, options.summary, options.page, options.rejects]) expectFolder(name, at);
  const lines = await openKnownLines(options.line, terminal.folder);
  const folder = carriersFolder(options.carriers, terminal, lines);
  const book = openBookCarriers(folder, terminal, lines);
  const { carriers } = book;
  const { carrierKeys, vocabulary } = carriers;
  const output = options.out === undefined ? 'none' : outputFormat(options.out, options.outFormat);
  const began = performance.now();
  const work = options.out === undefined ? mkdtempSync(join(tmpdir(), 'leeward-book-')) : `${at(options.out)}.parts`;
  const removeWork = () => rmSync(work, { recursive: true, force: true });
  if (options.restart && options.out !== undefined) removeWork();
  const query = await queryOf(files, options, work, terminal);
  const run = await makeRun({ files, query, words: options, output, book, line: lines.optionText, terminal });
  if (options.out !== undefined) prepareWork(work, run, `${options.out}.parts`, options);
  const missing = run.parts.flatMap((_, index) => (readResult(index, work) ? [] : [index]));
  const rowsOf = (indexes: Iterable<number>) =>
    [...indexes].reduce((sum, index) => sum + run.parts[index]!.slice.rows, 0);
  const [total, missingRows] = [rowsOf(run.parts.keys()), rowsOf(missing)];
  const threads =
    options.threads === undefined ? usualThreads(missingRows, run.long) : wholeNumber('--threads', options.threads);
  const cancelled = new AbortController();
  const cancel = () => cancelled.abort();
  process.once('SIGINT', cancel).once('SIGTERM', cancel);
  const bar = terminal.columns === undefined ? undefined : await progressBar(total, total - missingRows);
  const evaluationBegan = performance.now();
  try {
    await runParts({
      run,
      indexes: missing,
      work,
      threads,
      carriers,
      carriersFolder: folder,
      rows: createRowReader(new Date(run.asOf), vocabulary, terminal),
      terminal,
      signal: cancelled.signal,
      onRows: (rows) => bar?.increment(rows),
    });
  } catch (error) {
    const isKept = options.out !== undefined && run.parts.some((_, index) => readResult(index, work));
    if (!isKept) removeWork();
    if (!cancelled.signal.aborted) throw error;
    const way = isKept ? ` Finished parts are in ${options.out}.parts: repeat the command to continue.` : '';
    throw new CommandError(`Cancelled.${way}`);
  } finally {
    bar?.stop();
    process.off('SIGINT', cancel).off('SIGTERM', cancel);
  }
  const rejectsName = options.rejects ?? usualRejects(files[0] ?? options.out ?? 'query', run);
  const counts = await joinParts({
    run,
    folder: work,
    vocabulary,
    ...(options.out === undefined ? {} : { output: at(options.out) }),
    rejects: at(rejectsName),
  });
  removeWork();
  const report = bookReport(counts, run, vocabulary);
  const json = `${JSON.stringify(report, null, 2)}\n`;
  if (options.summary !== undefined) writeFinalFile(at(options.summary), json);
  if (options.page !== undefined) {
    const { summaryPage } = await import('./page/summary-page.ts');
    writeFinalFile(
      at(options.page),
      summaryPage(
        report,
        run.inputs.map(({ name }) => name),
      ),
    );
  }
  const evaluatedRows = counts.rows - counts.rejected;
  if (options.json) terminal.write(json);
  else if (evaluatedRows > 0) terminal.write(summaryTable(report, vocabulary, terminal));
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  terminal.writeError(
    `${evaluatedRows.toLocaleString('en-US')} policies evaluated for ${carrierKeys.length} carriers in ${seconds(performance.now() - began)} s (counting the book ${seconds(evaluationBegan - began)} s).\n`,
  );
  const dates = describeDates(report);
  terminal.writeError(`As of ${writeTime(report.as_of)}${dates === '' ? '' : `, effective ${dates}`}.\n`);
  noteUnknownEvents(book.catalog, run.events !== undefined, terminal);
  const warned = Object.entries(report.warnings).map(
    ([code, number]) => `${wordOf('reason', code)} ${number.toLocaleString('en-US')}`,
  );
  if (warned.length > 0) terminal.writeError(`Warnings: ${warned.join(', ')}.\n`);
  if (counts.rejected > 0)
    terminal.writeError(
      `${counts.rejected.toLocaleString('en-US')} bad rows are in ${rejectsName}, each with its number: ${describeFrequentFaults(report, vocabulary)}.\n`,
    );
  // Slices of an array job may be empty.
  const isEmptySlice = run.share !== undefined && counts.rows === 0;
  if (evaluatedRows === 0 && !isEmptySlice)
    throw new CommandError(`No row of ${run.inputs.map(({ name }) => name).join(', ')} was evaluated.`);
}

/** Frequent faults, which reveal an unusable column. */
function describeFrequentFaults({ faults }: BookReport, vocabulary: Vocabulary): string {
  const all = Object.entries(faults);
  const faultLines = all.slice(0, 5).map(([name, number]) => {
    const [path = '', code = ''] = name.split(' ');
    const field = path === '' ? '' : `${labelOf(path, vocabulary)} `;
    return `${field}${wordOf('reason', code)} ${number.toLocaleString('en-US')}`;
  });
  return `${faultLines.join(', ')}${all.length > faultLines.length ? ' …' : ''}`;
}

/** The rows of `--sql`; undefined if the book is files. */
async function queryOf(
  files: readonly string[],
  { sql, sqlSetup, part }: RunOptions,
  work: string,
  terminal: Terminal,
): Promise<QueriedBook | undefined> {
  if (sql === undefined && files.length > 0) return undefined;
  if (sql === undefined || files.length > 0)
    throw new CommandError('Name the files of the book, or give a query with --sql, not both.', { exitCode: 2 });
  const { queryBook } = await import('./query-book.ts');
  return queryBook({ sql, setup: sqlSetup, share: shareOf(part) }, work, terminal.folder);
}

/** The slices of an array job must not share a file. */
function usualRejects(file: string, { share }: BookRun): string {
  return `${file}${share ? `.part-${share.index}-of-${share.count}` : ''}.rejects.ndjson`;
}

/** Threads start slower than fewer rows take. */
const ROWS_A_THREAD = 200_000;
const LONG_ROWS_A_THREAD = 8000;

function usualThreads(rows: number, isLong: boolean): number {
  return Math.max(
    1,
    Math.min(availableParallelism(), Math.floor(rows / (isLong ? LONG_ROWS_A_THREAD : ROWS_A_THREAD))),
  );
}

function expectFolder(name: string | undefined, at: (name: string) => string): void {
  if (name === undefined) return;
  const folder = dirname(at(name));
  const stats = statSync(at(name), { throwIfNoEntry: false });
  if (stats && !stats.isFile())
    throw new CommandError(`${name} is not a file; name another output file.`, { exitCode: 2 });
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new CommandError(`There is no folder ${dirname(name)} for ${name}; make it first.`, { exitCode: 2 });
}

/** A new folder, or that of the stopped run. */
function prepareWork(work: string, run: BookRun, name: string, { asOf }: RunOptions): void {
  const path = join(work, 'run.json');
  const text = `${JSON.stringify(run)}\n`;
  if (existsSync(path) && readFileSync(path, 'utf8') !== text) {
    const hint = asOf === undefined ? ' (without --as-of each run uses the current time)' : '';
    throw new CommandError(
      `${name} was begun with another book, other carriers, other dates or other options${hint}: go on as it was begun, or begin anew with --restart.`,
    );
  }
  mkdirSync(work, { recursive: true });
  writeFinalFile(path, text);
}

async function progressBar(rows: number, done: number): Promise<SingleBar> {
  const { SingleBar } = await import('cli-progress');
  const began = performance.now();
  const bar = new SingleBar({
    format: (_, { value, total, eta }) => {
      const share = total === 0 ? 1 : value / total;
      const rate = (value - done) / Math.max(0.001, (performance.now() - began) / 1000);
      const filled = Math.round(30 * share);
      const left = Number.isFinite(eta) && eta > 0 ? `${Math.ceil(eta)} s left` : '';
      return `${'█'.repeat(filled)}${'░'.repeat(30 - filled)} ${Math.floor(100 * share)} % | ${value.toLocaleString('en-US')} policies | ${Math.round(rate).toLocaleString('en-US')}/s | ${left}`;
    },
    hideCursor: true,
  });
  bar.start(rows, done);
  return bar;
}

/** The requested format, by file name extension, or NDJSON. */
function outputFormat(file: string, format: string | undefined): StatusFormat {
  if (format !== undefined) {
    if ((bookFormats as readonly string[]).includes(format)) return format as BookFormat;
    throw new CommandError(`--out-format is ${JSON.stringify(format)}; give one of: ${bookFormats.join(', ')}.`);
  }
  const ending = extname(file).slice(1).toLowerCase();
  return (bookFormats as readonly string[]).includes(ending) ? (ending as BookFormat) : 'ndjson';
}

const columns = ['eligible', 'referral', 'needs_information', 'ineligible', 'not_offered'] as const;

/** Fields that are listed; the JSON has all. */
const MAX_QUESTIONS = 10;

/** Summary by carrier, state and policy type, with decline reasons if counted. */
function summaryTable(
  report: BookReport,
  vocabulary: Vocabulary,
  terminal: Pick<Terminal, 'columns' | 'inColor'>,
): string {
  const section = (title: string, counts: readonly (readonly [string, StatusCounts])[]): string => {
    const head = [title, ...columns.map((name) => wordOf('status', name))];
    const rows = counts.map(([key, each]) => [key, ...columns.map((name) => print(each[name]))]);
    return fittingTable({ head, rows, aligns: ['left', ...columns.map(() => 'right' as const)] }, terminal);
  };
  const sections = [
    section(
      'carrier',
      report.carriers.map(({ carrier_key: key, counts }) => [key, counts]),
    ),
    section(
      'state',
      Object.entries(report.by_state).map(([code, counts]) => [code.toUpperCase(), counts]),
    ),
    section(
      'policy type',
      Object.entries(report.by_policy_type).map(([type, counts]) => [writeWord(type), counts]),
    ),
  ];
  const questions = Object.entries(report.open_questions.would_settle);
  if (questions.length > 0) {
    const head = [`missing field (${describeSample(report)})`, 'policies × carriers it would settle alone'];
    const rows = questions.slice(0, MAX_QUESTIONS).map(([field, count]) => [labelOf(field, vocabulary), print(count)]);
    sections.push(fittingTable({ head, rows, aligns: ['left', 'right'] }, terminal));
  }
  if (report.by_reason) {
    const head = ['declined for', 'policies × carriers'];
    const rows = Object.entries(report.by_reason).map(([code, count]) => [wordOf('reason', code), print(count)]);
    sections.push(fittingTable({ head, rows, aligns: ['left', 'right'] }, terminal));
  }
  return `${sections.join('\n')}\n`;
}

function print(count: number): string {
  return count.toLocaleString('en-US');
}
