import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { writeAnswer } from '../answer/answer.ts';
import { Problem } from '../problem/problem.ts';
import { problemAnswer } from '../problem/problem-document.ts';

/** What Node's parser and timers say of a request that never became one. */
type ClientError = Error & { readonly code?: string };

/** As Node itself looks at it. */
type HttpSocket = Duplex & { readonly _httpMessage?: { readonly headersSent: boolean } };

/** Answers what Node could not read as a request, with problem details, and closes. */
export function refuseSocket(error: ClientError, socket: Duplex): void {
  // Half of another answer may be on its way already.
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
        'The header fields of the request are over 16 KiB; send fewer, or shorter ones.',
      );
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('body_too_large', 'The chunk extensions of the body are over 16 KiB; send none.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request_timeout', 'The request did not arrive in time; send it again.');
    default:
      return new Problem('malformed_request', 'This is not an HTTP request that can be read; nothing of it was done.');
  }
}
