import { closeSync, openSync, writeSync } from 'node:fs';
import { cellOf, openBook } from '@leeward/books';
import {
  Dictionary,
  Field,
  Float64,
  Int32,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';

/** Rows of a record batch, as in engines. */
const ROWS = 65_536;

/** Writes a book of Parquet as an uncompressed Arrow stream: words as dictionaries, numbers as doubles. */
export async function writeArrow(parquet: string, path: string): Promise<void> {
  const source = await openBook(parquet);
  const file = openSync(path, 'w');
  const columns = source.names.map(() => ({ words: [] as string[], places: new Map<string, number>(), isText: false }));
  const rows: (string | number | null)[][] = source.names.map(() => []);
  for await (const batch of source.batches()) {
    batch.columns.forEach((column, index) => {
      for (let row = 0; row < batch.rows; row++) {
        const value = (cellOf(column, row) ?? null) as string | number | null;
        rows[index]!.push(value);
        if (typeof value !== 'string') continue;
        const { words, places } = columns[index]!;
        columns[index]!.isText = true;
        if (!places.has(value)) places.set(value, words.push(value) - 1);
      }
    });
  }
  await source.close();
  const types = columns.map(({ isText }, id) => (isText ? new Dictionary(new Utf8(), new Int32(), id) : new Float64()));
  const dictionaries = columns.map(({ words, isText }) => (isText ? vectorFromArray(words, new Utf8()) : undefined));
  const schema = new Schema(source.names.map((name, index) => new Field(name, types[index]!, true)));
  const writer = new RecordBatchStreamWriter();
  writer.reset(undefined, schema);
  const count = rows[0]!.length;
  for (let from = 0; from < count; from += ROWS) {
    const length = Math.min(ROWS, count - from);
    const children = columns.map(({ places, isText }, index) => {
      const nullBitmap = new Uint8Array((length + 7) >> 3);
      const data = isText ? new Int32Array(length) : new Float64Array(length);
      let nullCount = 0;
      for (let row = 0; row < length; row++) {
        const value = rows[index]![from + row]!;
        if (value === null) nullCount += 1;
        else {
          nullBitmap[row >> 3]! |= 1 << (row & 7);
          data[row] = isText ? places.get(value as string)! : (value as number);
        }
      }
      const given = { length, nullCount, nullBitmap, data: data as never };
      return isText
        ? makeData({ ...given, type: types[index] as Dictionary, dictionary: dictionaries[index]! })
        : makeData({ ...given, type: types[index] as Float64 });
    });
    writer.write(new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, children })));
  }
  writer.finish();
  for await (const bytes of writer) writeSync(file, bytes as Uint8Array);
  closeSync(file);
}
