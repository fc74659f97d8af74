import type { IncomingMessage } from 'node:http';

/** A body that declares no more is let go by whole, so that its connection can be used again. */
const MAX_DECLARED_BYTES = 16 * 1024 * 1024;
/** Read of a body that declares more, or does not tell. */
const MAX_UNDECLARED_BYTES = 1024 * 1024;
/** How long nothing may come. */
const MAX_PAUSE_MS = 2_000;

/** Whether something of a body is still to be read, or to come. */
export function isBodyLeft({ headers, readableEnded, destroyed }: IncomingMessage): boolean {
  if (readableEnded || destroyed) return false;
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
}

/** Whether a body is too long, or may be, for a connection to be used again after it. */
export function isTooLongToPass({ headers }: IncomingMessage): boolean {
  // Written so that NaN is too long, too.
  return headers['transfer-encoding'] !== undefined || !(Number(headers['content-length']) <= MAX_DECLARED_BYTES);
}

/**
 * Lets the rest of a body that nobody wants go by, but not for ever. Resolves when its sender has ended it or gone, or has
 * had time to read what it was answered: a connection that is closed with bytes unread is reset, and an answer on its way
 * may be lost with it.
 */
export function letBodyPass(message: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let left = isTooLongToPass(message) ? MAX_UNDECLARED_BYTES : MAX_DECLARED_BYTES;
    const timer = setTimeout(resolve, MAX_PAUSE_MS);
    timer.unref();
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    message.on('error', end).on('end', end).on('close', end);
    message.on('data', (chunk: Buffer) => {
      left -= chunk.byteLength;
      if (left < 0) message.pause();
      else timer.refresh();
    });
    message.resume();
  });
}
