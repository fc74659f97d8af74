import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

export interface TextLine {
  /** Without its end; undefined if it is longer than any line of addresses. */
  readonly text: string | undefined;
  /** From 1. */
  readonly number: number;
}

const longestLine = 10_000;

/**
 * The lines of a file (unpacked if its name ends in `.gz`) or stream in UTF-8, a batch for each piece read. Memory stays
 * bounded whatever the file is. An aborted signal ends it, also while the stream waits, with the signal's reason.
 */
export async function* readLines(
  source: string | Readable,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly TextLine[]> {
  signal?.throwIfAborted();
  const stream = open(source);
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array | string>;
  // A stream that waits for ever may not even heed its own end, so the signal is listened to beside it.
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal?.reason);
  });
  aborted.catch(() => {});
  signal?.addEventListener('abort', onAbort, { once: true });
  const decoder = new TextDecoder();
  let number = 0;
  let rest = '';
  let isTooLong = false;
  const finish = (text: string): TextLine => {
    number += 1;
    const line = { text: isTooLong || text.length > longestLine ? undefined : text.replace(/\r$/, ''), number };
    isTooLong = false;
    return line;
  };
  try {
    for (;;) {
      const { done, value } = await nextChunk(chunks, aborted);
      if (done === true) break;
      const text = typeof value === 'string' ? value : decoder.decode(value, { stream: true });
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      const lines = parts.map(finish);
      if (rest.length > longestLine) {
        isTooLong = true;
        rest = '';
      }
      if (lines.length > 0) yield lines;
      signal?.throwIfAborted();
    }
    rest += decoder.decode();
    if (rest !== '' || isTooLong) yield [finish(rest)];
  } finally {
    signal?.removeEventListener('abort', onAbort);
    stream.destroy();
  }
}

function nextChunk(
  chunks: AsyncIterator<Uint8Array | string>,
  aborted: Promise<never>,
): Promise<IteratorResult<Uint8Array | string>> {
  const next = chunks.next();
  next.catch(() => {});
  return Promise.race([next, aborted]);
}

function open(source: string | Readable): Readable {
  if (typeof source !== 'string') return source;
  const file = createReadStream(source);
  if (!source.endsWith('.gz')) return file;
  // An error of the file ends the reading of what is unpacked.
  return pipeline(file, createGunzip(), () => {});
}
