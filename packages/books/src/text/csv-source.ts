import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { createCsvRecords, guessDelimiter, linesOfBlock, namedDelimiter } from '@leeward/rows';
import { BookFileError } from '../source/book-file-error.ts';
import type { BatchOptions, BookSource } from '../source/book-source.ts';
import { createCsvScan } from './csv-scan.ts';
import { emptySource } from './empty-source.ts';
import { createRecognizing } from './recognizing.ts';
import { describeText, MAX_LINE_CHARACTERS, type TextBlock, textBlocks, withFirst } from './text-blocks.ts';
import { createTextColumns } from './text-columns.ts';
import { type TextBatch, textSlices } from './text-slices.ts';

const SAMPLE_LINES = 20;

/** What the first lines of a file of CSV say of the rest. */
interface Heading {
  readonly names: readonly string[];
  readonly delimiter: string;
  /** Bytes and lines until the rows begin. */
  readonly bytes: number;
  readonly lines: number;
}

/** An empty cell is a field that nobody gave. */
const wordOf = (token: string): unknown => {
  const text = token.trim();
  return text === '' ? undefined : text;
};

/** Opens CSV as people send it: a path, or a stream that can be read once. Throws a `BookFileError`. */
export async function openCsv(source: string | Readable, name: string): Promise<BookSource> {
  const { isPlain, encoding } =
    typeof source === 'string' ? await describeText(source) : { isPlain: false, encoding: 'utf-8' as const };
  const opening = textBlocks(source, name, isPlain);
  const first = await opening.next();
  if (first.done) {
    // A filter may be asked for nothing.
    if (typeof source !== 'string') return emptySource('csv');
    throw new BookFileError(`${name} is empty.`);
  }
  const heading = readHeading(first.value, name);
  const recognizing = createRecognizing(encoding, heading.delimiter);
  /** Of a stream nothing can be read again. */
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
    const columns = createTextColumns(wordOf, isWanted, slice?.firstRow ?? 0);
    for (const each of heading.names) columns.columnOf(each);
    const width = heading.names.length;
    const scan = createCsvScan(columns, width, heading.delimiter.charCodeAt(0));
    const records = createCsvRecords({ delimiter: heading.delimiter, width, maxRecordCharacters: MAX_LINE_CHARACTERS });
    let skipBytes = isWhole(slice) ? heading.bytes : 0;
    let line = isWhole(slice) ? heading.lines + 1 : (slice?.firstLine ?? 1);
    /** Whether a record may go on in the next block. */
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
    slices: () => textSlices(source, isPlain, batches({ isWanted: () => false })),
    batches,
    recognized: recognizing.recognized,
    async close() {
      await begun?.return(undefined);
    },
  };
}

function readHeading({ bytes }: TextBlock, name: string): Heading {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const mark = hasMark ? 3 : 0;
  const all = linesOfBlock(bytes.subarray(mark, mark + (1 << 18)), 1, MAX_LINE_CHARACTERS);
  const firstPlace = all.findIndex(({ text }) => text.trim() !== '');
  if (firstPlace < 0) throw new BookFileError(`${name} has no line that names its columns.`);
  const named = namedDelimiter(all[firstPlace]!.text);
  const table = named === undefined ? all : all.slice(firstPlace + 1);
  const shown = table.filter(({ text }) => text.trim() !== '').map(({ text }) => text);
  const delimiter = named ?? guessDelimiter(shown.slice(0, SAMPLE_LINES));
  const records = createCsvRecords({ delimiter, width: undefined, maxRecordCharacters: MAX_LINE_CHARACTERS });
  records.push(table);
  const header = records.next(true);
  if (header?.cells === undefined)
    throw new BookFileError(`${name} has no line that names its columns, or it cannot be read.`);
  const names = header.cells.map((cell) => cell.toLowerCase());
  const twice = names.find((each, index) => each !== '' && names.indexOf(each) < index);
  if (twice !== undefined)
    throw new BookFileError(`${name} has two columns ${JSON.stringify(twice)}: remove one of them.`);
  const lines = header.line - 1 + header.text.split('\n').length;
  return { names, delimiter, lines, bytes: endOfLine(bytes, lines) };
}

/** Behind the n-th line of a block. */
function endOfLine(bytes: Buffer, lines: number): number {
  let at = 0;
  for (let line = 0; line < lines && at < bytes.length; line++) {
    while (at < bytes.length && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at += 1;
    at += bytes[at] === 0x0d && bytes[at + 1] === 0x0a ? 2 : 1;
  }
  return Math.min(at, bytes.length);
}
