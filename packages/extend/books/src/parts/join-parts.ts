import { createReadStream, existsSync, rmSync } from 'node:fs';
import type { Vocabulary } from '@leeward/engine';
import type { BookCounts } from '../batches/book-counter.ts';
import { BookFileError } from '../source/book-file-error.ts';
import type { ColumnType } from '../source/book-source.ts';
import { createTally, mergeTallies } from '../tally/tally.ts';
import { createStatusWriter } from '../write/create-writer.ts';
import { commonType, type ExtraColumn, valueType, withPlaceNote } from '../write/extra-columns.ts';
import type { ByteSink } from '../write/status-writer.ts';
import type { BookRun } from './book-run.ts';
import { createFinalFile } from './final-file.ts';
import { partFiles, readResult } from './run-part.ts';
import { createBatchCutter, readStoredBatches } from './stored-batches.ts';

/** Options of `joinParts`. */
export interface JoinOptions {
  readonly run: BookRun;
  /** Folder of the parts' files. */
  readonly folder: string;
  readonly vocabulary: Vocabulary;
  /** File of all statuses. @default none */
  readonly output?: string;
  /** File of all rejected rows. Removed if there are none. */
  readonly rejects: string;
}

/** Rows of a batch that is written as Parquet or Arrow: their record batches and row groups depend on it, not on parts. */
const WRITTEN_ROWS = 16_384;

/**
 * Writes the output of all parts in order, and adds up their counts. The bytes do not depend on the parts.
 *
 * @throws {BookFileError} if a part is not complete or was changed.
 *
 * @example
 * const counts = await joinParts({ run, folder: 'statuses.csv.parts', vocabulary: catalog.vocabulary, output: 'statuses.csv', rejects });
 */
export async function joinParts({ run, folder, vocabulary, output, rejects }: JoinOptions): Promise<BookCounts> {
  const results = run.parts.map((_, index) => {
    const result = readResult(index, folder);
    if (!result) throw new BookFileError(`Part ${index} of ${folder} is not complete.`);
    return result;
  });
  const pathsOf = (kind: 'statuses' | 'rejects') => run.parts.map((_, index) => partFiles(index, folder)[kind]);
  if (output !== undefined)
    await writeWhole(output, (sink) => joinStatuses(run, vocabulary, pathsOf('statuses'), sink));
  if (results.some(({ rejectBytes }) => rejectBytes > 0))
    await writeWhole(rejects, (sink) => joinText(pathsOf('rejects'), sink));
  else rmSync(rejects, { force: true });
  const all = results.map(({ counts }) => counts);
  const sum = (of: (counts: BookCounts) => number) => all.reduce((total, counts) => total + of(counts), 0);
  return {
    tally: mergeTallies([createTally(vocabulary, run.carrierKeys.length).counts(), ...all.map(({ tally }) => tally)]),
    rows: sum(({ rows }) => rows),
    rejected: sum(({ rejected }) => rejected),
    effectiveDates: addCounts(all.map(({ effectiveDates }) => effectiveDates)),
    warnings: addCounts(all.map(({ warnings }) => warnings)),
    faults: addCounts(all.map(({ faults }) => faults)),
    openQuestions: {
      openRows: sum(({ openQuestions }) => openQuestions.openRows),
      wouldSettle: addCounts(all.map(({ openQuestions }) => openQuestions.wouldSettle)),
      usefulRows: addCounts(all.map(({ openQuestions }) => openQuestions.usefulRows)),
    },
  };
}

async function writeWhole(path: string, write: (sink: ByteSink) => Promise<void>): Promise<void> {
  const file = createFinalFile(path);
  try {
    await write(file.write);
    file.finish();
  } catch (error) {
    file.discard();
    throw error;
  }
}

async function joinStatuses(run: BookRun, vocabulary: Vocabulary, paths: readonly string[], sink: ByteSink) {
  const { output, carrierKeys, long, share, hasPlaces } = run;
  if (output === 'none') return;
  const isText = output === 'csv' || output === 'ndjson';
  const keep = isText ? run.keep : await typedColumns(run, paths);
  const writer = await createStatusWriter({
    format: output,
    carrierKeys,
    vocabulary,
    extras: withPlaceNote(keep, hasPlaces),
    sink,
    hasHead: (share?.index ?? 1) === 1,
    isLong: long,
  });
  if (isText) {
    // Writes the header.
    await writer.end();
    return joinText(paths, sink);
  }
  const cutter = createBatchCutter(WRITTEN_ROWS, carrierKeys.length, writer.write);
  for (const path of paths) for await (const batch of readStoredBatches(path)) cutter.add(batch);
  cutter.end();
  await writer.end();
}

/** Kept columns with their types. NDJSON has no schema, so the values decide. */
async function typedColumns({ inputs, keep }: BookRun, paths: readonly string[]): Promise<readonly ExtraColumn[]> {
  if (keep.length === 0 || inputs.every(({ format }) => format !== 'ndjson')) return keep;
  const types: (ColumnType | undefined)[] = keep.map(() => undefined);
  for (const path of paths)
    for await (const { extras = [] } of readStoredBatches(path))
      types.forEach((type, column) => {
        const all = new Set(extras[column]!.map(valueType));
        types[column] = [...all].reduce((sum, each) => (each === undefined ? sum : commonType(sum, each)), type);
      });
  return keep.map(({ name }, column) => ({ name, type: types[column] ?? 'text' }));
}

async function joinText(paths: readonly string[], sink: ByteSink): Promise<void> {
  for (const path of paths.filter((each) => existsSync(each)))
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) sink(chunk);
}

function addCounts(all: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const counts of all) for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count);
  return new Map([...sums].sort(([a], [b]) => (a < b ? -1 : 1)));
}
