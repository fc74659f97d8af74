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
import { fittingTable } from '../table/fitting-table.ts';
import type { Terminal } from '../terminal.ts';
import { openBookCarriers } from './book-carriers.ts';
import { type DiffReport, diffReport, type MovedSum } from './diff-report.ts';
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

function writeRest({ rows, rejected }: DiffReport, rejectsName: string, terminal: Terminal): void {
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

/** Maximum rows; `--summary` has all. */
const MAX_ROWS = 20;

/** Changes by move, reason, state, county, policy type and distance. */
function diffTable(report: DiffReport, terminal: Pick<Terminal, 'columns' | 'inColor'>): string {
  const hasPremium = report.moved.premium !== undefined;
  const { policies, answers, premium } = report.moved;
  const money = premium === undefined ? '' : `, ${formatCount(premium)} of premium`;
  const summary =
    report.changed_carriers.length === 0
      ? 'No carrier’s rules differ.\n'
      : `${formatCount(policies)} of ${formatCount(report.rows - report.rejected)} policies are answered differently by some carrier (${formatCount(answers)} answers${money}).\n`;
  if (answers === 0) return summary;
  const section = (title: string, sums: readonly (readonly [string, MovedSum])[]): string => {
    const head = [title, 'answers', ...(hasPremium ? ['premium'] : [])];
    const rows = sums
      .slice(0, MAX_ROWS)
      .map(([name, sum]) => [
        name,
        formatCount(sum.answers),
        ...(sum.premium === undefined ? [] : [formatCount(sum.premium)]),
      ]);
    const aligns = head.map((_, place) => (place === 0 ? 'left' : 'right'));
    const more = sums.length > MAX_ROWS ? `\n… and ${sums.length - MAX_ROWS} more; --summary has all.` : '';
    return `${fittingTable({ head, rows, aligns }, terminal)}${more}`;
  };
  const move = ({ carrier_key: key, before, after }: DiffReport['moves'][number]) => `${key}: ${before} to ${after}`;
  return `${[
    section(
      'move',
      report.moves.map((each) => [move(each), each]),
    ),
    section('reason', Object.entries(report.by_reason)),
    section('state', Object.entries(report.by_state)),
    section('county', Object.entries(report.by_county)),
    section('policy type', Object.entries(report.by_policy_type)),
    section('distance to the coast', Object.entries(report.by_distance_band)),
  ].join('\n')}\n${summary}`;
}
