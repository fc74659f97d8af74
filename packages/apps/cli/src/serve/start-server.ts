import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../command-error.ts';

export interface RunningServer {
  readonly url: string;
  /** Stops accepting, answers accepted requests, and resolves when idle or at the deadline. */
  stop(deadlineMs: number): Promise<void>;
}

/** Node accepts one connection per event-loop pass, so many may wait in the kernel. */
const SETTLE_MS = 25;
const MAX_SETTLE_MS = 3_000;
/** With Node's default backlog of 511, further clients believe they are connected and wait for retransmissions, for seconds. */
const MAX_WAITING = 4_096;

/** Reports each request before answering. */
export type MakeServer = (
  options: ServerOptions,
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
) => Server;

/** Keeps idle connections a little longer than a minute, longer than load balancers do. */
export async function startServer(makeServer: MakeServer, host: string, port: number): Promise<RunningServer> {
  const unanswered = new Set<ServerResponse>();
  let stopping = false;
  let accepted = 0;
  const server = makeServer(
    {
      requestTimeout: 30_000,
      headersTimeout: 10_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 2_000,
    },
    (_, response) => {
      // A kept-alive socket would delay the stop.
      if (stopping) response.setHeader('connection', 'close');
      unanswered.add(response);
      response.once('close', () => unanswered.delete(response));
    },
  );
  server.on('connection', () => {
    accepted++;
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)));
    server.listen({ port, host, backlog: MAX_WAITING }, resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`,
    async stop(deadlineMs) {
      stopping = true;
      for (const response of unanswered) if (!response.headersSent) response.setHeader('connection', 'close');
      await settled(() => accepted, Math.min(MAX_SETTLE_MS, deadlineMs / 2));
      const closed = new Promise<void>((resolve) => {
        // `server.close()` would also close connections with an unread request.
        NetServer.prototype.close.call(server, () => resolve());
      });
      await letSocketsSettle();
      server.closeIdleConnections();
      const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
      await closed;
      clearTimeout(deadline);
    },
  };
}

/** Waits until nothing changes, up to `maxMs`: callers may keep coming. */
async function settled(changing: () => number, maxMs: number): Promise<void> {
  const start = performance.now();
  let before: number;
  do {
    before = changing();
    await letSocketsSettle();
  } while (changing() !== before && performance.now() - start < maxMs);
}

/** Waits for several event-loop passes. A timer alone would fire before pending sockets. */
async function letSocketsSettle(): Promise<void> {
  await sleep(SETTLE_MS);
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new CommandError(
      `Port ${port} on ${host} is taken; stop what listens there, or choose another: PORT=${port === 65_535 ? 3001 : port + 1}.`,
    );
  }
  if (error.code === 'EACCES')
    return new CommandError(`Port ${port} needs rights this user lacks; choose one above 1023.`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new CommandError(`This machine has no address ${host} to listen on; 0.0.0.0 means all it has.`);
  }
  return error;
}
