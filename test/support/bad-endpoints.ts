import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Ways in which an endpoint of webhooks is bad; each is a path. */
export const badEndpointPaths = ['fail', 'hang', 'slow', 'reset', 'redirect', 'large', 'busy'] as const;

/** A slow answer never ends. */
const SLOW_BYTES_EVERY_MS = 1_000;
const LARGE_BYTES = 4 * 1024 * 1024;

/**
 * Listens on this machine and answers each request in the way its path names: with 500, never, a byte a second, by breaking the
 * connection, by a redirect, with megabytes, or with 429 and an hour to wait.
 */
export async function listenBadly(): Promise<{ readonly port: number; close(): void }> {
  const large = Buffer.alloc(LARGE_BYTES, '.');
  const server = createServer((request, response) => {
    request.resume();
    switch (request.url?.split('/')[1]) {
      case 'hang':
        return;
      case 'slow': {
        response.writeHead(200).write('.');
        const timer = setInterval(() => response.write('.'), SLOW_BYTES_EVERY_MS);
        response.once('close', () => clearInterval(timer));
        return;
      }
      case 'reset':
        response.destroy();
        return;
      case 'redirect':
        response.writeHead(302, { location: '/hang' }).end();
        return;
      case 'large':
        response.writeHead(200).end(large);
        return;
      case 'busy':
        response.writeHead(429, { 'retry-after': '3600' }).end();
        return;
      default:
        response.writeHead(500).end();
    }
  });
  server.listen(0, '127.0.0.1', 4_096);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
