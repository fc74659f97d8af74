import { type CellFault, readCells } from './csv-cells.ts';
import type { CsvRow, FaultyRow } from './row.ts';
import type { TextLine } from './text-lines.ts';
import { tooLongRow } from './too-long-row.ts';

/** A quoted cell reaches over no more lines than this: else one mark too many would swallow the rest of the file. */
export const MAX_RECORD_LINES = 20;

/** How a record is cut: its delimiter, its width, and how long it may become. */
export interface CsvRecordsOptions {
  readonly delimiter: string;
  /** How many cells a record has; undefined for the heading, which says it. */
  readonly width: number | undefined;
  readonly maxRecordCharacters: number;
}

/** Makes records of lines. A record that cannot be read is one line, and takes no other with it. */
export interface CsvRecords {
  /** Lines that follow the last ones. */
  push(lines: readonly TextLine[]): void;
  /** The next record; undefined where it may go on on lines that are still to come. */
  next(isEnd: boolean): CsvRow | FaultyRow | undefined;
  /** Whether lines are held that may go on on lines still to come. */
  isPending(): boolean;
  /** From the next record on. */
  setWidth(width: number): void;
}

/**
 * Cuts lines into records, also where a quoted cell goes over several. A record that cannot be read does not end the
 * reading.
 */
export function createCsvRecords({ delimiter, width: given, maxRecordCharacters }: CsvRecordsOptions): CsvRecords {
  let queue: readonly TextLine[] = [];
  let at = 0;
  let width = given;
  const fitted = (cells: readonly string[], text: string): readonly string[] | undefined => {
    if (width === undefined || cells.length === width) return cells;
    // A file of one column, of addresses for one, needs no quotation marks.
    if (width === 1) return [text.trim()];
    // Spreadsheets write empty cells behind the last column.
    const isPadded = cells.length > width && cells.slice(width).every((cell) => cell === '');
    return isPadded ? cells.slice(0, width) : undefined;
  };
  /** The record that begins at a line, over as many lines as it needs. */
  const recordAt = (first: TextLine, isEnd: boolean): CsvRow | FaultyRow | 'more' => {
    const { number: line, text } = first;
    const alone = readCells(text, delimiter);
    if (typeof alone !== 'string') {
      const cells = fitted(alone, text);
      at += 1;
      return cells ? { line, text, cells } : faulty(first, widthMessage(line, alone.length, width!));
    }
    if (alone === 'unclosed_quote') {
      const more = continued(text, isEnd);
      if (more === 'more') return 'more';
      if (more) {
        at += more.lines;
        return { line, text: more.text, cells: more.cells };
      }
    }
    at += 1;
    return faulty(first, quoteMessage(line, alone));
  };
  const continued = (text: string, isEnd: boolean) => {
    let joined = text;
    for (let count = 1; count < MAX_RECORD_LINES; count += 1) {
      const following = queue[at + count];
      if (following === undefined) return isEnd ? undefined : ('more' as const);
      if (following.isTooLong || joined.length + following.text.length > maxRecordCharacters) return undefined;
      joined += `\n${following.text}`;
      // Nothing is closed by a line without a mark.
      if (!following.text.includes('"')) continue;
      const read = readCells(joined, delimiter);
      if (read === 'text_after_quote') return undefined;
      if (read === 'unclosed_quote') continue;
      // With too many or too few cells it was a mark too many, and the lines are records of their own.
      const cells = width === 1 && read.length > 1 ? undefined : fitted(read, joined);
      return cells && { text: joined, cells, lines: count + 1 };
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
  return `Line ${line} cannot be read: ${what}. A mark within a quoted cell is written twice.`;
}

function widthMessage(line: number, cells: number, width: number): string {
  const has = `${cells} ${cells === 1 ? 'cell' : 'cells'}`;
  return `Line ${line} has ${has} and the header ${width}: put cells that hold the separator in quotation marks.`;
}
