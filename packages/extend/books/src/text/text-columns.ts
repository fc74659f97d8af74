import type { RawBatch, UnreadRow } from '../source/raw-batch.ts';
import { createTokenTable, dictionaryOf, type TokenTable } from './token-table.ts';

/** Collects the rows of a text file as columns. A batch has the rows of one block of lines. */
export interface TextColumns {
  readonly rows: number;
  readonly names: readonly string[];
  readonly nameBytes: readonly Uint8Array[];
  /** By column; undefined for a column that is not read. */
  readonly tables: (TokenTable | undefined)[];
  /** By column and row; −1 if the cell is empty. */
  readonly codes: Int32Array[];
  /** Returns the index of a column, adding a new one. */
  columnOf(name: string): number;
  /** Ends a row with the bytes `from` to `to` of the block. */
  endRow(line: number, from: number, to: number): void;
  /** Ends a row whose text is not in the block. */
  endTextRow(line: number, text: string): void;
  /** Marks the current row as unreadable. */
  refuse(code: string, message: string): void;
  /** Sets the current row to an object. */
  setWhole(body: unknown): void;
  clearRow(): void;
  /** Returns the rows as a batch, or undefined without rows. Then starts with the rows of `block`. */
  take(block: Buffer): RawBatch | undefined;
}

/** Places of the rows of a batch in its block, by row, and the texts of rows outside of it. */
interface RowLines {
  readonly lines: readonly number[];
  /** Begin and end of each row. */
  readonly ends: readonly number[];
  readonly texts: ReadonlyMap<number, string>;
}

function lineReader(block: Buffer, { lines, ends, texts }: RowLines): NonNullable<RawBatch['lineOf']> {
  return (row) => ({
    line: lines[row]!,
    text: texts.get(row) ?? block.toString('utf8', ends[2 * row], ends[2 * row + 1]).trimEnd(),
  });
}

export function createTextColumns(
  wordOf: (token: string) => unknown,
  isWanted: (name: string) => boolean,
  firstRow: number,
): TextColumns {
  let names: string[] = [];
  const places = new Map<string, number>();
  const nameBytes: Uint8Array[] = [];
  const tables: (TokenTable | undefined)[] = [];
  let capacity = 4096;
  const codes: Int32Array[] = [];
  let first = firstRow;
  let rows = 0;
  let block: Buffer = Buffer.alloc(0);
  let lines: number[] = [];
  let ends: number[] = [];
  let texts = new Map<number, string>();
  let unread: UnreadRow[] = [];
  let whole = new Map<number, unknown>();
  const endAny = (line: number, from: number, to: number) => {
    lines.push(line);
    ends.push(from, to);
    rows += 1;
    if (rows < capacity) return;
    capacity *= 2;
    codes.forEach((column, index) => {
      codes[index] = new Int32Array(capacity).fill(-1);
      codes[index].set(column);
    });
  };
  return {
    get rows() {
      return rows;
    },
    get names() {
      return names;
    },
    nameBytes,
    tables,
    codes,
    columnOf(name) {
      const place = places.get(name);
      if (place !== undefined) return place;
      places.set(name, names.length);
      // A new list: batches compare lists of names by identity.
      names = [...names, name];
      nameBytes.push(Buffer.from(name));
      tables.push(isWanted(name) ? createTokenTable(wordOf) : undefined);
      return codes.push(new Int32Array(capacity).fill(-1)) - 1;
    },
    endRow: endAny,
    endTextRow(line, text) {
      texts.set(rows, text);
      endAny(line, 0, 0);
    },
    refuse(code, message) {
      for (const column of codes) column[rows] = -1;
      unread.push({ row: rows, code, message });
    },
    setWhole(body) {
      for (const column of codes) column[rows] = -1;
      whole.set(rows, body);
    },
    clearRow() {
      for (const column of codes) column[rows] = -1;
    },
    take(next) {
      const count = rows;
      const batch: RawBatch | undefined =
        count === 0
          ? undefined
          : {
              firstRow: first,
              rows: count,
              names,
              columns: codes.map(
                (column, index) => tables[index] && dictionaryOf(tables[index], column.slice(0, count)),
              ),
              unread,
              whole,
              lineOf: lineReader(block, { lines, ends, texts }),
            };
      first += count;
      rows = 0;
      block = next;
      lines = [];
      ends = [];
      texts = new Map();
      unread = [];
      whole = new Map();
      for (const column of codes) column.fill(-1, 0, Math.min(capacity, count + 1));
      for (const table of tables) table?.refresh();
      return batch;
    },
  };
}
