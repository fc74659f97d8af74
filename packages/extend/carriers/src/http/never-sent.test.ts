import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { testCertificates } from '../testing/test-certificates.ts';
import { createFetchWithCertificate } from './auth/fetch-with-certificate.ts';
import { neverSentCode } from './never-sent.ts';
import { sendHttp } from './send-http.ts';

const { ca, serverCertificate, serverKey, clientCertificate, clientKey } = testCertificates;
const ours = { certificate: 'CERTIFICATE', key: 'KEY', ca: 'CA' };
const secrets = { CERTIFICATE: clientCertificate, KEY: clientKey, CA: ca };
const fetches = [
  ['without a certificate of ours', globalThis.fetch],
  [
    'with a certificate of ours',
    createFetchWithCertificate(
      Object.fromEntries(Object.entries(ours).map(([key, name]) => [key, `\${${name}}`])) as typeof ours,
      (name) => secrets[name as keyof typeof secrets],
    ),
  ],
] as const;

async function faultFrom(server: Server, fetch: typeof globalThis.fetch): Promise<unknown> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  try {
    const signal = AbortSignal.timeout(20_000);
    return await sendHttp(fetch, `https://127.0.0.1:${port}/`, { method: 'POST', body: '{}', signal }).catch(
      (error: unknown) => error,
    );
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

describe.each(fetches)('a connection on which TLS fails, %s', (_, fetch) => {
  it.each([
    [
      'a server that speaks no TLS',
      () => createServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 \r\n\r\n'))),
    ],
    [
      'a server that hangs up in the handshake',
      () => createServer((socket) => socket.once('data', () => socket.end())),
    ],
    [
      'a server that resets in the handshake',
      () => createServer((socket) => socket.once('data', () => socket.resetAndDestroy())),
    ],
    ['a server that has no certificate', () => createTlsServer({}).on('tlsClientError', () => {})],
  ])('is known to have sent nothing to %s', async (__, server) => {
    expect(await faultFrom(server(), fetch)).toMatchObject({
      name: 'CarrierFault',
      kind: 'refused',
      nothingMade: true,
    });
  });
});

it('may have sent a request after the TLS handshake', async () => {
  const server = createTlsServer({ cert: serverCertificate, key: serverKey });
  server.on('secureConnection', (socket: TLSSocket) =>
    socket.once('data', () => socket.destroy()).on('error', () => {}),
  );
  expect(await faultFrom(server, fetches[1][1])).toMatchObject({ kind: 'lost' });
});

it.each([
  [['ECONNREFUSED', 'EHOSTUNREACH'], 'ECONNREFUSED'],
  [['ECONNREFUSED', 'ECONNRESET'], undefined],
  [[], undefined],
])('to a name with addresses that fail with %j has code %j', (addressCodes, expected) => {
  const errors = addressCodes.map((code) => Object.assign(new Error(code), { code }));
  expect(neverSentCode(new AggregateError(errors))).toBe(expected);
});
