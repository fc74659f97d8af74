import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { IncomingOfMessage } from './incoming-message.ts';

describe('the web request of a message', () => {
  it.each([
    ['https', new TLSSocket(new Socket())],
    ['http', new Socket()],
  ])('has an address of %s', (scheme, socket) => {
    const message = new IncomingMessage(socket);
    message.headers.host = 'leeward.example:8443';
    message.url = '/docs?x=1';
    const { request } = new IncomingOfMessage(message, new ServerResponse(message));
    expect(request.url).toBe(`${scheme}://leeward.example:8443/docs?x=1`);
    socket.destroy();
  });
});
