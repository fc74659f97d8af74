import { isUnknownColumn, ownColumn } from '../columns/book-columns.ts';
import { type BookReader, type BookReaderOptions, createBookReader, type ReadBatch } from '../columns/book-reader.ts';
import type { RawBatch } from '../source/raw-batch.ts';
import type { MomentReader, RowMoments } from './moments.ts';

/** Maximum number of years with a reader. Rows of further years are read separately. */
const MAX_YEARS = 12;

/** A batch as columns, with the moments of its rows. */
export interface DatedBatch extends ReadBatch {
  readonly when: RowMoments;
}

/** Reads batches whose rows may be effective in several years: ages and domains of fields depend on the year. */
export function createYearReader(
  options: Omit<BookReaderOptions, 'effectiveYear'>,
  moments: MomentReader,
): { read(batch: RawBatch): DatedBatch } {
  const readers = new Map<number, BookReader>();
  const readerOf = (effectiveYear: number): BookReader | undefined => {
    const cached = readers.get(effectiveYear);
    if (cached || readers.size >= MAX_YEARS) return cached;
    const reader = createBookReader({ ...options, effectiveYear });
    readers.set(effectiveYear, reader);
    return reader;
  };
  /** Start with the year of most rows of the last batch, so that most batches are read once. */
  let { usualYear } = moments;
  return {
    read(batch) {
      const read = readerOf(usualYear)!.read(batch);
      const when = moments.momentsOf(read, batch.rows);
      const years = when.moments.map(({ effectiveDate }) => Number(effectiveDate.slice(0, 4)));
      if (years.every((year) => year === usualYear)) return { ...read, when };
      const byYear = new Map<number, number[]>();
      for (let row = 0; row < batch.rows; row++) {
        if (read.doubtful[row] === 1) continue;
        const year = years[when.ofRow?.[row] ?? 0]!;
        const ofYear = byYear.get(year);
        if (ofYear) ofYear.push(row);
        else byYear.set(year, [row]);
      }
      for (const [year, rows] of byYear) {
        if (year !== usualYear) replaceRows(read, rows, readerOf(year)?.read(batch));
      }
      const [largest] = [...byYear].sort(([, a], [, b]) => b.length - a.length);
      if (largest && readers.has(largest[0])) usualYear = largest[0];
      return { ...read, when };
    },
  };
}

/** Replaces rows by those of another batch. Without one, marks the rows as doubtful. */
function replaceRows({ columns, doubtful }: ReadBatch, rows: readonly number[], other: ReadBatch | undefined): void {
  if (!other) {
    for (const row of rows) doubtful[row] = 1;
    return;
  }
  other.columns.fields.forEach((from, place) => {
    if (isUnknownColumn(columns, place) && isUnknownColumn(other.columns, place)) return;
    const field = ownColumn(columns, place);
    for (const row of rows) field[row] = from[row]!;
  });
  for (const row of rows) doubtful[row] = other.doubtful[row]!;
}
