import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** The path of a file, or its bytes. */
export type RowSource = string | Readable;

/** The bytes of a source, decompressed if it is gzip. */
export interface ByteChunks {
  readonly chunks: AsyncIterator<Uint8Array>;
  /** Before decompression. */
  readonly bytesRead: () => number;
  close(): void;
}

/**
 * Reads the bytes of a source. After an abort, iteration throws the signal's reason, even while a stream waits.
 *
 * @example
 * const { chunks, close } = openChunks('policies.csv.gz');
 */
export function openChunks(source: RowSource, signal?: AbortSignal): ByteChunks {
  signal?.throwIfAborted();
  const stream = typeof source === 'string' ? createReadStream(source, { highWaterMark: 1 << 18 }) : source;
  let bytes = 0;
  let unpacked: Readable | undefined;
  // A stream that waits forever may not react to `destroy`, so each read also waits for the signal.
  let rejectRead: (reason: unknown) => void = () => {};
  const onAbort = () => rejectRead(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const reading = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array | string>;
  // A new promise for each chunk: racing a lasting promise would keep all chunks in memory.
  async function nextOf<Value>(iterator: AsyncIterator<Value>): Promise<IteratorResult<Value>> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      rejectRead = reject;
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
    // A single byte may be the first of gzip's two.
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
