import type { IncomingMessage } from 'node:http';

/** A body with a smaller declared length is drained completely, so that its connection can be reused. */
const MAX_DECLARED_BYTES = 16 * 1024 * 1024;
/** Maximum that is drained of any other body. */
const MAX_UNDECLARED_BYTES = 1024 * 1024;
/** Maximum time without data. */
const MAX_PAUSE_MS = 2_000;

/** True if a part of the body is unread or still arriving. */
export function isBodyLeft({ headers, readableEnded, destroyed }: IncomingMessage): boolean {
  if (readableEnded || destroyed) return false;
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
}

/** True if the body is, or may be, too long for its connection to be reused. */
export function isTooLongToPass({ headers }: IncomingMessage): boolean {
  // NaN counts as too long.
  return headers['transfer-encoding'] !== undefined || !(Number(headers['content-length']) <= MAX_DECLARED_BYTES);
}

/**
 * Drains an unread body. Resolves when the sender has ended it or gone, or has had time to read the answer: closing a connection with
 * unread bytes resets it, and the answer may be lost.
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
