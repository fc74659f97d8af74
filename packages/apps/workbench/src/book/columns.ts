import type { RawBatch, UnreadRow } from '@leeward/books/evaluate';

/** Number of distinct values after which a table restarts, to bound its memory. */
const MAX_WORDS = 1 << 16;

/** Rows by column; each distinct value is stored once. */
export interface Columns {
  readonly rows: number;
  /** Position of a column, added if it is new. */
  placeOf(name: string): number;
  put(place: number, value: unknown): void;
  refuse(code: string, message: string): void;
  /** Stores the row as one object. */
  putWhole(body: unknown): void;
  endRow(line: number, text: string): void;
  /** Rows since the last call; undefined without any. */
  take(): RawBatch | undefined;
}

/** Few enough that the columns stay in the cache. */
export const BATCH_ROWS = 16_384;

/** The caller adds a maximum of `BATCH_ROWS` rows between calls of `take`. */
export function createColumns(heading: readonly string[]): Columns {
  let names: readonly string[] = [];
  const places = new Map<string, number>();
  const tables: { words: unknown[]; codes: Map<unknown, number> }[] = [];
  let columns: Int32Array<ArrayBuffer>[] = [];
  const emptyColumn = () => new Int32Array(BATCH_ROWS).fill(-1);
  let firstRow = 0;
  let lines: number[] = [];
  let texts: string[] = [];
  let unread: UnreadRow[] = [];
  let whole = new Map<number, unknown>();
  const placeOf = (name: string): number => {
    const existing = places.get(name);
    if (existing !== undefined) return existing;
    const place = names.length;
    places.set(name, place);
    // Copied, so that holders of the old list detect the change.
    names = [...names, name];
    tables.push({ words: [], codes: new Map() });
    columns.push(emptyColumn());
    return place;
  };
  for (const name of heading) placeOf(name);
  return {
    get rows() {
      return lines.length;
    },
    placeOf,
    put(place, value) {
      const { words, codes } = tables[place]!;
      let code = codes.get(value);
      if (code === undefined) {
        code = words.push(value) - 1;
        codes.set(value, code);
      }
      columns[place]![lines.length] = code;
    },
    refuse: (code, message) => void unread.push({ row: lines.length, code, message }),
    putWhole: (body) => void whole.set(lines.length, body),
    endRow(line, text) {
      lines.push(line);
      texts.push(text);
    },
    take() {
      const rows = lines.length;
      if (rows === 0) return undefined;
      const text = { lines, texts };
      const batch: RawBatch = {
        firstRow,
        rows,
        names,
        columns: columns.map((column, place) => ({
          kind: 'dictionary',
          codes: column.subarray(0, rows),
          words: tables[place]!.words,
        })),
        unread,
        whole,
        lineOf: (row) => ({ line: text.lines[row]!, text: text.texts[row]! }),
      };
      firstRow += rows;
      columns = columns.map(emptyColumn);
      lines = [];
      texts = [];
      unread = [];
      whole = new Map();
      tables.forEach(({ words }, place) => {
        if (words.length >= MAX_WORDS) tables[place] = { words: [], codes: new Map() };
      });
      return batch;
    },
  };
}
