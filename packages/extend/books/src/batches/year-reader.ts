import { type BookReader, type BookReaderOptions, createBookReader, type ReadBatch } from '../columns/book-reader.ts';
import type { RawBatch } from '../source/raw-batch.ts';
import type { createRowMoments, RowMoments } from './row-moments.ts';

/** Years for which readers are kept: rows of a further one are read by themselves. */
const MAX_YEARS = 12;

/** A batch, read, and when its rows are asked. */
export interface DatedBatch extends ReadBatch {
  readonly when: RowMoments;
}

/** Reads batches whose rows may be effective in several years: ages, and what a field may hold, hang on the year. */
export function createYearReader(
  options: Omit<BookReaderOptions, 'effectiveYear'>,
  moments: ReturnType<typeof createRowMoments>,
): { read(batch: RawBatch): DatedBatch } {
  const readers = new Map<number, BookReader>();
  const readerOf = (effectiveYear: number): BookReader | undefined => {
    const known = readers.get(effectiveYear);
    if (known || readers.size >= MAX_YEARS) return known;
    const reader = createBookReader({ ...options, effectiveYear });
    readers.set(effectiveYear, reader);
    return reader;
  };
  /** That of the batch before: most batches need one reading. */
  let usualYear = moments.usualYear;
  return {
    read(batch) {
      const read = readerOf(usualYear)!.read(batch);
      const when = moments.of(read, batch.rows);
      const years = when.moments.map(({ effectiveDate }) => Number(effectiveDate.slice(0, 4)));
      if (years.every((year) => year === usualYear)) return { ...read, when };
      const byYear = new Map<number, number[]>();
      for (let row = 0; row < batch.rows; row++) {
        if (read.doubtful[row] === 1) continue;
        const year = years[when.ofRow?.[row] ?? 0]!;
        const of = byYear.get(year);
        if (of) of.push(row);
        else byYear.set(year, [row]);
      }
      for (const [year, rows] of byYear) {
        if (year !== usualYear) takeRows(read, rows, readerOf(year)?.read(batch));
      }
      const [most] = [...byYear].sort(([, a], [, b]) => b.length - a.length);
      if (most && readers.has(most[0])) usualYear = most[0];
      return { ...read, when };
    },
  };
}

/** Puts rows of another reading in their place; those that were not read are to be read by themselves. */
function takeRows({ columns, doubtful }: ReadBatch, rows: readonly number[], other: ReadBatch | undefined): void {
  if (!other) {
    for (const row of rows) doubtful[row] = 1;
    return;
  }
  columns.fields.forEach((field, place) => {
    const from = other.columns.fields[place]!;
    for (const row of rows) field[row] = from[row]!;
  });
  for (const row of rows) doubtful[row] = other.doubtful[row]!;
}
