import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
  readonly connections: () => number;
}

/** A real server on a free port, over TLS with `tls`. */
export async function createTestServer(
  answer: (request: TestServer['requests'][number], response: ServerResponse, socket: Socket) => void | Promise<void>,
  tls?: ServerOptions,
): Promise<TestServer> {
  const requests: TestServer['requests'] = [];
  let connections = 0;
  const listener: RequestListener = async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url = '', headers } = request;
    const received = { method, url, headers, body };
    requests.push(received);
    await answer(received, response, request.socket);
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http${tls === undefined ? '' : 's'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
