import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { writeAnswer } from '../answer/answer.ts';
import type { Leeward } from '../leeward.ts';
import { Problem } from '../problem/problem.ts';
import { problemAnswer } from '../problem/problem-document.ts';
import { requestIdOf } from '../request/incoming.ts';
import { createNodeHandler, sendAnswer } from './node-handler.ts';
import { refuseSocket } from './refuse-socket.ts';

/**
 * A server of `node:http` for a service alone, whose every answer is the service's own: also to what Node itself would
 * answer with a bare 400, 408, 413, 417 or 431. It listens when it is told to. `onRequest` hears of each request before it
 * is answered.
 */
export function createNodeServer(
  leeward: Pick<Leeward, 'answer' | 'turns'>,
  options: ServerOptions = {},
  onRequest: (request: IncomingMessage, response: ServerResponse) => void = () => {},
): Server {
  const handle = createNodeHandler(leeward);
  const server = createServer({ ...options, requireHostHeader: false }, (request, response) => {
    onRequest(request, response);
    // A proxy could take a request without it for another's.
    if (request.httpVersion === '1.1' && request.headers.host === undefined) {
      refuse(request, response, new Problem('malformed_request', 'The request has no Host field; send one.'));
    } else void handle(request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    onRequest(request, response);
    const detail = 'The request expects what is not done here; send it without Expect, or with 100-continue.';
    refuse(request, response, new Problem('expectation_failed', detail));
  });
  server.on('connection', () => leeward.turns.giveWay());
  server.on('clientError', refuseSocket);
  return server;
}

function refuse(request: IncomingMessage, response: ServerResponse, problem: Problem): void {
  const given = request.headers['x-request-id'];
  const id = requestIdOf(typeof given === 'string' ? given : null);
  response.setHeader('connection', 'close');
  sendAnswer(writeAnswer(problemAnswer(problem, id), id, undefined, 0), request, response);
}
