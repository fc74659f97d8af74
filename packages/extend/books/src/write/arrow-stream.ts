import {
  Bool,
  type Data,
  Field,
  Float64,
  Int64,
  type RecordBatch,
  RecordBatchStreamWriter,
  type Schema,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { type ExtraColumn, extraText } from './extra-columns.ts';
import type { ByteSink } from './status-writer.ts';

export interface ArrowStream {
  write(batch: RecordBatch): void;
  end(): Promise<void>;
}

export function createArrowStream(schema: Schema, sink: ByteSink): ArrowStream {
  const writer = new RecordBatchStreamWriter();
  const bytesOf = writer.reset(undefined, schema)[Symbol.asyncIterator]();
  const drained = (async () => {
    for (let next = await bytesOf.next(); !next.done; next = await bytesOf.next()) sink(next.value);
  })();
  // `end` rejects with the same error.
  drained.catch(() => {});
  return {
    write: (batch) => void writer.write(batch),
    async end() {
      writer.finish();
      await drained;
    },
  };
}

const types = { integer: new Int64(), number: new Float64(), boolean: new Bool(), text: new Utf8() };

export function extraFields(extras: readonly ExtraColumn[]): Field[] {
  return extras.map(({ name, type }) => new Field(name, types[type], true));
}

/** A extras column of a record batch. */
export function extraData({ type }: ExtraColumn, values: readonly unknown[]): Data {
  const cells = values.map((value) => {
    if (value === null || value === undefined) return null;
    if (type === 'text') return extraText(value)!;
    return type === 'integer' ? BigInt(value as number) : value;
  });
  return vectorFromArray(cells, types[type] as Utf8).data[0]!;
}
