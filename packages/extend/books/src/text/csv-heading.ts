import { createCsvRecords, guessDelimiter, linesOfBlock, namedDelimiter } from '@leeward/rows';
import { BookFileError } from '../source/book-file-error.ts';
import { MAX_LINE_CHARACTERS } from './max-line.ts';

const SAMPLE_LINES = 20;

/** Format of a CSV file, read from its first lines. */
export interface CsvHeading {
  /** In lower case. */
  readonly names: readonly string[];
  /** As written. */
  readonly titles: readonly string[];
  readonly delimiter: string;
  /** Bytes and lines before the rows. */
  readonly bytes: number;
  readonly lines: number;
}

/**
 * Reads the names of the columns from the first bytes of a file. Runs in a browser.
 *
 * @throws {BookFileError} if no line names the columns.
 *
 * @example
 * const { columns } = readCsvHeading(bytes, 'policies.csv');
 */
export function readCsvHeading(bytes: Uint8Array, name: string): CsvHeading {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const mark = hasMark ? 3 : 0;
  const all = linesOfBlock(bytes.subarray(mark, mark + (1 << 18)), 1, MAX_LINE_CHARACTERS);
  const firstPlace = all.findIndex(({ text }) => text.trim() !== '');
  if (firstPlace < 0) throw new BookFileError(`${name} has no line that names its columns.`);
  const explicit = namedDelimiter(all[firstPlace]!.text);
  const table = explicit === undefined ? all : all.slice(firstPlace + 1);
  const texts = table.filter(({ text }) => text.trim() !== '').map(({ text }) => text);
  const delimiter = explicit ?? guessDelimiter(texts.slice(0, SAMPLE_LINES));
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
  return { names, titles: header.cells, delimiter, lines, bytes: endOfLine(bytes, lines) };
}

/** Position after line `lines` of a block. */
function endOfLine(bytes: Uint8Array, lines: number): number {
  let at = 0;
  for (let line = 0; line < lines && at < bytes.length; line++) {
    while (at < bytes.length && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at += 1;
    at += bytes[at] === 0x0d && bytes[at + 1] === 0x0a ? 2 : 1;
  }
  return Math.min(at, bytes.length);
}
