import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Metrics } from '@leeward/http-admin';
import { type RunningServer, startServer } from './start-server.ts';

export interface Watched {
  readonly metrics: Metrics;
  /** Adds `/healthz` and `/readyz` for a process without API. Rejects with the unavailable resource. */
  readonly isReady?: () => Promise<void>;
}

/** `/metrics` on a separate port without authentication. */
export function startMetricsServer(watched: Watched, host: string, port: number): Promise<RunningServer> {
  return startServer(
    (options, onRequest) =>
      createServer(options, (request, response) => {
        onRequest(request, response);
        void answer(watched, request, response);
      }),
    host,
    port,
  );
}

interface MetricsAnswer {
  readonly status: number;
  readonly text: string;
  readonly contentType?: string;
}

async function answerOf({ metrics, isReady }: Watched, path: string | undefined): Promise<MetricsAnswer> {
  if (path === '/metrics') return { status: 200, ...(await metrics.text()) };
  if (isReady !== undefined && path === '/healthz') return { status: 200, text: 'ok\n' };
  if (isReady !== undefined && path === '/readyz') {
    // The log has the reason; callers must not see a database address.
    return isReady().then(
      () => ({ status: 200, text: 'ready\n' }),
      () => ({ status: 503, text: 'not ready\n' }),
    );
  }
  return { status: 404, text: '' };
}

async function answer(watched: Watched, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const isAsked = ['GET', 'HEAD'].includes(request.method ?? '');
  const {
    status,
    text,
    contentType = 'text/plain; charset=utf-8',
  } = isAsked ? await answerOf(watched, request.url?.split('?')[0]) : { status: 404, text: '' };
  const headers = { 'content-type': contentType, 'content-length': String(Buffer.byteLength(text)) };
  response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : text);
}
