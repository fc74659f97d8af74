import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { writeAnswer } from '../answer/answer.ts';
import { Problem } from '../problem/problem.ts';
import { problemAnswer } from '../problem/problem-document.ts';

/** An error of Node's HTTP parser or timers. */
type ClientError = Error & { readonly code?: string };

/** The private field that Node's own handler of `clientError` reads. */
type HttpSocket = Duplex & { readonly _httpMessage?: { readonly headersSent: boolean } };

/** Answers an unreadable request with problem details, and closes the connection. */
export function refuseSocket(error: ClientError, socket: Duplex): void {
  // Part of another answer may already be sent.
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
