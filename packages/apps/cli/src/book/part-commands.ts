import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import {
  BookFileError,
  type BookPlan,
  hashFile,
  mergeParts,
  partFiles,
  readMarker,
  readPlan,
  removeWorking,
  runPart,
  writeFinalFile,
  writePlan,
} from '@leeward/books';
import { ENGINE_VERSION } from '@leeward/engine/compiled';
import { CommandError } from '../command-error.ts';
import { openKnownLines } from '../lines/known-lines.ts';
import type { Terminal } from '../terminal.ts';
import { carriersFolder, noteUnknownEvents, openBookCarriers } from './book-carriers.ts';
import { bookReport } from './book-report.ts';
import { type BookWords, makePlan } from './make-plan.ts';
import { createRowReader } from './read-book-row.ts';
import { statusFormatOf } from './status-format.ts';
import { summaryTable } from './summary-table.ts';

/** A plan, and the folder of its carriers. */
export function planIn(folder: string): BookPlan {
  const path = join(folder, 'plan.json');
  return readPlan(readFileSync(path, 'utf8'), path);
}

export interface PlanOptions extends BookWords {
  readonly out: string;
  readonly outFormat?: string;
}

/** `book plan`: splits a book into parts for any machine. */
export async function planCommand(files: readonly string[], options: PlanOptions, terminal: Terminal): Promise<void> {
  const folder = resolve(terminal.folder, options.out);
  const lines = await openKnownLines(options.line, terminal.folder);
  const book = openBookCarriers(carriersFolder(options.carriers, terminal, lines), terminal, lines);
  const output = statusFormatOf(options.outFormat ?? 'parquet', '--out-format');
  const plan = await makePlan({
    files,
    words: options,
    output,
    book,
    line: lines.optionText,
    terminal,
  });
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'plan.json');
  const text = writePlan(plan);
  if (existsSync(path) && readFileSync(path, 'utf8') !== text)
    throw new CommandError(
      `${options.out} holds the plan of another book, other carriers, other dates or other events: name another --out.`,
    );
  writeFinalFile(path, text);
  removeWorking(path);
  const rows = plan.inputs.reduce((sum, input) => sum + input.rows, 0);
  terminal.write(
    `${plan.parts.length} parts of ${rows.toLocaleString('en-US')} rows: leeward book part --plan ${path} --index 0 … ${plan.parts.length - 1}\n`,
  );
  noteUnknownEvents(book.catalog, plan.events !== undefined, terminal);
}

export interface PartOptions {
  readonly plan: string;
  readonly index?: string;
  readonly carriers?: string;
  readonly trustInputs?: boolean;
}

/** `book part`: evaluates one part of a plan. */
export async function partCommand(options: PartOptions, terminal: Terminal): Promise<void> {
  const path = resolve(terminal.folder, options.plan);
  const plan = readPlan(readFileSync(path, 'utf8'), options.plan);
  const index = partIndex(options.index, terminal.environment);
  const marker = await runPartOf(plan, dirname(path), index, options, terminal);
  terminal.write(
    `Part ${index}: ${marker.rows.toLocaleString('en-US')} rows, ${marker.rejected.toLocaleString('en-US')} rejected.\n`,
  );
}

/** Cached between parts: carriers, and verified books. */
export interface KeptForParts {
  opened?: ReturnType<typeof openBookCarriers>;
  readonly hashes: Map<string, string>;
}

/** Verifies the inputs and evaluates a part. Writes an error next to it. */
export async function runPartOf(
  plan: BookPlan,
  folder: string,
  index: number,
  { carriers: carriersPath, trustInputs }: Pick<PartOptions, 'carriers' | 'trustInputs'>,
  terminal: Pick<Terminal, 'environment' | 'folder'>,
  cache: KeptForParts = { hashes: new Map() },
) {
  try {
    if (cache.opened?.sha256 !== plan.catalogSha256) {
      const lines = await openKnownLines(plan.line, terminal.folder);
      cache.opened = openBookCarriers(carriersFolder(carriersPath, terminal, lines), terminal, lines);
    }
    const { carriers, sha256 } = cache.opened;
    expectTerms(plan, sha256);
    const part = plan.parts[index];
    if (!part) throw new BookFileError(`There is no part ${index}; the plan has ${plan.parts.length}, from 0.`);
    await expectInput(plan, part.input, trustInputs ?? false, cache.hashes);
    const rows = createRowReader(new Date(plan.asOf), carriers.vocabulary, terminal);
    return await runPart({ plan, index, folder, carriers, ...rows });
  } catch (error) {
    const { mistakeOf } = await import('../user-mistake.ts');
    const message = mistakeOf(error, terminal.folder)?.message;
    if (message !== undefined && plan.parts[index] && existsSync(folder))
      writeFinalFile(partFiles(plan, index, folder).failure, `${JSON.stringify({ part: index, message })}\n`);
    throw error;
  }
}

/** Index from the task of a scheduler's array. */
function partIndex(indexText: string | undefined, environment: Terminal['environment']): number {
  const names = ['JOB_COMPLETION_INDEX', 'AWS_BATCH_JOB_ARRAY_INDEX', 'SLURM_ARRAY_TASK_ID'];
  const sequence = environment['PARALLEL_SEQ'];
  // GNU parallel counts from 1.
  const text =
    indexText ?? names.map((name) => environment[name]).find(Boolean) ?? (sequence && String(Number(sequence) - 1));
  if (text !== undefined && /^\d{1,7}$/.test(text)) return Number(text);
  throw new CommandError(
    `The part is missing. Give --index, or one of ${[...names, 'PARALLEL_SEQ'].join(', ')}; parts are counted from 0${text === undefined ? '' : `, and ${JSON.stringify(text)} is not a part`}.`,
  );
}

