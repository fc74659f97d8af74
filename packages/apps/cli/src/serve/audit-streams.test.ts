import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AuditItem, AuditLine } from '@leeward/accounts';
import { createSignedPost } from '@leeward/quotes';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { readAuditDestinations, readWebhookSecrets } from '../settings/audit-destinations.ts';
import type { Terminal } from '../terminal.ts';
import { auditStreamWarnings, createWebhookDestination } from './audit-streams.ts';
import { serveSettings } from './serve-settings.ts';

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

describe('LEEWARD_AUDIT_STREAM', () => {
  it('names files, syslog receivers and webhooks', () => {
    const text =
      'file:/var/log/audit%20log.ndjson, syslog://siem.example:1514 syslog+tls://[::1],syslog://siem.example:80,https://hook.example/a?b=c';
    expect(readAuditDestinations(text)).toEqual([
      { kind: 'file', path: '/var/log/audit log.ndjson' },
      { kind: 'syslog', host: 'siem.example', port: 1514, isTls: false },
      { kind: 'syslog', host: '::1', port: 6514, isTls: true },
      { kind: 'syslog', host: 'siem.example', port: 80, isTls: false },
      { kind: 'webhook', url: 'https://hook.example/a?b=c' },
    ]);
  });

  it.each([
    'file:audit.ndjson',
    'file://other/audit.ndjson',
    'file:/var/log/',
    '/var/log/audit.ndjson',
    'udp://siem.example:514',
    'syslog://',
    'syslog://siem.example:99999',
    'syslog://user@siem.example',
    'file:/a,file:/a',
  ])('refuses %s', (text) => {
    expect(() => readAuditDestinations(text)).toThrow(RangeError);
  });

  it('needs a secret for webhooks, and TLS unless private addresses are allowed', () => {
    const read = (environment: Record<string, string>) =>
      serveSettings({ demo: true }, { environment, folder: '/srv' } as unknown as Terminal).auditStream;
    expect(read({})).toBeUndefined();
    expect(read({ LEEWARD_AUDIT_STREAM: 'file:/a' })).toEqual({
      destinations: [{ kind: 'file', path: '/a' }],
      secrets: [],
    });
    expect(() => read({ LEEWARD_AUDIT_STREAM: 'https://hook.example/' })).toThrow('LEEWARD_AUDIT_STREAM_SECRET');
    const http = { LEEWARD_AUDIT_STREAM: 'http://hook.example/', LEEWARD_AUDIT_STREAM_SECRET: secret };
    expect(() => read(http)).toThrow('LEEWARD_PRIVATE_WEBHOOKS');
    expect(read({ ...http, LEEWARD_PRIVATE_WEBHOOKS: 'true' })?.secrets).toEqual([secret]);
    expect(() => read({ LEEWARD_AUDIT_STREAM: 'udp://siem.example?token=hidden' })).toThrow(/^(?!.*hidden)/s);
    for (const wrong of ['hidden', 'whsec_c2hvcnQ=', `${secret},!`]) {
      expect(() => readWebhookSecrets(wrong)).toThrow(/^(?!.*(?:hidden|c2hvcnQ)).*openssl rand/);
    }
  });
});

describe('A webhook of the audit log', () => {
  it('is signed, has an id of its entries, and reports a refusal without the answer', async () => {
    const received: { headers: Record<string, string>; body: string }[] = [];
    let status = 500;
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      received.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(status, { 'retry-after': '2' }).end('private');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token-in-path`;
    const lines = ['a', 'b'].map(
      (hash): AuditLine => ({ entry: { hash, at: `2026-11-20T00:00:00.000Z` } as AuditItem, line: '' }),
    );
    const destination = createWebhookDestination(url, [secret], createSignedPost({ allowPrivate: true }));
    try {
      const send = () => destination.send(lines, new AbortController().signal);
      await expect(send()).rejects.toMatchObject({ reason: 'answered 500', retryAfterMs: 2000 });
      status = 200;
      await send();
      const [first, second] = received.map(({ headers }) => headers['webhook-id']);
      expect(second).toBe(first);
      expect(new Webhook(secret).verify(received[1]!.body, received[1]!.headers)).toEqual({
        type: 'audit.entries',
        timestamp: '2026-11-20T00:00:00.000Z',
        data: { entries: lines.map(({ entry }) => entry) },
      });
      expect(destination.name).not.toContain('token-in-path');
      const guarded = createWebhookDestination(
        url.replace('http:', 'https:'),
        [secret],
        createSignedPost({ allowPrivate: false }),
      );
      await expect(guarded.send(lines, new AbortController().signal)).rejects.toMatchObject({
        reason: 'forbidden_port',
      });
    } finally {
      await destination.close?.();
      server.close();
    }
  });
});

it('warns about a stream that fails or is late', () => {
  const idle = { kind: 'file', name: 'file:/a', waiting: 0, oldestMs: null, lastError: null, failingMs: null } as const;
  expect(auditStreamWarnings([idle, { ...idle, waiting: 3, oldestMs: 59_000 }])).toEqual([]);
  expect(
    auditStreamWarnings([
      { ...idle, waiting: 3, oldestMs: 61_000 },
      { ...idle, waiting: 3, oldestMs: 5_000, lastError: 'ENOSPC', failingMs: 4_000 },
    ]),
  ).toEqual([
    {
      code: 'audit_stream_behind',
      message: 'The stream of the audit log to a file is behind: 3 entries wait, the oldest for 61 s; none is lost.',
    },
    {
      code: 'audit_stream_failing',
      message:
        'The stream of the audit log to a file has failed for 4 s (ENOSPC): 3 entries wait, the oldest for 5 s; none is lost.',
    },
  ]);
});
