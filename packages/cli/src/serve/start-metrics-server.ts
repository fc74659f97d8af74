import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Metrics } from '@leeward/http';
import { type RunningServer, startServer } from './start-server.ts';

/** `/metrics` on a port of its own, to whoever can reach that port; nothing else is there. */
export function startMetricsServer(metrics: Metrics, host: string, port: number): Promise<RunningServer> {
  return startServer(
    (options, onRequest) =>
      createServer(options, (request, response) => {
        onRequest(request, response);
        void answer(metrics, request, response);
      }),
    host,
    port,
  );
}

async function answer(metrics: Metrics, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url?.split('?')[0] !== '/metrics' || !['GET', 'HEAD'].includes(request.method ?? '')) {
    response.writeHead(404, { 'content-length': '0' }).end();
    return;
  }
  const { text, contentType } = await metrics.text();
  const headers = { 'content-type': contentType, 'content-length': String(Buffer.byteLength(text)) };
  response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : text);
}
