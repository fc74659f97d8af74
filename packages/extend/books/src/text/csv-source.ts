import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { createCsvRecords, linesOfBlock } from '@leeward/rows';
import { BookFileError } from '../source/book-file-error.ts';
import type { BatchOptions, BookSource } from '../source/book-source.ts';
import { readCsvHeading } from './csv-heading.ts';
import { createCsvScan } from './csv-scan.ts';
import { emptySource } from './empty-source.ts';
import { MAX_LINE_CHARACTERS } from './max-line.ts';
import { createRecognizing } from './recognizing.ts';
import { describeText, type TextBlock, textBlocks, withFirst } from './text-blocks.ts';
import { createTextColumns } from './text-columns.ts';
import { type TextBatch, textSlices } from './text-slices.ts';

const wordOf = (token: string): unknown => {
  const text = token.trim();
  return text === '' ? undefined : text;
};

/** Opens CSV: a path, or a stream that can be read once. Throws a `BookFileError`. */
export async function openCsv(source: string | Readable, name: string): Promise<BookSource> {
  const { isPlain, encoding } =
    typeof source === 'string' ? await describeText(source) : { isPlain: false, encoding: 'utf-8' as const };
  const opening = textBlocks(source, name, isPlain);
  const first = await opening.next();
  if (first.done) {
    // An empty stream is valid: a filter may have selected no rows.
    if (typeof source !== 'string') return emptySource('csv');
    throw new BookFileError(`${name} is empty.`);
  }
  const heading = readCsvHeading(first.value.bytes, name);
  const recognizing = createRecognizing(encoding, heading.delimiter);
  /** A stream can be read once, so its blocks are kept open. */
  let begun: AsyncGenerator<TextBlock> | undefined = withFirst(first.value, opening);
  if (typeof source === 'string') {
    await opening.return(undefined);
    begun = undefined;
  }
  const blocksOf = async function* ({ slice, onBytes }: BatchOptions): AsyncGenerator<TextBlock> {
    if (begun) {
      const blocks = begun;
      begun = undefined;
      yield* blocks;
    } else yield* textBlocks(source, name, isPlain, isPlain ? slice : undefined, onBytes);
  };
  const isWhole = (slice: BatchOptions['slice']) => slice === undefined || slice.from === 0 || !isPlain;

  async function* batches(options: BatchOptions = {}): AsyncGenerator<TextBatch> {
    const { slice, isWanted = () => true } = options;
    const columns = createTextColumns(wordOf, isWanted, slice?.unitFirstRow ?? 0);
    for (const each of heading.names) columns.columnOf(each);
    const width = heading.names.length;
    const scan = createCsvScan(columns, width, heading.delimiter.charCodeAt(0));
    const records = createCsvRecords({ delimiter: heading.delimiter, width, maxRecordCharacters: MAX_LINE_CHARACTERS });
    let skipBytes = isWhole(slice) ? heading.bytes : 0;
    let line = isWhole(slice) ? heading.lines + 1 : (slice?.firstLine ?? 1);
    /** True if a record may continue in the next block. */
    let isOpen = false;
    const readByRows = (isEnd: boolean) => {
      for (let row = records.next(isEnd); row !== undefined; row = records.next(isEnd)) {
        if (row.fault) columns.refuse(row.fault.code, row.fault.message);
        else {
          row.cells?.forEach((cell, index) => {
            const table = columns.tables[index];
            if (table && cell !== '') columns.codes[index]![columns.rows] = table.add(cell);
          });
        }
        columns.endTextRow(row.line, row.text);
      }
      isOpen = !isEnd && records.isPending();
    };
    const pushRows = (bytes: Buffer, isTooLong: boolean) => {
      const lines = linesOfBlock(bytes, line, MAX_LINE_CHARACTERS);
      recognizing.see(lines);
      records.push(isTooLong ? lines.map((each) => ({ ...each, isTooLong })) : lines);
      line += lines.length;
      readByRows(false);
    };
    for await (const block of blocksOf(options)) {
      columns.take(block.bytes);
      let at = Math.min(skipBytes, block.bytes.length);
      skipBytes -= at;
      if (isOpen || block.isTooLong || !isUtf8(block.bytes)) {
        pushRows(block.bytes.subarray(at), block.isTooLong);
        at = block.bytes.length;
      }
      while (at < block.bytes.length) {
        const end = scan.run(block.bytes, at, line);
        at = scan.at;
        line = scan.line;
        if (end === 'block') break;
        const feed = block.bytes.indexOf(0x0a, at);
        const to = end === 'rest' || feed < 0 ? block.bytes.length : feed + 1;
        pushRows(block.bytes.subarray(at, to), false);
        at = to;
      }
      const end =
        block.offset === undefined || isOpen ? undefined : { offset: block.offset + block.bytes.length, line };
      const batch = columns.take(Buffer.alloc(0));
      if (batch) yield { ...batch, end };
    }
    readByRows(true);
    const last = columns.take(Buffer.alloc(0));
    if (last) yield { ...last, end: undefined };
  }

  return {
    format: 'csv',
    names: heading.names,
    typeOf: () => 'text',
    slices: () => textSlices(source, isPlain, batches({ isWanted: () => false })),
    batches,
    recognized: recognizing.recognized,
    async close() {
      await begun?.return(undefined);
    },
  };
}
