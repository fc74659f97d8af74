import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** A file's path, or its bytes. */
export type RowSource = string | Readable;

/** The bytes of a source, unpacked where it is packed. `close` gives it up. */
export interface ByteChunks {
  readonly chunks: AsyncIterator<Uint8Array>;
  /** Bytes of the source read so far: packed ones where it is packed. */
  readonly bytesRead: () => number;
  close(): void;
}

/**
 * The bytes of a source, unpacked where it is gzip. An aborted signal ends the reading with its reason, also while a stream
 * waits.
 */
export function openChunks(source: RowSource, signal?: AbortSignal): ByteChunks {
  signal?.throwIfAborted();
  const stream = typeof source === 'string' ? createReadStream(source, { highWaterMark: 1 << 18 }) : source;
  let bytes = 0;
  let unpacked: Readable | undefined;
  // A stream that waits for ever may not even heed its own end, so the signal is listened to beside it.
  let breakOff: (reason: unknown) => void = () => {};
  const onAbort = () => breakOff(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const reading = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array | string>;
  // A promise of its own for each chunk: a race with one that lasts would keep all chunks alive.
  async function nextOf<Value>(iterator: AsyncIterator<Value>): Promise<IteratorResult<Value>> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      breakOff = reject;
      iterator.next().then(resolve, reject);
    });
  }
  async function* raw(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const { done, value } = await nextOf(reading);
      if (done) return;
      const chunk = typeof value === 'string' ? Buffer.from(value) : value;
      bytes += chunk.length;
      if (chunk.length > 0) yield chunk;
    }
  }
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const packed = raw();
    let { done, value } = await packed.next();
    if (done || !value) return;
    // One byte alone may be the first of the two that mark gzip.
    if (value.length === 1) {
      const more = await packed.next();
      if (!more.done) value = Buffer.concat([value, more.value]);
    }
    if (value[0] !== 0x1f || value[1] !== 0x8b) {
      yield value;
      yield* packed;
      return;
    }
    const first = value;
    const all = (async function* () {
      yield first;
      yield* packed;
    })();
    // An error of the source ends the reading of what is unpacked.
    unpacked = pipeline(Readable.from(all, { objectMode: false }), createGunzip(), () => {});
    yield* unpacked as AsyncIterable<Uint8Array>;
  }
  return {
    chunks: chunks(),
    bytesRead: () => bytes,
    close() {
      signal?.removeEventListener('abort', onAbort);
      unpacked?.destroy();
      stream.destroy();
    },
  };
}
