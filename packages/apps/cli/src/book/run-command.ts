import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import {
  type BookPlan,
  mergeParts,
  partFiles,
  readMarker,
  removeFolder,
  removeWorking,
  writeFinalFile,
  writePlan,
} from '@leeward/books';
import type { SingleBar } from 'cli-progress';
import { CommandError } from '../command-error.ts';
import { openKnownLines } from '../lines/known-lines.ts';
import type { Terminal } from '../terminal.ts';
import { carriersFolder, noteUnknownEvents, openBookCarriers } from './book-carriers.ts';
import { type BookReport, bookReport, describeDates } from './book-report.ts';
import { type BookWords, makePlan, wholeNumber } from './make-plan.ts';
import { createRowReader } from './read-book-row.ts';
import { runParts } from './run-parts.ts';
import { outputFormat } from './status-format.ts';
import { summaryTable } from './summary-table.ts';

export interface RunOptions extends BookWords {
  readonly out?: string;
  readonly outFormat?: string;
  readonly rejects?: string;
  readonly summary?: string;
  readonly page?: string;
  readonly json?: boolean;
  readonly threads?: string;
  readonly restart?: boolean;
  readonly queue?: string;
}

/** `book run`: plan, all parts, merge. Resumes a stopped run. */
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
  const plan = await makePlan({
    files,
    words: options,
    output,
    book,
    line: lines.optionText,
    terminal,
  });
  const work = options.out === undefined ? mkdtempSync(join(tmpdir(), 'leeward-book-')) : `${at(options.out)}.parts`;
  if (options.queue !== undefined && options.out === undefined)
    throw new CommandError('With --queue workers write parts beside the output: name it with --out.');
  const removeWork = () =>
    options.out === undefined ? rmSync(work, { recursive: true, force: true }) : removeFolder(work);
  if (options.out !== undefined) prepareWork(work, plan, `${options.out}.parts`, options);
  const missing = plan.parts.flatMap((_, index) => (readMarker(plan, index, work) ? [] : [index]));
  const total = plan.inputs.reduce((sum, { rows }) => sum + rows, 0);
  const missingRows = missing.reduce((sum, index) => sum + plan.parts[index]!.slice.rows, 0);
  const threads = options.threads === undefined ? usualThreads(missingRows) : wholeNumber('--threads', options.threads);
  const cancelled = new AbortController();
  const cancel = () => cancelled.abort();
  process.once('SIGINT', cancel).once('SIGTERM', cancel);
  const bar = terminal.columns === undefined ? undefined : await progressBar(total, total - missingRows);
  const evaluationBegan = performance.now();
  try {
    const onRows = (rows: number) => bar?.increment(rows);
    if (options.queue !== undefined) {
      const { runPartsByQueue } = await import('./book-queue.ts');
      await runPartsByQueue(options.queue, plan, work, cancelled.signal, onRows);
    } else
      await runParts({
        plan,
        indexes: missing,
        work,
        threads,
        carriers,
        carriersFolder: folder,
        rows: createRowReader(new Date(plan.asOf), vocabulary, terminal),
        terminal,
        signal: cancelled.signal,
        onRows,
      });
  } catch (error) {
    const isKept = options.out !== undefined && (options.queue !== undefined || isBegun(plan, work));
    if (!isKept) removeWork();
    if (!cancelled.signal.aborted) throw error;
    const way = isKept ? ` Finished parts are in ${options.out}.parts: repeat the command to continue.` : '';
    throw new CommandError(`Cancelled.${way}`);
  } finally {
    bar?.stop();
    process.off('SIGINT', cancel).off('SIGTERM', cancel);
  }
  const rejectsName = options.rejects ?? `${files[0]}.rejects.ndjson`;
  const counts = await mergeParts({
    plan,
    folder: work,
    vocabulary,
    ...(options.out === undefined ? {} : { output: at(options.out) }),
    rejects: at(rejectsName),
  });
  removeWork();
  removeWorking(at(rejectsName));
  const report = bookReport(counts, plan, vocabulary);
  const json = `${JSON.stringify(report, null, 2)}\n`;
  if (options.summary !== undefined) writeWhole(at(options.summary), json);
  if (options.page !== undefined) {
    const { summaryPage } = await import('./page/summary-page.ts');
    writeWhole(at(options.page), summaryPage(report, files));
  }
  const evaluatedRows = counts.rows - counts.rejected;
  if (options.json) terminal.write(json);
  else if (evaluatedRows > 0) terminal.write(summaryTable(report, terminal));
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  terminal.writeError(
    `${evaluatedRows.toLocaleString('en-US')} policies evaluated for ${carrierKeys.length} carriers in ${seconds(performance.now() - began)} s (counting the book ${seconds(evaluationBegan - began)} s).\n`,
  );
  const dates = describeDates(report);
  terminal.writeError(`As of ${report.as_of}${dates === '' ? '' : `, effective ${dates}`}.\n`);
  noteUnknownEvents(book.catalog, plan.events !== undefined, terminal);
  const warned = Object.entries(report.warnings).map(([code, number]) => `${code} ${number.toLocaleString('en-US')}`);
  if (warned.length > 0) terminal.writeError(`Warnings: ${warned.join(', ')}.\n`);
  if (counts.rejected > 0)
    terminal.writeError(
      `${counts.rejected.toLocaleString('en-US')} bad rows are in ${rejectsName}, each with its number: ${describeFrequentFaults(report)}.\n`,
    );
  if (evaluatedRows === 0) throw new CommandError(`No row of ${files.join(', ')} was evaluated.`);
}

/** Frequent faults, which reveal an unusable column. */
function describeFrequentFaults({ faults }: BookReport): string {
  const all = Object.entries(faults);
  const faultLines = all.slice(0, 5).map(([name, number]) => `${name} ${number.toLocaleString('en-US')}`);
  return `${faultLines.join(', ')}${all.length > faultLines.length ? ' …' : ''}`;
}

/** Threads start slower than fewer rows take. */
const ROWS_A_THREAD = 200_000;

function usualThreads(rows: number): number {
  return Math.max(1, Math.min(availableParallelism(), Math.floor(rows / ROWS_A_THREAD)));
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

/** True if a part is done. Otherwise the folder would only block a corrected run. */
function isBegun(plan: BookPlan, work: string): boolean {
  return plan.parts.some((_, index) => existsSync(partFiles(plan, index, work).marker));
}

/** A new folder, or that of the stopped run. */
function prepareWork(work: string, plan: BookPlan, name: string, { restart, asOf }: RunOptions): void {
  const path = join(work, 'plan.json');
  const text = writePlan(plan);
  if (restart) removeFolder(work);
  else if (existsSync(path) && readFileSync(path, 'utf8') !== text) {
    const hint = asOf === undefined ? ' (without --as-of each run uses the current time)' : '';
    throw new CommandError(
      `${name} was begun with another book, other carriers, other dates or other events${hint}: go on as it was begun, or begin anew with --restart.`,
    );
  }
  mkdirSync(work, { recursive: true });
  writeFinalFile(path, text);
}

function writeWhole(path: string, text: string): void {
  writeFinalFile(path, text);
  removeWorking(path);
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
