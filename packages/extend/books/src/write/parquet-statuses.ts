import { STATUS_CODES } from '@leeward/engine';
import type { SchemaElement } from 'hyparquet';

import type { ExtraColumn } from './extra-columns.ts';
import { createParquetFile, extraColumns, textColumn } from './parquet-file.ts';
import { codesPage, consecutivePage, dictionaryPage, levelsOf } from './parquet-page.ts';
import type { ByteSink, StatusWriter, WrittenBatch } from './status-writer.ts';

/** Rows of a row group: a multiple of 8, the number of codes that are packed together. */
const GROUP_ROWS = 131_072;
/** Bits of a code: there are six statuses. */
const WIDTH = 3;

function statusSchema(carriers: readonly string[], extras: readonly ExtraColumn[]): SchemaElement[] {
  return [
    { name: 'root', num_children: extras.length + carriers.length + 1 },
    { name: 'row', type: 'INT64', repetition_type: 'REQUIRED' },
    ...extraColumns(extras),
    ...carriers.map((name) => textColumn(name, 'OPTIONAL')),
  ];
}

/** Writes Parquet: `row`, and a dictionary column of statuses for each carrier, three bits per row. A rejected row has nulls. */
export function createParquetStatuses(
  carriers: readonly string[],
  extras: readonly ExtraColumn[],
  sink: ByteSink,
): StatusWriter {
  const file = createParquetFile(statusSchema(carriers, extras), sink);
  let values: unknown[][] = extras.map(() => []);
  const words = dictionaryPage(STATUS_CODES);
  const packed = carriers.map(() => new Uint8Array((GROUP_ROWS * WIDTH) / 8));
  /** Codes of up to seven rows that are not packed yet. */
  let pending = new Uint8Array(0);
  let pendingRows = 0;
  let present = 0;
  let rows = 0;
  let first = 1;
  let missing: number[] = [];

  /** Packs rows, eight at a time except at the end of a group. */
  const pack = (codes: Uint8Array, count: number) => {
    const at = (present * WIDTH) >> 3;
    for (let carrier = 0; carrier < carriers.length; carrier++)
      packColumn(codes, carrier, carriers.length, count, packed[carrier]!, at);
    present += count;
  };
  const flush = () => {
    if (pendingRows > 0) pack(pending, pendingRows);
    pendingRows = 0;
    const bytes = Math.ceil(present / 8) * WIDTH;
    const levels = levelsOf(rows, missing);
    file.writeGroup(
      rows,
      [
        {
          name: 'row',
          type: 'INT64',
          encodings: ['DELTA_BINARY_PACKED'],
          dictionary: undefined,
          data: consecutivePage(first, rows),
        },
        ...carriers.map((name, carrier) => ({
          name,
          type: 'BYTE_ARRAY' as const,
          encodings: ['PLAIN' as const, 'RLE' as const, 'RLE_DICTIONARY' as const],
          dictionary: words,
          data: codesPage(packed[carrier]!.subarray(0, bytes), WIDTH, present, levels, rows),
        })),
      ],
      extras.map((column, index) => [column, values[index]!]),
    );
    values = extras.map(() => []);
    for (const column of packed) column.fill(0);
    first += rows;
    rows = 0;
    present = 0;
    missing = [];
  };
  const addRows = (codes: Uint8Array, count: number) => {
    const size = carriers.length;
    const all = pendingRows + count;
    const whole = all & ~7;
    let from = 0;
    if (pendingRows > 0 && whole > 0) {
      const filling = 8 - pendingRows;
      pending.set(codes.subarray(0, filling * size), pendingRows * size);
      pendingRows = 0;
      pack(pending, 8);
      from = filling;
    }
    const full = (count - from) & ~7;
    if (pendingRows === 0 && full > 0) {
      pack(codes.subarray(from * size), full);
      from += full;
    }
    if (from < count) {
      if (pending.length === 0) pending = new Uint8Array(8 * size);
      pending.set(codes.subarray(from * size, count * size), pendingRows * size);
      pendingRows += count - from;
    }
  };

  return {
    write({ firstRow, rows: count, codes, rejected, extras: own = [] }: WrittenBatch) {
      if (rows === 0) first = firstRow + 1;
      for (let from = 0; from < count; ) {
        const to = Math.min(count, from + GROUP_ROWS - rows);
        let start = from;
        for (const row of rejected.keys()) {
          if (row < from || row >= to) continue;
          addRows(codes.subarray(start * carriers.length), row - start);
          missing.push(rows + row - from);
          start = row + 1;
        }
        addRows(codes.subarray(start * carriers.length), to - start);
        own.forEach((column, index) => {
          for (let row = from; row < to; row++) values[index]!.push(column[row]);
        });
        rows += to - from;
        from = to;
        if (rows === GROUP_ROWS) flush();
      }
    },
    async end() {
      if (rows > 0) flush();
      file.end();
    },
  };
}

/** Packs the codes of one carrier, eight into three bytes. */
function packColumn(
  codes: Uint8Array,
  carrier: number,
  stride: number,
  count: number,
  into: Uint8Array,
  from: number,
): void {
  let at = from;
  let code = carrier;
  const whole = count & ~7;
  for (let row = 0; row < whole; row += 8) {
    const bits =
      codes[code]! |
      (codes[code + stride]! << 3) |
      (codes[code + 2 * stride]! << 6) |
      (codes[code + 3 * stride]! << 9) |
      (codes[code + 4 * stride]! << 12) |
      (codes[code + 5 * stride]! << 15) |
      (codes[code + 6 * stride]! << 18) |
      (codes[code + 7 * stride]! << 21);
    into[at] = bits;
    into[at + 1] = bits >> 8;
    into[at + 2] = bits >> 16;
    at += 3;
    code += 8 * stride;
  }
  let bits = 0;
  for (let row = whole; row < count; row++, code += stride) bits |= codes[code]! << (3 * (row - whole));
  if (whole < count) {
    into[at] = bits;
    into[at + 1] = bits >> 8;
    into[at + 2] = bits >> 16;
  }
}
