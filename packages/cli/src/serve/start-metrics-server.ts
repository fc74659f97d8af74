import type { Metrics } from '@leeward/http';
import { type RunningServer, startServer } from './start-server.ts';

/** `/metrics` on a port of its own, to whoever can reach that port; nothing else is there. */
export function startMetricsServer(metrics: Metrics, host: string, port: number): Promise<RunningServer> {
  return startServer(
    async (request, response) => {
      if (request.url?.split('?')[0] !== '/metrics' || !['GET', 'HEAD'].includes(request.method ?? '')) {
        response.writeHead(404, { 'content-length': '0' }).end();
        return;
      }
      const { text, contentType } = await metrics.text();
      const headers = { 'content-type': contentType, 'content-length': String(Buffer.byteLength(text)) };
      response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : text);
    },
    host,
    port,
  );
}
