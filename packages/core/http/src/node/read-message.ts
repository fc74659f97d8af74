import type { IncomingMessage } from 'node:http';
import { Problem } from '../problem/problem.ts';
import { requireLength, tooLarge } from '../request/incoming.ts';

/** A message as a host leaves it: perhaps with its body read and parsed already. */
type HostMessage = IncomingMessage & { body?: unknown; rawBody?: unknown };

const nothing = new Uint8Array(0);

/**
 * The body of a message, at most `limit` bytes of it. A declared length is checked before anything is read; any body
 * is counted as it comes, and reading ends as soon as it is too long. Behind a parser that has read it already
 * (`express.json()`), it is `rawBody` where the host kept it, else the parsed body written back to JSON.
 */
export async function readMessage(message: HostMessage, limit: number): Promise<Uint8Array> {
  const declared = message.headers['content-length'];
  const isChunked = message.headers['transfer-encoding'] !== undefined;
  if (declared !== undefined && !isChunked) requireLength(declared, limit);
  const kept = keptBody(message);
  if (kept !== undefined) {
    if (kept.byteLength > limit) throw tooLarge(limit);
    return kept;
  }
  if (declared === undefined && !isChunked && message.httpVersionMajor < 2) return nothing;
  return readStream(message, limit);
}

/** What a parser left of a body that it has read: `rawBody`, a text, bytes, or what they were parsed to. */
function keptBody({ rawBody, body, readableEnded }: HostMessage): Uint8Array | undefined {
  const kept = rawBody ?? (readableEnded ? body : undefined);
  if (kept === undefined || kept instanceof Uint8Array) return kept;
  return Buffer.from(typeof kept === 'string' ? kept : JSON.stringify(kept));
}

function readStream(message: IncomingMessage, limit: number): Promise<Uint8Array> {
  if (message.readableEnded) return Promise.resolve(nothing);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = () => {
      message.off('data', take).off('end', end).off('close', breakOff).off('error', breakOff);
    };
    const take = (chunk: Buffer) => {
      length += chunk.byteLength;
      if (length > limit) {
        stop();
        message.pause();
        reject(tooLarge(limit));
      } else chunks.push(chunk);
    };
    const end = () => {
      stop();
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    };
    const breakOff = () => {
      stop();
      // Nobody is left to read this.
      reject(new Problem('malformed_json', 'The body broke off before its end.'));
    };
    message.on('data', take).on('end', end).on('close', breakOff).on('error', breakOff);
  });
}
