import { type CellFault, readCells } from './csv-cells.ts';
import { type CsvRow, type FaultyRow, tooLongRow } from './row.ts';
import type { TextLine } from './text-lines.ts';

/** Maximum number of lines of a quoted cell, in case of an extra quotation mark. */
export const MAX_RECORD_LINES = 20;

/** Options of `createCsvRecords`. */
export interface CsvRecordsOptions {
  readonly delimiter: string;
  /** Number of cells of a record; undefined until the heading is read. */
  readonly width: number | undefined;
  readonly maxRecordCharacters: number;
}

/** Parses lines into records. A malformed record is a single line; the next line is parsed normally. */
export interface CsvRecords {
  push(lines: readonly TextLine[]): void;
  /** Undefined if the record needs further lines. */
  next(isEnd: boolean): CsvRow | FaultyRow | undefined;
  isPending(): boolean;
  setWidth(width: number): void;
}

/**
 * Creates a parser of CSV records, whose quoted cells may span lines.
 *
 * @example
 * const records = createCsvRecords({ delimiter: ',', width: 2, maxRecordCharacters: 1000 });
 * records.push(linesOfBlock(block, 1, 1000));
 * for (let row = records.next(true); row !== undefined; row = records.next(true)) console.log(row.line, row.cells);
 */
export function createCsvRecords({
  delimiter,
  width: initialWidth,
  maxRecordCharacters,
}: CsvRecordsOptions): CsvRecords {
  let queue: readonly TextLine[] = [];
  let at = 0;
  let width = initialWidth;
  const fitCells = (cells: readonly string[], text: string): readonly string[] | undefined => {
    if (width === undefined || cells.length === width) return cells;
    // A file of one column, such as addresses, may have delimiters without quotation marks.
    if (width === 1) return [text.trim()];
    // Spreadsheets append empty cells after the last column.
    const isPadded = cells.length > width && cells.slice(width).every((cell) => cell === '');
    return isPadded ? cells.slice(0, width) : undefined;
  };
  const recordAt = (first: TextLine, isEnd: boolean): CsvRow | FaultyRow | 'more' => {
    const { number: line, text } = first;
    const cellsOfLine = readCells(text, delimiter);
    if (typeof cellsOfLine !== 'string') {
      const cells = fitCells(cellsOfLine, text);
      at += 1;
      return cells ? { line, text, cells } : faulty(first, widthMessage(line, cellsOfLine.length, width!));
    }
    if (cellsOfLine === 'unclosed_quote') {
      const more = readFollowing(text, isEnd);
      if (more === 'more') return 'more';
      if (more) {
        at += more.lines;
        return { line, text: more.text, cells: more.cells };
      }
    }
    at += 1;
    return faulty(first, quoteMessage(line, cellsOfLine));
  };
  const readFollowing = (text: string, isEnd: boolean) => {
    let record = text;
    for (let count = 1; count < MAX_RECORD_LINES; count += 1) {
      const following = queue[at + count];
      if (following === undefined) return isEnd ? undefined : ('more' as const);
      if (following.isTooLong || record.length + following.text.length > maxRecordCharacters) return undefined;
      record += `\n${following.text}`;
      if (!following.text.includes('"')) continue;
      const read = readCells(record, delimiter);
      if (read === 'text_after_quote') return undefined;
      if (read === 'unclosed_quote') continue;
      // A wrong number of cells means an extra quotation mark: the lines are separate records.
      const cells = width === 1 && read.length > 1 ? undefined : fitCells(read, record);
      return cells && { text: record, cells, lines: count + 1 };
    }
    return undefined;
  };
  return {
    push(lines) {
      queue = at === queue.length ? lines : [...queue.slice(at), ...lines];
      at = 0;
    },
    next(isEnd) {
      for (let first = queue[at]; first !== undefined; first = queue[at]) {
        if (first.isTooLong) {
          at += 1;
          return tooLongRow(first, maxRecordCharacters);
        }
        if (first.text.trim() !== '') {
          const record = recordAt(first, isEnd);
          return record === 'more' ? undefined : record;
        }
        at += 1;
      }
      return undefined;
    },
    isPending: () => at < queue.length,
    setWidth(cells) {
      width = cells;
    },
  };
}

function faulty({ number: line, text }: TextLine, message: string): FaultyRow {
  return { line, text, fault: { code: 'malformed_row', message } };
}

function quoteMessage(line: number, fault: CellFault): string {
  const what = fault === 'unclosed_quote' ? 'a quotation mark is not closed' : 'text follows a closing quotation mark';
  return `Line ${line} cannot be read: ${what}. Double a quotation mark within a quoted cell.`;
}

function widthMessage(line: number, cells: number, width: number): string {
  const has = `${cells} ${cells === 1 ? 'cell' : 'cells'}`;
  return `Line ${line} has ${has} and the header ${width}: put cells that hold the separator in quotation marks.`;
}
