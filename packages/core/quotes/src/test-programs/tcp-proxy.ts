import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Can interrupt connections. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  cut(): Promise<void>;
  restore(): Promise<void>;
}

export async function createTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let server: Server;
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server = createServer((client) => {
        const upstream = connect(target);
        for (const [socket, other] of [
          [client, upstream],
          [upstream, client],
        ] as const) {
          sockets.add(socket);
          socket.setNoDelay(true);
          socket.on('error', () => other.destroy());
          socket.on('close', () => {
            sockets.delete(socket);
            other.destroy();
          });
          socket.pipe(other);
        }
      });
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  await listen(0);
  const { port } = server!.address() as AddressInfo;
  return {
    port,
    cut: close,
    restore: () => listen(port),
    async [Symbol.asyncDispose]() {
      if (server.listening) await close();
    },
  };
}
