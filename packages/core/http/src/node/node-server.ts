import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { writeAnswer } from '../answer/answer.ts';
import type { Leeward } from '../leeward.ts';
import { Problem } from '../problem/problem.ts';
import { problemAnswer } from '../problem/problem-document.ts';
import { requestIdOf } from '../request/incoming.ts';
import { createNodeHandler, sendAnswer } from './node-handler.ts';

/**
 * Makes a `node:http` server. Requests that Node itself refuses get problem details too. The caller calls `listen`.
 *
 * @param onRequest Called for each request, before the answer.
 *
 * @example
 * createNodeServer(leeward).listen(3000);
 */
export function createNodeServer(
  leeward: Pick<Leeward, 'answer' | 'scheduler'>,
  options: ServerOptions = {},
  onRequest: (request: IncomingMessage, response: ServerResponse) => void = () => {},
): Server {
  const handle = createNodeHandler(leeward);
  const server = createServer({ ...options, requireHostHeader: false }, (request, response) => {
    onRequest(request, response);
    // A proxy could route a request without Host to another service.
    if (request.httpVersion === '1.1' && request.headers.host === undefined) {
      refuse(request, response, new Problem('malformed_request', 'The request has no Host field; send one.'));
    } else void handle(request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    onRequest(request, response);
    const detail = 'The service does not support this Expect field; omit it, or send 100-continue.';
    refuse(request, response, new Problem('expectation_failed', detail));
  });
  server.on('connection', () => leeward.scheduler.giveWay());
  server.on('clientError', refuseSocket);
  return server;
}

function refuse(request: IncomingMessage, response: ServerResponse, problem: Problem): void {
  const header = request.headers['x-request-id'];
  const id = requestIdOf(typeof header === 'string' ? header : null);
  response.setHeader('connection', 'close');
  sendAnswer(writeAnswer(problemAnswer(problem, id), id, undefined, 0), request, response);
}

type ClientError = Error & { readonly code?: string };

/** The private field that Node's own handler of `clientError` reads. */
type HttpSocket = Duplex & { readonly _httpMessage?: { readonly headersSent: boolean } };

/** Closes the connection afterwards. */
function refuseSocket(error: ClientError, socket: Duplex): void {
  // Another answer may be partly sent.
  const { _httpMessage: answer } = socket as HttpSocket;
  if (error.code === 'ECONNRESET' || !socket.writable || answer?.headersSent) {
    socket.destroy();
    return;
  }
  const problem = problemOf(error);
  const id = crypto.randomUUID();
  const { status, headers, text } = writeAnswer(problemAnswer(problem, id), id, undefined, 0);
  const fields = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(text ?? '')),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fields.join('')}\r\n${text ?? ''}`);
}

function problemOf({ code }: ClientError): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem(
        'headers_too_large',
        'The header fields of the request are larger than 16 KiB; send fewer or shorter ones.',
      );
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('body_too_large', 'The chunk extensions of the body are larger than 16 KiB; send none.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request_timeout', 'The request did not arrive in time; send it again.');
    default:
      return new Problem('malformed_request', 'This is not a valid HTTP request; it was not processed.');
  }
}
