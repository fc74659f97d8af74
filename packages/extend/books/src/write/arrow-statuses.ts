import { STATUS_CODES } from '@leeward/engine';
import {
  type Data,
  Dictionary,
  Field,
  Int64,
  makeData,
  makeVector,
  RecordBatch,
  Schema,
  Struct,
  Uint8 as Uint8Type,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';

import { createArrowStream, extraData, extraFields } from './arrow-stream.ts';
import type { ExtraColumn } from './extra-columns.ts';
import type { ByteSink, StatusWriter, WrittenBatch } from './status-writer.ts';

/** Writes an Arrow stream: `row`, and a dictionary column of statuses for each carrier. A rejected row has nulls. */
export function createArrowStatuses(
  carriers: readonly string[],
  extras: readonly ExtraColumn[],
  sink: ByteSink,
): StatusWriter {
  const words = vectorFromArray([...STATUS_CODES], new Utf8());
  const statuses = carriers.map((_, id) => new Dictionary(new Utf8(), new Uint8Type(), id));
  const schema = new Schema([
    new Field('row', new Int64(), false),
    ...extraFields(extras),
    ...carriers.map((name, index) => new Field(name, statuses[index]!, true)),
  ]);
  const stream = createArrowStream(schema, sink);
  return {
    write({ firstRow, rows, codes, rejected, extras: values = [] }: WrittenBatch) {
      const numbers = BigInt64Array.from({ length: rows }, (_, row) => BigInt(firstRow + row + 1));
      const valid = rejected.size === 0 ? undefined : bitmapOf(rows, rejected);
      const columns = carriers.map((_, carrier) => {
        const column = new Uint8Array(rows);
        for (let row = 0, at = carrier; row < rows; row++, at += carriers.length) column[row] = codes[at]!;
        for (const row of rejected.keys()) column[row] = 0;
        return makeData({
          type: statuses[carrier]!,
          length: rows,
          nullCount: rejected.size,
          data: column,
          ...(valid ? { nullBitmap: valid } : {}),
          dictionary: makeVector(words.data[0]!),
        });
      });
      const own = extras.map((column, index) => extraData(column, values[index]!));
      const children: Data[] = [makeData({ type: new Int64(), length: rows, data: numbers }), ...own, ...columns];
      stream.write(new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: rows, children })));
    },
    end: () => stream.end(),
  };
}

function bitmapOf(rows: number, rejected: WrittenBatch['rejected']): Uint8Array {
  const bits = new Uint8Array((rows + 7) >> 3).fill(0xff);
  for (const row of rejected.keys()) bits[row >> 3]! &= ~(1 << (row & 7));
  return bits;
}
