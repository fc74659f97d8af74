import { writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** In ms. */
const GATHERING_MS = 10;
/** Characters per write. */
const MAX_HELD = 16 * 1024;
const RETRY_MS = 5;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes the lines of ten milliseconds at once, since a write costs more than a line. The rest is written at exit. If the reader of a
 * pipe has gone, lines are lost and the service continues.
 */
export function createGatheringDestination(descriptor: number): DestinationStream {
  let buffer = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const text = buffer;
    buffer = '';
    if (text !== '') writeWhole(descriptor, Buffer.from(text));
  };
  process.on('exit', flush);
  return {
    write(line) {
      buffer += line;
      if (buffer.length >= MAX_HELD) flush();
      else timer ??= setTimeout(flush, GATHERING_MS).unref();
    },
  };
}

function writeWhole(descriptor: number, bytes: Buffer): void {
  for (let from = 0; from < bytes.length; ) {
    try {
      from += writeSync(descriptor, bytes, from);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      Atomics.wait(sleeper, 0, 0, RETRY_MS);
    }
  }
}
