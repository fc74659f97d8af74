import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { BookCarriers } from '../batches/book-carriers.ts';
import type { BookCounts } from '../batches/book-counter.ts';
import { createBookEvaluator } from '../batches/book-evaluator.ts';
import { createRowMeasuring, type MeasurePlaces } from '../batches/measure-rows.ts';
import { type ReadRow, writeReject } from '../batches/single-rows.ts';
import { ignoreExtraColumns, noColumnMap, readColumnMap } from '../columns/column-map.ts';
import { openBook } from '../open-book.ts';
import { BookFileError } from '../source/book-file-error.ts';
import { rowsWithin } from '../source/book-source.ts';
import { sliceBatch } from '../source/raw-batch.ts';
import { createStatusWriter } from '../write/create-writer.ts';
import { createExtraColumns, withPlaceNote } from '../write/extra-columns.ts';
import type { BookRun } from './book-run.ts';
import { createFinalFile, type FinalFile, writeFinalFile } from './final-file.ts';
import { createBatchStore } from './stored-batches.ts';

/** Options of `runPart`. */
export interface RunPartOptions {
  readonly run: BookRun;
  /** Index in the parts of the run. */
  readonly index: number;
  /** Folder of the part's files. */
  readonly folder: string;
  readonly carriers: BookCarriers;
  readonly readRow: ReadRow;
  /** Measures distances of rows with coordinates. Without it, these rows are read one by one. */
  readonly measurePlaces?: MeasurePlaces | undefined;
  /** Called with the number of rows of each batch. @default none */
  readonly onRows?: (rows: number) => void;
  /** Stops between batches. @default none */
  readonly signal?: AbortSignal;
}

/** The result of a complete part. */
export interface PartResult {
  readonly counts: BookCounts;
  /** Sizes of the part's files, in bytes. */
  readonly statusBytes: number;
  readonly rejectBytes: number;
}

/** Paths of a part's files: its statuses, its rejected rows if any, and last its result. */
export function partFiles(index: number, folder: string) {
  const name = join(folder, String(index).padStart(5, '0'));
  return { statuses: `${name}.statuses`, rejects: `${name}.rejects`, result: `${name}.result` };
}

/**
 * The result of a part; undefined if it is not complete.
 *
 * @throws {BookFileError} if a file of the part was changed.
 *
 * @example
 * const isComplete = readResult(17, 'statuses.csv.parts') !== undefined;
 */
export function readResult(index: number, folder: string): PartResult | undefined {
  const files = partFiles(index, folder);
  let bytes: Buffer;
  try {
    bytes = readFileSync(files.result);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  try {
    const result = deserialize(bytes) as PartResult;
    if (sizeOf(files.statuses) === result.statusBytes && sizeOf(files.rejects) === result.rejectBytes) return result;
  } catch {}
  throw new BookFileError(`${folder} has a damaged part, ${index}: begin the run anew with --restart.`);
}

/**
 * Evaluates one part of a run. Its files get their names once they are complete, its result last.
 *
 * @throws {BookFileError} if the book cannot be read or was changed.
 *
 * @example
 * const { counts } = await runPart({ run, index: 17, folder: 'statuses.csv.parts', carriers: carriersOfCatalog(catalog), readRow });
 */
export async function runPart(options: RunPartOptions): Promise<PartResult> {
  const { run, index, folder, carriers, readRow, measurePlaces, onRows, signal } = options;
  const { input: place, slice, firstRow } = run.parts[index]!;
  const input = run.inputs[place]!;
  const files = partFiles(index, folder);
  const { vocabulary } = carriers;
  const written = run.columns === null ? noColumnMap : readColumnMap(run.columns, 'The map of columns', vocabulary);
  const extraNames = run.keep.map(({ name }) => name);
  const extras = createExtraColumns({
    columns: run.keep,
    hasPlaces: run.hasPlaces,
    format: input.format,
    name: input.name,
  });
  const evaluator = createBookEvaluator({
    carriers,
    format: input.format,
    name: input.name,
    rowOffset: firstRow - slice.firstRow,
    map: ignoreExtraColumns(written, extraNames, vocabulary),
    asOf: new Date(run.asOf),
    effectiveDate: run.effectiveDate ?? undefined,
    readRow,
    measuring: measurePlaces && createRowMeasuring(vocabulary, measurePlaces),
    countsReasons: run.reasons,
    includesReasons: run.long,
    questionShare: run.questionShare,
    events: run.events,
  });
  let statuses: FinalFile | undefined;
  let rejects: FinalFile | undefined;
  const source = await openBook(input.file, { format: input.format, name: input.name });
  try {
    statuses = run.output === 'none' ? undefined : createFinalFile(files.statuses);
    const writer = statuses && (await createPartWriter(run, carriers, statuses));
    const isWanted = (name: string) => evaluator.isWanted(name) || extraNames.includes(name);
    let rows = 0;
    for await (const batch of source.batches({ slice, isWanted })) {
      signal?.throwIfAborted();
      const [from, to] = rowsWithin(slice, batch.firstRow, batch.rows);
      if (from >= to) continue;
      const own = sliceBatch(batch, from, to);
      const evaluated = await evaluator.evaluate(own);
      writer?.write(extras.add(own, evaluated));
      for (const row of evaluated.rejected.values()) {
        rejects ??= createFinalFile(files.rejects);
        rejects.write(Buffer.from(`${writeReject(row)}\n`));
      }
      rows += evaluated.rows;
      onRows?.(evaluated.rows);
      if (rows === slice.rows) break;
    }
    if (rows !== slice.rows)
      throw new BookFileError(`${input.name} was changed while it was read: begin the run anew with --restart.`);
    await writer?.end();
    const result: PartResult = {
      counts: evaluator.counts(),
      statusBytes: statuses?.finish() ?? 0,
      rejectBytes: rejects?.finish() ?? 0,
    };
    writeFinalFile(files.result, serialize(result));
    return result;
  } catch (error) {
    statuses?.discard();
    rejects?.discard();
    throw error;
  } finally {
    await source.close();
  }
}

function createPartWriter(
  { output, long, keep, hasPlaces }: BookRun,
  { carrierKeys, vocabulary }: BookCarriers,
  file: FinalFile,
) {
  if (output !== 'csv' && output !== 'ndjson') return createBatchStore(carrierKeys.length, file.write);
  return createStatusWriter({
    format: output,
    carrierKeys,
    vocabulary,
    extras: withPlaceNote(keep, hasPlaces),
    sink: file.write,
    hasHead: false,
    isLong: long,
  });
}
