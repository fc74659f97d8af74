import type { IncomingMessage } from 'node:http';
import { Problem } from '../problem/problem.ts';
import { requireLength, tooLarge } from '../request/incoming.ts';

type HostMessage = IncomingMessage & { body?: unknown; rawBody?: unknown };

const nothing = new Uint8Array(0);

/**
 * Behind a body parser, returns `rawBody` or the parsed body as JSON.
 *
 * @throws {Problem} `body_too_large` for the declared length, or as soon as the body exceeds `limit`
 */
export async function readMessage(message: HostMessage, limit: number): Promise<Uint8Array> {
  const declared = message.headers['content-length'];
  const isChunked = message.headers['transfer-encoding'] !== undefined;
  if (declared !== undefined && !isChunked) requireLength(declared, limit);
  const parserBody = bodyOfParser(message);
  if (parserBody !== undefined) {
    if (parserBody.byteLength > limit) throw tooLarge(limit);
    return parserBody;
  }
  if (declared === undefined && !isChunked && message.httpVersionMajor < 2) return nothing;
  return readStream(message, limit);
}

/** Text, bytes or a parsed value. */
function bodyOfParser({ rawBody, body, readableEnded }: HostMessage): Uint8Array | undefined {
  const value = rawBody ?? (readableEnded ? body : undefined);
  if (value === undefined || value instanceof Uint8Array) return value;
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
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
      // The client has gone; only the log shows this.
      reject(new Problem('malformed_json', 'The body broke off before its end.'));
    };
    message.on('data', take).on('end', end).on('close', breakOff).on('error', breakOff);
  });
}
