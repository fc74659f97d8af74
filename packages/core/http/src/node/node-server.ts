import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { writeAnswer } from '../answer/answer.ts';
import type { Leeward } from '../leeward.ts';
import { Problem } from '../problem/problem.ts';
import { problemAnswer } from '../problem/problem-document.ts';
import { requestIdOf } from '../request/incoming.ts';
import { createNodeHandler, sendAnswer } from './node-handler.ts';
import { refuseSocket } from './refuse-socket.ts';

/**
 * Makes a `node:http` server for a service. Requests that Node would answer with a bare 400, 408, 413, 417 or 431 are answered with
 * problem details too. The caller calls `listen`.
 *
 * @param onRequest called for each request, before the answer
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
