import { type RecordBatch, RecordBatchStreamWriter, type Schema } from 'apache-arrow';
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
