import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { AnswerStream, WrittenAnswer } from '../answer/answer.ts';
import { accepts } from '../answer/static-content.ts';
import type { Leeward } from '../leeward.ts';
import { IncomingOfMessage } from './incoming-message.ts';

/**
 * Makes a handler for `node:http`, Express, Fastify's `raw` and others. Behind a body parser it uses `rawBody`, or the parsed body as
 * JSON. Never rejects.
 *
 * @example
 * createServer(createNodeHandler(leeward)).listen(3000);
 */
export function createNodeHandler(
  leeward: Pick<Leeward, 'answer'>,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const answer = await leeward.answer(new IncomingOfMessage(request, response));
    // The host answered, or the client has gone.
    if (response.headersSent || response.destroyed) return answer.stream?.close();
    if (answer.stream && request.method !== 'HEAD') return sendStream(answer, answer.stream, response);
    answer.stream?.close();
    const isLong = request.method !== 'HEAD' && answer.text !== null && answer.text.length >= MIN_GZIP_CHARACTERS;
    const sent = isLong ? await encode(answer, answer.text, request) : answer;
    if (!response.headersSent && !response.destroyed) sendAnswer(sent, request, response);
  };
}

/** Shorter texts are sent sooner than compressed. */
const MIN_GZIP_CHARACTERS = 16_384;
const compress = promisify(gzip);

/** Compresses a long text for clients that accept gzip: explanations and rule sets shrink to a tenth. */
async function encode(answer: WrittenAnswer, text: string, { headers }: IncomingMessage): Promise<WrittenAnswer> {
  const fields = { ...answer.headers, vary: 'accept-encoding' };
  const accepted = headers['accept-encoding'];
  if (typeof accepted !== 'string' || !accepts(accepted, 'gzip')) return { ...answer, headers: fields };
  const bytes = await compress(text, { level: 4 });
  return { ...answer, text: null, bytes, headers: { ...fields, 'content-encoding': 'gzip' } };
}

/** Drains an unread request body, so that the connection is not closed before the client has read the answer. */
export function sendAnswer(
  { status, headers, text, bytes }: WrittenAnswer,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const content = bytes ?? text;
  const body = request.method === 'HEAD' ? null : content;
  const isBodyUnread = isBodyLeft(request);
  const length = content === null ? 0 : Buffer.byteLength(content);
  // Equal counts mean ASCII, which latin1 writes without encoding.
  const encoding = length === text?.length ? 'latin1' : 'utf8';
  response.writeHead(status, {
    ...headers,
    ...(content !== null && { 'content-length': String(length) }),
    ...(isBodyUnread && request.httpVersionMajor < 2 && isTooLongToPass(request) && { connection: 'close' }),
  });
  if (isBodyUnread) {
    if (body === null) response.flushHeaders();
    else response.write(body, encoding);
    void letBodyPass(request).then(() => response.end());
  } else if (body === null) response.end();
  else response.end(body, encoding);
}

/** Resolves when either side has ended the stream. */
async function sendStream(
  { status, headers }: WrittenAnswer,
  stream: AnswerStream,
  response: ServerResponse,
): Promise<void> {
  // Lets a proxy show the answer at once.
  response.writeHead(status, headers);
  response.flushHeaders();
  response.once('close', () => stream.close());
  for (;;) {
    let chunk: string | Uint8Array | undefined;
    try {
      chunk = await stream.read();
    } catch {
      stream.close();
      response.destroy();
    }
    if (response.destroyed) return;
    if (chunk === undefined) break;
    if (!response.write(chunk) && !(await waitForDrain(response))) response.destroy();
  }
  stream.close();
  response.end();
}

/** After this time without reading, the client has gone. */
const MAX_STALL_MS = 60_000;

/** False if the client reads nothing for too long. */
function waitForDrain(response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      response.off('drain', done).off('close', done);
      resolve(true);
    };
    const timer = setTimeout(resolve, MAX_STALL_MS, false);
    response.once('drain', done).once('close', done);
  });
}

/** Smaller bodies are drained completely, to reuse the connection. */
const MAX_DECLARED_BYTES = 16 * 1024 * 1024;
const MAX_UNDECLARED_BYTES = 1024 * 1024;
/** Maximum time without data. */
const MAX_PAUSE_MS = 2_000;

function isBodyLeft({ headers, readableEnded, destroyed }: IncomingMessage): boolean {
  if (readableEnded || destroyed) return false;
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
}

/** True if the connection cannot be reused. */
function isTooLongToPass({ headers }: IncomingMessage): boolean {
  // NaN counts as too long.
  return headers['transfer-encoding'] !== undefined || !(Number(headers['content-length']) <= MAX_DECLARED_BYTES);
}

/**
 * Closing a connection with unread bytes resets it, and the answer may be lost. Resolves when the sender has ended or gone, or had time
 * to read.
 */
function letBodyPass(message: IncomingMessage): Promise<void> {
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