function expectTerms(plan: BookPlan, catalogSha256: string | undefined): void {
  if (plan.engineVersion !== ENGINE_VERSION)
    throw new BookFileError(
      `The plan was made with engine ${plan.engineVersion}, and this is ${ENGINE_VERSION}: use one version for all parts, or make the plan anew.`,
    );
  if (catalogSha256 !== undefined && plan.catalogSha256 !== catalogSha256)
    throw new BookFileError(
      'The carriers are not those of the plan: their rule sets were changed. Name the right --carriers, or make the plan anew.',
    );
}

async function expectInput(
  plan: BookPlan,
  place: number,
  isTrusted: boolean,
  hashes = new Map<string, string>(),
): Promise<void> {
  const { file, bytes, sha256 } = plan.inputs[place]!;
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new BookFileError(`${file}, a book of the plan, is not there.`);
  const key = `${file} ${stats.size} ${stats.mtimeMs} ${stats.ino}`;
  if (!isTrusted && stats.size === bytes && !hashes.has(key)) hashes.set(key, (await hashFile(file)).sha256);
  const isSame = stats.size === bytes && (isTrusted || hashes.get(key) === sha256);
  if (!isSame) throw new BookFileError(`${file} was changed since the plan was made: make the plan anew.`);
}

/** `book status`: progress of a plan. */
export function statusCommand(planPath: string, options: { readonly json?: boolean }, terminal: Terminal): void {
  const folder = resolve(terminal.folder, planPath);
  const plan = planIn(folder);
  const done: { rows: number; atMs: number }[] = [];
  const failed: { part: number; message: string }[] = [];
  plan.parts.forEach((_, index) => {
    const files = partFiles(plan, index, folder);
    const marker = readMarker(plan, index, folder);
    if (marker) done.push({ rows: marker.rows, atMs: statSync(files.marker).mtimeMs });
    else if (existsSync(files.failure))
      failed.push(JSON.parse(readFileSync(files.failure, 'utf8')) as (typeof failed)[number]);
  });
  const rows = plan.inputs.reduce((sum, input) => sum + input.rows, 0);
  const rowsDone = done.reduce((sum, part) => sum + part.rows, 0);
  const seconds = (Math.max(...done.map(({ atMs }) => atMs)) - statSync(join(folder, 'plan.json')).mtimeMs) / 1000;
  const rate = done.length > 0 && seconds > 0 ? rowsDone / seconds : undefined;
  const status = {
    parts: plan.parts.length,
    parts_done: done.length,
    rows,
    rows_done: rowsDone,
    rows_per_second: rate === undefined ? null : Math.round(rate),
    seconds_left: rate === undefined ? null : Math.ceil((rows - rowsDone) / rate),
    failed,
  };
  if (options.json) {
    terminal.write(`${JSON.stringify(status, null, 2)}\n`);
    return;
  }
  const speed =
    rate === undefined
      ? ''
      : `, ${Math.round(rate).toLocaleString('en-US')} rows a second since the plan was made, ${status.seconds_left} s left`;
  terminal.write(
    `${done.length} of ${plan.parts.length} parts, ${rowsDone.toLocaleString('en-US')} of ${rows.toLocaleString('en-US')} rows${speed}.\n`,
  );
  for (const { part, message } of failed) terminal.write(`Part ${part} failed: ${message}\n`);
}

export interface MergeOptions {
  readonly out?: string;
  readonly rejects?: string;
  readonly summary?: string;
  readonly page?: string;
  readonly carriers?: string;
  readonly json?: boolean;
  readonly trustInputs?: boolean;
}

/** `book merge`: sums parts, joins files, and marks the book as done. */
export async function mergeCommand(planPath: string, options: MergeOptions, terminal: Terminal): Promise<void> {
  const at = (name: string) => resolve(terminal.folder, name);
  const folder = at(planPath);
  const plan = planIn(folder);
  const lines = await openKnownLines(plan.line, terminal.folder);
  const { carriers, sha256 } = openBookCarriers(carriersFolder(options.carriers, terminal, lines), terminal, lines);
  expectTerms(plan, sha256);
  for (const place of plan.inputs.keys()) await expectInput(plan, place, options.trustInputs ?? false);
  const { vocabulary } = carriers;
  const output = options.out === undefined ? {} : { output: at(options.out) };
  const rejects = at(options.rejects ?? join(planPath, 'rejects.ndjson'));
  const counts = await mergeParts({ plan, folder, vocabulary, ...output, rejects });
  const report = bookReport(counts, plan, vocabulary);
  const json = `${JSON.stringify(report, null, 2)}\n`;
  writeFinalFile(options.summary === undefined ? join(folder, 'summary.json') : at(options.summary), json);
  if (options.page !== undefined) {
    const { summaryPage } = await import('./page/summary-page.ts');
    const names = plan.inputs.map(({ file }) => basename(file));
    writeFinalFile(at(options.page), summaryPage(report, names));
  }
  if (counts.rejected === counts.rows) throw new CommandError('No row of the book was evaluated.');
  writeFinalFile(join(folder, '_SUCCESS'), '');
  for (const name of [options.out, options.summary, options.page, rejects, join(folder, basename(folder))])
    if (name !== undefined) removeWorking(at(name));
  terminal.write(options.json ? json : summaryTable(report, terminal));
}
