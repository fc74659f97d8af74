import { open } from 'node:fs/promises';
import { deserialize, serialize } from 'node:v8';
import type { ByteSink, StatusWriter, WrittenBatch } from '../write/status-writer.ts';

/**
 * Evaluated batches in the file of a part. Parquet and Arrow are written from them once all parts are complete, because a row group or
 * record batch may span two parts. A record is the length of a serialized batch, and the batch.
 */

const LENGTH_BYTES = 4;

/** Stores batches of `width` carriers. */
export function createBatchStore(width: number, sink: ByteSink): StatusWriter {
  return {
    write(batch) {
      const { firstRow, rows, codes, reasons, terms, rejected, extras = [] } = batch;
      const stored: WrittenBatch = {
        firstRow,
        rows,
        codes: codes.subarray(0, rows * width),
        reasons,
        terms,
        // Only their places are written.
        rejected: new Map([...rejected.keys()].map((row) => [row, NO_REJECT])),
        everyType: new Map(),
        extras,
      };
      const bytes = serialize(stored);
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32LE(bytes.length);
      sink(length);
      sink(bytes);
    },
    end: async () => {},
  };
}

const NO_REJECT = { row: 0, line: undefined, faults: [], input: undefined };

/** Reads stored batches in order. */
export async function* readStoredBatches(path: string): AsyncGenerator<WrittenBatch> {
  const file = await open(path, 'r');
  const length = Buffer.alloc(LENGTH_BYTES);
  try {
    while ((await file.read(length)).bytesRead === LENGTH_BYTES) {
      const bytes = Buffer.alloc(length.readUInt32LE());
      await file.read(bytes);
      yield deserialize(bytes) as WrittenBatch;
    }
  } finally {
    await file.close();
  }
}

/** Cuts consecutive batches into batches of exactly `size` rows, wherever they were cut before. The last one may be shorter. */
export function createBatchCutter(size: number, width: number, write: (batch: WrittenBatch) => void) {
  let pending: WrittenBatch[] = [];
  let pendingRows = 0;
  const flush = () => {
    if (pendingRows > 0) write(joinBatches(pending, pendingRows, width));
    pending = [];
    pendingRows = 0;
  };
  return {
    add(batch: WrittenBatch) {
      for (let from = 0; from < batch.rows; ) {
        const to = Math.min(batch.rows, from + size - pendingRows);
        pending.push(sliceBatch(batch, from, to, width));
        pendingRows += to - from;
        from = to;
        if (pendingRows === size) flush();
      }
    },
    end: flush,
  };
}

function sliceBatch(batch: WrittenBatch, from: number, to: number, width: number): WrittenBatch {
  if (from === 0 && to === batch.rows) return batch;
  return {
    firstRow: batch.firstRow + from,
    rows: to - from,
    codes: batch.codes.subarray(from * width, to * width),
    rejected: shiftRows(batch.rejected, -from, to - from),
    reasons: shiftRows(batch.reasons, -from, to - from),
    terms: shiftRows(batch.terms, -from, to - from),
    everyType: new Map(),
    extras: batch.extras?.map((column) => column.slice(from, to)) ?? [],
  };
}

function joinBatches(batches: readonly WrittenBatch[], rows: number, width: number): WrittenBatch {
  const [first] = batches;
  if (batches.length === 1) return first!;
  const codes = new Uint8Array(rows * width);
  const shifted = <Value>(mapOf: (batch: WrittenBatch) => ReadonlyMap<number, Value>) =>
    new Map(batches.flatMap((batch) => [...shiftRows(mapOf(batch), batch.firstRow - first!.firstRow, rows)]));
  for (const batch of batches) codes.set(batch.codes, (batch.firstRow - first!.firstRow) * width);
  return {
    firstRow: first!.firstRow,
    rows,
    codes,
    rejected: shifted((batch) => batch.rejected),
    reasons: shifted((batch) => batch.reasons),
    terms: shifted((batch) => batch.terms),
    everyType: new Map(),
    extras: first!.extras?.map((_, column) => batches.flatMap((batch) => batch.extras![column]!)) ?? [],
  };
}

/** The entries of a map by row whose shifted row is from 0 to before `rows`. */
function shiftRows<Value>(map: ReadonlyMap<number, Value>, by: number, rows: number): ReadonlyMap<number, Value> {
  const entries = [...map].map(([row, value]) => [row + by, value] as const);
  return new Map(entries.filter(([row]) => row >= 0 && row < rows));
}
