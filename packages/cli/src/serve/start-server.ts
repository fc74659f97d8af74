import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { createNodeHandler } from '@leeward/http/node';
import { CommandError } from '../command-error.ts';

export interface RunningServer {
  readonly url: string;
  /** Takes no new connection, answers what was accepted, and resolves when all is quiet or the deadline has passed. */
  stop(deadlineMs: number): Promise<void>;
}

type Handler = ReturnType<typeof createNodeHandler>;

/** Listens. A connection at rest is closed after a little more than a minute, longer than balancers keep one. */
export async function startServer(handler: Handler, host: string, port: number): Promise<RunningServer> {
  const unanswered = new Set<ServerResponse>();
  let stopping = false;
  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 },
    (request, response) => {
      // A socket kept alive would hold the stop up.
      if (stopping) response.setHeader('connection', 'close');
      unanswered.add(response);
      response.once('close', () => unanswered.delete(response));
      void handler(request, response);
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)));
    server.listen(port, host, resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`,
    async stop(deadlineMs) {
      stopping = true;
      for (const response of unanswered) if (!response.headersSent) response.setHeader('connection', 'close');
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeIdleConnections();
      const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
      await closed;
      clearTimeout(deadline);
    },
  };
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
