import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { BookFileError } from '../source/book-file-error.ts';
import type { BookSlice } from '../source/book-source.ts';
import type { RawBatch } from '../source/raw-batch.ts';

/** A batch of a text file, and the start of the next one; undefined within a record. */
export type TextBatch = RawBatch & { readonly end: { readonly offset: number; readonly line: number } | undefined };

/** Minimum size of a slice of a text file. */
const SLICE_BYTES = 1 << 20;

/** Splits a text file at blocks that end with a whole record. A file that must be read from the start is one slice. */
export async function textSlices(
  source: string | Readable,
  isPlain: boolean,
  batches: AsyncIterable<TextBatch>,
): Promise<readonly BookSlice[]> {
  if (typeof source !== 'string') throw new BookFileError('A stream cannot be cut into parts; write it into a file.');
  const { size } = await stat(source);
  const slices: BookSlice[] = [];
  let begin = { from: 0, firstRow: 0, firstLine: 1 };
  let row = 0;
  for await (const { rows, end } of batches) {
    row += rows;
    if (!isPlain || end === undefined || end.offset - begin.from < SLICE_BYTES) continue;
    slices.push({ ...begin, unitFirstRow: begin.firstRow, to: end.offset, rows: row - begin.firstRow });
    begin = { from: end.offset, firstRow: row, firstLine: end.line };
  }
  if (begin.from < size || slices.length === 0)
    slices.push({ ...begin, unitFirstRow: begin.firstRow, to: size, rows: row - begin.firstRow });
  return slices;
}
