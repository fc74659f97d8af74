import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A local server with scripted answers. */
export interface AnswerServer {
  readonly baseUrl: string;
  readonly host: string;
  readonly requests: readonly string[];
  /** Headers of the latest request. */
  headers(): Readonly<Record<string, string | string[] | undefined>>;
  close(): Promise<void>;
}

/** Answers requests of a test. */
export type Responder = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Starts a server on a free port.
 * @example
 * const server = await startAnswerServer(respondJson({ ok: true }));
 */
export async function startAnswerServer(respond: Responder): Promise<AnswerServer> {
  const requests: string[] = [];
  let headers: IncomingMessage['headers'] = {};
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    headers = request.headers;
    respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl: `http://${host}`,
    host,
    requests,
    headers: () => headers,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/**
 * Answers every request with this document.
 * @example
 * respondJson({ ok: true });
 */
export function respondJson(body: unknown): Responder {
  return respondText(JSON.stringify(body), 'application/json');
}

/**
 * Answers every request with this text.
 * @example
 * respondText('<html>', 'text/html', 502);
 */
export function respondText(
  text: string,
  contentType: string,
  status = 200,
  headers: Record<string, string> = {},
): Responder {
  return (_, response) => {
    response.writeHead(status, { 'content-type': contentType, ...headers });
    response.end(text);
  };
}
