import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { expect, it } from 'vitest';
import { type AuditItem, type AuditLine, createSyslogDestination } from '../packages/extend/accounts/src/index.ts';
import { testCertificates } from '../packages/extend/carriers/src/testing/test-certificates.ts';

it('syslog over TLS verifies the certificate, sends whole frames, and repeats what a receiver cut off', async () => {
  const { ca, serverCertificate: cert, serverKey: key } = testCertificates;
  const received: string[] = [];
  let isCut = false;
  const server = createServer({ cert, key }, (socket: TLSSocket) => {
    const chunks: Buffer[] = [];
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      if (isCut) socket.destroy();
      else chunks.push(chunk);
    });
    socket.on('end', () => received.push(Buffer.concat(chunks).toString()));
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const line = JSON.stringify({ action: 'teams.create', changes: { name: { after: 'Über' } } });
  const lines: AuditLine[] = [{ entry: { at: '2026-11-20T12:00:00.000000Z' } as AuditItem, line }];
  const send = (receiver: { readonly ca?: string }) =>
    createSyslogDestination({ host: '127.0.0.1', port, isTls: true, ...receiver }).send(
      lines,
      AbortSignal.timeout(5_000),
    );
  try {
    await expect(send({})).rejects.toMatchObject({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
    await send({ ca });
    const [, length, message] = /^(\d+) (.*)$/s.exec(received.at(-1) ?? '') ?? [];
    expect(Number(length)).toBe(Buffer.byteLength(message!));
    expect(message).toMatch(/^<109>1 2026-11-20T12:00:00\.000000Z \S+ leeward - audit - \{/);
    expect(message!.endsWith(line)).toBe(true);
    const { length: before } = received;
    isCut = true;
    await expect(send({ ca })).rejects.toThrow();
    expect(received).toHaveLength(before);
  } finally {
    server.close();
  }
});
