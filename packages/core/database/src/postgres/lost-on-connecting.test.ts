import { createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { isUnavailable, openDatabase } from '../index.ts';

/** A message of PostgreSQL's protocol: type, length and body. */
function message(letter: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(letter), length, body]);
}

const welcome = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);
const farewell = message(
  'E',
  Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'),
);

it('a connection that ends while it opens fails only its caller', async () => {
  // An error without a listener would end the process.
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([welcome, farewell])));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as { port: number };
  try {
    for (let tries = 0; tries < 5; tries++) {
      const error = await openDatabase(`postgres://nobody@127.0.0.1:${port}/nothing`).catch(
        (thrown: unknown) => thrown,
      );
      expect([error, isUnavailable(error)]).toEqual([expect.any(Error), true]);
    }
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
  }
});
