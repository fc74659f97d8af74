import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnswerStream, WrittenAnswer } from '../answer/answer.ts';
import type { Leeward } from '../leeward.ts';
import { IncomingOfMessage } from './incoming-message.ts';
import { isBodyLeft, isTooLongToPass, letBodyPass } from './rest-of-body.ts';

/**
 * A handler for `node:http`, Express, Fastify's `raw` and their like. Replaces no global object and makes no web
 * request of a message, which would cost more than all the rest. Behind a parser that has read the body already
 * (`express.json()`), it takes `rawBody` where the host kept it, else writes the parsed body back to JSON.
 * Never rejects.
 */
export function createNodeHandler(
  leeward: Pick<Leeward, 'answer'>,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const answer = await leeward.answer(new IncomingOfMessage(request, response));
    // A host may have answered meanwhile, with a time-out of its own; or nobody is there any longer.
    if (response.headersSent || response.destroyed) return answer.stream?.close();
    if (answer.stream && request.method !== 'HEAD') return sendStream(answer, answer.stream, response);
    answer.stream?.close();
    sendAnswer(answer, request, response);
  };
}

/**
 * Sends an answer, whole, and lets the rest of a body that nobody read go by before the answer is at its end: a connection
 * is not closed before what was answered can have been read.
 */
export function sendAnswer(
  { status, headers, text, bytes }: WrittenAnswer,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const content = bytes ?? text;
  const body = request.method === 'HEAD' ? null : content;
  const hasRest = isBodyLeft(request);
  const length = content === null ? 0 : Buffer.byteLength(content);
  // As many bytes as characters: all of them ASCII, which go out as they are.
  const encoding = length === text?.length ? 'latin1' : 'utf8';
  response.writeHead(status, {
    ...headers,
    ...(content !== null && { 'content-length': String(length) }),
    ...(hasRest && request.httpVersionMajor < 2 && isTooLongToPass(request) && { connection: 'close' }),
  });
  if (hasRest) {
    if (body === null) response.flushHeaders();
    else response.write(body, encoding);
    void letBodyPass(request).then(() => response.end());
  } else if (body === null) response.end();
  else response.end(body, encoding);
}

/** Sends what comes as it comes, no faster than it is taken. Resolves when that is over, on whichever side. */
async function sendStream(
  { status, headers }: WrittenAnswer,
  stream: AnswerStream,
  response: ServerResponse,
): Promise<void> {
  // Not waited for before all else: a proxy shows the answer from its first bytes on.
  response.writeHead(status, headers);
  response.flushHeaders();
  response.once('close', () => stream.close());
  for (;;) {
    let piece: string | Uint8Array | undefined;
    try {
      piece = await stream.read();
    } catch {
      stream.close();
      response.destroy();
    }
    if (response.destroyed) return;
    if (piece === undefined) break;
    if (!response.write(piece) && !(await drained(response))) response.destroy();
  }
  stream.close();
  response.end();
}

/** Whoever takes nothing for so long is gone. */
const MAX_STALL_MS = 60_000;

/** @returns false where nothing was taken for too long. */
function drained(response: ServerResponse): Promise<boolean> {
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
