import type { RawBatch, UnreadRow } from '../source/raw-batch.ts';
import { createTokenTable, dictionaryOf, type TokenTable } from './token-table.ts';

/** The columns of a file of text as they are filled, row by row; a batch is what stands in one block of its lines. */
export interface TextColumns {
  /** Rows so far. */
  readonly rows: number;
  readonly names: readonly string[];
  /** The same in UTF-8. */
  readonly nameBytes: readonly Uint8Array[];
  /** By column: what tells its tokens apart; undefined where nobody wants them. */
  readonly tables: (TokenTable | undefined)[];
  /** By column and row: −1 where nothing stands. */
  readonly codes: Int32Array[];
  /** Place of a column, made where there is none. */
  columnOf(name: string): number;
  /** Ends a row that stands from `from` to `to` of the block. */
  endRow(line: number, from: number, to: number): void;
  /** Ends a row that was read in another way. */
  endTextRow(line: number, text: string): void;
  /** The row that is being filled could not be read. */
  refuse(code: string, message: string): void;
  /** The row that is being filled is this, as a whole. */
  giveWhole(body: unknown): void;
  /** Forgets what was filled of a row that was not ended. */
  clearRow(): void;
  /** What was filled, as a batch; undefined where that is nothing. Then begins anew, for rows of `block`. */
  take(block: Buffer): RawBatch | undefined;
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
      const known = places.get(name);
      if (known !== undefined) return known;
      places.set(name, names.length);
      // A list of its own, so that whoever knows the old one sees that there is more.
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
    giveWhole(body) {
      for (const column of codes) column[rows] = -1;
      whole.set(rows, body);
    },
    clearRow() {
      for (const column of codes) column[rows] = -1;
    },
    take(next) {
      const [text, shown, from] = [block, texts, { lines, ends }];
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
              lineOf: (row) => ({
                line: from.lines[row]!,
                text: shown.get(row) ?? text.toString('utf8', from.ends[2 * row], from.ends[2 * row + 1]).trimEnd(),
              }),
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
