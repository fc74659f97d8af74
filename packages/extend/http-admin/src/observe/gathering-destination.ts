import { writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** How long a line may wait for others. */
const GATHERING_MS = 10;
/** So many characters are written at once, whether or not the time is over. */
const MAX_HELD = 16 * 1024;
const RETRY_MS = 5;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/**
 * A file descriptor to which the lines of ten milliseconds go in one write: under load a write a line costs more than
 * making the line. What is held is written when the process exits, however it does but for being killed. Where
 * nobody reads at the other end any longer, lines are lost and the service goes on.
 */
export function createGatheringDestination(descriptor: number): DestinationStream {
  let held = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const text = held;
    held = '';
    if (text !== '') writeWhole(descriptor, Buffer.from(text));
  };
  process.on('exit', flush);
  return {
    write(line) {
      held += line;
      if (held.length >= MAX_HELD) flush();
      else timer ??= setTimeout(flush, GATHERING_MS).unref();
    },
  };
}

/** A pipe that is full for the moment is waited for, as any synchronous log waits. */
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
