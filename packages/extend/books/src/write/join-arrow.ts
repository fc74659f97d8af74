import { open } from 'node:fs/promises';
import { type RecordBatch, RecordBatchReader, RecordBatchStreamWriter } from 'apache-arrow';
import type { ByteSink } from './status-writer.ts';

/** Concatenates Arrow streams with the same columns. */
export async function joinArrow(paths: readonly string[], sink: ByteSink): Promise<void> {
  const writer = new RecordBatchStreamWriter({ autoDestroy: false });
  const drained = (async () => {
    for await (const bytes of writer) sink(bytes as Uint8Array);
  })();
  drained.catch(() => {});
  for (const path of paths) {
    const file = await open(path, 'r');
    try {
      for await (const batch of (await RecordBatchReader.from(file)) as AsyncIterable<RecordBatch>) writer.write(batch);
    } finally {
      await file.close().catch(() => {});
    }
  }
  writer.finish();
  writer.close();
  await drained;
}
