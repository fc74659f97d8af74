import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  createBookDiff,
  createDiffCounter,
  createFinalFile,
  type FinalFile,
  type Move,
  openBook,
  readColumnMap,
  writeFinalFile,
  writeReject,
} from '@leeward/books';
import { describeRecognized } from '@leeward/rows';
import { CommandError } from '../command-error.ts';
import { formatCount } from '../format-count.ts';
import { openKnownLines } from '../lines/known-lines.ts';
import type { Terminal } from '../terminal.ts';
import { openBookCarriers } from './book-carriers.ts';
import { type DiffReport, diffReport } from './diff-report.ts';
import { diffTable } from './diff-table.ts';
import { type BookWords, bookDates, bookFormat, readColumns } from './make-run.ts';
import { diffPage } from './page/diff-page.ts';
import { createRowReader } from './read-book-row.ts';

export interface DiffOptions
  extends Omit<BookWords, 'carriers' | 'events' | 'reasons' | 'part' | 'parts' | 'keep' | 'long'> {
  readonly old: string;
  readonly new: string;
  readonly premium?: string;
  readonly out?: string;
  readonly rejects?: string;
  readonly summary?: string;
  readonly page?: string;
  readonly json?: boolean;
}

/** Maximum number of listed moves. */
const MAX_SHOWN = 50;

/** `book diff`: policies that two versions answer differently, with reason and premium. */
export async function diffBooks(files: readonly string[], options: DiffOptions, terminal: Terminal): Promise<void> {
  const at = (name: string) => resolve(terminal.folder, name);
  const { out, rejects: rejectsName = `${files[0]}.rejects.ndjson`, summary, page } = options;
  if (out !== undefined && !/\.(csv|ndjson)$/i.test(out))
    throw new CommandError(`--out is ${JSON.stringify(out)}; give a name that ends in .csv or .ndjson.`);
  for (const name of [out, summary, page, rejectsName]) expectFolder(name, at);
  const { asOf, effectiveDate } = bookDates(options, terminal);
  const lines = await openKnownLines(options.line, terminal.folder);
  const older = openBookCarriers(options.old, terminal, lines);
  const newer = openBookCarriers(options.new, terminal, lines);
  const { vocabulary } = newer.carriers;
  const columns = readColumns(options.columns, vocabulary, terminal);
  const format = bookFormat(options.format);
  const moved = out === undefined ? undefined : createFinalFile(at(out));
  const isCsv = out !== undefined && /\.csv$/i.test(out);
  let rejects: FinalFile | undefined;
  const listedMoves: Move[] = [];
  const writeLine = (file: FinalFile | undefined, line: string) => file?.write(Buffer.from(`${line}\n`));
  if (isCsv) writeLine(moved, csvHead);
  const counter = createDiffCounter();
  const keys = new Set<string>();
  try {
    for (const file of files) {
      const source = await openBook(at(file), { name: file, ...(format ? { format } : {}) });
      const diff = createBookDiff({
        older: older.catalog,
        newer: newer.catalog,
        format: source.format,
        name: file,
        ...(columns === null ? {} : { map: readColumnMap(columns, options.columns!, vocabulary) }),
        asOf,
        effectiveDate,
        readRow: createRowReader(asOf, vocabulary, terminal).readRow,
        premium: options.premium,
        counter,
        onMove: (move) => {
          if (listedMoves.length < MAX_SHOWN) listedMoves.push(move);
          writeLine(moved, isCsv ? csvLine(move) : ndjsonLine(move));
        },
        onReject: (row) => {
          rejects ??= createFinalFile(at(rejectsName));
          writeLine(rejects, writeReject(row));
        },
      });
      try {
        for await (const batch of source.batches({ isWanted: diff.isWanted })) await diff.compare(batch);
      } finally {
        await source.close();
      }
      if (source.recognized)
        for (const sentence of describeRecognized(file, source.recognized())) terminal.writeError(`${sentence}\n`);
      for (const key of diff.carrierKeys()) keys.add(key);
    }
    moved?.finish();
    rejects?.finish();
  } catch (error) {
    moved?.discard();
    rejects?.discard();
    throw error;
  }
  const report = diffReport(counter.counts(), {
    files,
    old: options.old,
    new: options.new,
    carrierKeys: [...keys].sort(),
    asOf,
    effectiveDate,
    premium: options.premium,
  });
  const json = `${JSON.stringify(report, null, 2)}\n`;
  if (summary !== undefined) writeFinalFile(at(summary), json);
  if (page !== undefined) writeFinalFile(at(page), diffPage(report, listedMoves));
  terminal.write(options.json ? json : diffTable(report, terminal));
  writeRest(report, rejectsName, terminal);
}

function writeRest({ rows, rejected, judged_twice: twice }: DiffReport, rejectsName: string, terminal: Terminal): void {
  terminal.writeError(
    `${formatCount(twice)} of ${formatCount(rows)} rows lie in a changed region and were evaluated with both.\n`,
  );
  if (rejected > 0)
    terminal.writeError(`${formatCount(rejected)} bad rows are in ${rejectsName}, each with its number.\n`);
  if (rejected === rows) throw new CommandError('No row of the book was compared.');
}

function expectFolder(name: string | undefined, at: (name: string) => string): void {
  if (name === undefined) return;
  if (!statSync(dirname(at(name)), { throwIfNoEntry: false })?.isDirectory())
    throw new CommandError(`There is no folder ${dirname(name)} for ${name}; make it first.`, { exitCode: 2 });
}

function ndjsonLine({
  row,
  line,
  carrierKey,
  policyType,
  before,
  after,
  reasons,
  state,
  county,
  premium,
}: Move): string {
  return JSON.stringify({
    row,
    ...(line === undefined ? {} : { line }),
    carrier_key: carrierKey,
    policy_type: policyType,
    state,
    county,
    before,
    after,
    codes: [...new Set(reasons.map(({ code }) => code))],
    rule_ids: reasons.flatMap(({ ruleId }) => (ruleId === '' ? [] : [ruleId])),
    ...(premium === undefined ? {} : { premium }),
  });
}

const csvHead = 'row,carrier_key,policy_type,state,county,before,after,codes,rule_ids,premium';

function csvLine(move: Move): string {
  const { codes, rule_ids: ids } = JSON.parse(ndjsonLine(move)) as { codes: string[]; rule_ids: string[] };
  const { row, carrierKey, policyType, state, county, before, after, premium = '' } = move;
  const cells = [row, carrierKey, policyType, state, county, before, after, codes.join(' '), ids.join(' '), premium];
  return cells.map((cell) => (/[",]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : cell)).join(',');
}
