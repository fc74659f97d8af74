import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@leeward/database';
import { createKeyHolder, createLeeward } from '@leeward/http';
import { createNodeServer } from '@leeward/http/node';
import { type CarrierAdapter, createQuotes, type QuoteEvent, quoteMigrations } from '@leeward/quotes';
import { createPQueueBackend } from '@leeward/quotes/queues/p-queue';
import { exampleBody } from '@leeward/quotes/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkedLeeward } from './support/checked-leeward.ts';

const tokenOf = (team: string) => `lw_test_${team.padEnd(26, '0')}_${'k'.repeat(43)}`;
const letter = Buffer.from(Uint8Array.from({ length: 300_000 }, (_, at) => (at * 7919) % 251));

/** More than fits between two servers that wait for each other. */
const MAX_SENT = 64 * 2 ** 20;

/** A carrier's own server, and a service that passes its documents on. */
async function createService() {
  let broken = 0;
  let written = 0;
  const carrierServer = createServer(async (request, response) => {
    response.on('close', () => (broken += response.writableFinished ? 0 : 1));
    const headers = { 'set-cookie': 'a=b', 'content-type': 'application/pdf', 'x-carrier': 'internal' };
    switch (request.url!.split('?')[0]) {
      case '/letter':
        return response.writeHead(200, { ...headers, 'content-length': letter.length }).end(letter);
      case '/page':
        return response.writeHead(200, { 'content-type': 'text/html' }).end('<script>alert(1)</script>');
      case '/breaks':
        response.writeHead(200, headers).write(letter);
        await sleep(20);
        return response.destroy();
      case '/endless':
        response.writeHead(200, headers);
        for (let sent = 0; sent < MAX_SENT && !response.destroyed; sent += letter.length) {
          if (!response.write(letter)) await new Promise<void>((resume) => response.once('drain', resume));
          written += letter.length;
        }
        response.end();
        return;
      default:
        return response.writeHead(410).end();
    }
  }).listen(0, '127.0.0.1');
  await once(carrierServer, 'listening');
  const at = `http://127.0.0.1:${(carrierServer.address() as AddressInfo).port}`;
  const document = (id: string, mediaType = 'application/pdf') => ({
    id,
    mediaType,
    title: `Dana’s "${id}"\r\n`,
    url: `${at}/${id}?token=planted`,
  });
  const carrier: CarrierAdapter = {
    ...{ key: 'lettered', name: 'Lettered Mutual', offers: [{ formTypes: ['ho3'] }], idempotent: true },
    quote: async () => ({
      outcome: 'quoted',
      premiumCents: 100n,
      documents: [
        ...['letter', 'breaks', 'endless', 'missing'].map((id) => document(id)),
        document('page', 'text/html'),
      ],
    }),
  };
  const database = await openDatabase('sqlite::memory:', { migrations: [quoteMigrations] });
  const teams = { hasProducer: async () => true, appointments: async () => [{ carrierKey: 'lettered' }] };
  const events: QuoteEvent[] = [];
  const quotes = createQuotes({
    ...{ database, carriers: [carrier], queue: createPQueueBackend(), teams },
    listener: (event) => events.push(event),
    documents: { allowPrivate: true, maxBytes: 2 ** 40 },
  });
  await quotes.start();
  const directory = createKeyHolder(
    ['one', 'two'].map((team) => ({ token: tokenOf(team), scopes: ['quote'], organizationId: 'org', teamId: team })),
  );
  const leeward = createLeeward({
    directory,
    quoting: { quotes, documents: { maxPerTeam: 2, maxPerOrganization: 2 } },
    rateLimit: null,
  });
  const server = createNodeServer(leeward).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const quoteAs = async (team: string) => {
    const { quote_request_id: id } = await quotes.create(team, exampleBody);
    for (;;) {
      const { status, rates } = (await quotes.status(team, id))!;
      if (status === 'complete') return { id, rate: rates[0]!.id };
      await sleep(10);
    }
  };
  const { id, rate } = await quoteAs('one');
  const { rate: rateOfTwo } = await quoteAs('two');
  const path = (document: string, of = rate) => `/api/v1/rate/${of}/document/${document}`;
  const headers = (team: string) => ({ authorization: `Bearer ${tokenOf(team)}` });
  return {
    ...{ id, rate, rateOfTwo, quotes, events },
    broken: () => broken,
    written: () => written,
    /** By the web-standard handler, held against the document. */
    fetch: (document: string, team = 'one', of = rate) =>
      checkedLeeward(leeward).fetch(
        new Request(`http://leeward.example${path(document, of)}`, { headers: headers(team) }),
      ),
    /** Returns the answer with its body unread. */
    fetchPlain: (document: string) =>
      leeward.fetch(new Request(`http://leeward.example${path(document)}`, { headers: headers('one') })),
    /** Over a connection. */
    async get(document: string): Promise<IncomingMessage> {
      const { port } = server.address() as AddressInfo;
      const request = get({ port, host: '127.0.0.1', path: path(document), headers: headers('one'), agent: false });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      return response;
    },
    async [Symbol.asyncDispose]() {
      await quotes.stop({ graceMs: 100 });
      for (const each of [server, carrierServer]) {
        each.closeAllConnections();
        each.close();
      }
      await database.close();
    },
  };
}

let served: Awaited<ReturnType<typeof createService>>;
beforeAll(async () => {
  served = await createService();
});
afterAll(() => served[Symbol.asyncDispose]());
const ended = (fate: string) =>
  served.events.filter((event) => event.type === 'document' && event.fate === fate).length;

describe('documents of a rate', () => {
  it('come as the carrier has them, and nothing else of the carrier', async () => {
    const response = await served.fetch('letter');
    expect(response.status).toBe(200);
    const named = Object.fromEntries(response.headers);
    expect(named).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(letter.length),
      'content-disposition': "inline; filename*=UTF-8''Dana%E2%80%99s%20%22letter%22",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(Object.keys(named)).not.toContain('set-cookie');
    expect(Object.keys(named)).not.toContain('x-carrier');
    expect(Buffer.from(await response.arrayBuffer()).equals(letter)).toBe(true);
    const message = await served.get('letter');
    expect([message.statusCode, message.headers['content-length']]).toEqual([200, String(letter.length)]);
    expect(Buffer.concat(await message.toArray()).equals(letter)).toBe(true);
    const page = await served.fetch('page');
    expect(page.headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(await page.text()).toContain('<script>');
  });

  it('break the connection where the carrier breaks off, and never look whole', async () => {
    await expect((await served.get('breaks')).toArray()).rejects.toThrow('aborted');
    await expect((await served.fetchPlain('breaks')).arrayBuffer()).rejects.toMatchObject({ reason: 'broken_off' });
    expect(ended('failed')).toBeGreaterThanOrEqual(2);
  });

  it('are a problem where the carrier does not give them, and another team’s are not there', async () => {
    const missing = await served.fetch('missing');
    const problem = (await missing.json()) as { detail: string };
    expect([missing.status, problem]).toMatchObject([
      502,
      { code: 'carrier_failed', detail: expect.stringContaining('410') },
    ]);
    expect(JSON.stringify(problem)).not.toMatch(/planted|127\.0\.0\.1/);
    expect((await served.fetch('letter', 'two')).status).toBe(404);
    expect((await served.fetch('none')).status).toBe(404);
  });

  it('stop when the reader has gone, wait for a slow reader, and are limited per team', async () => {
    const before = { abandoned: ended('abandoned'), broken: served.broken() };
    const open = [await served.get('endless'), await served.get('endless')];
    expect((await served.fetch('letter')).status).toBe(429);
    // Its organization has no place left for another team.
    expect((await served.fetch('letter', 'two', served.rateOfTwo)).status).toBe(429);
    // Without a reader the document fills the buffers and then stops.
    let last = -1;
    const isStill = () => {
      const before = last;
      last = served.written();
      return before === last;
    };
    await expect.poll(isStill, { timeout: 60_000, interval: 100 }).toBe(true);
    expect(served.written()).toBeLessThan(MAX_SENT);
    for (const response of open) response.destroy();
    await expect.poll(() => ended('abandoned'), { timeout: 60_000 }).toBe(before.abandoned + 2);
    await expect.poll(served.broken, { timeout: 60_000 }).toBe(before.broken + 2);
    const plain = await served.fetchPlain('endless');
    const reader = plain.body!.getReader();
    await reader.read();
    await reader.cancel();
    await expect.poll(() => ended('abandoned')).toBe(before.abandoned + 3);
    expect((await served.fetch('letter')).status).toBe(200);
  });

  it('are gone with their quote', async () => {
    await served.quotes.erase('one', served.id);
    const response = await served.fetch('letter');
    expect([response.status, await response.json()]).toMatchObject([410, { code: 'gone' }]);
    expect(JSON.stringify(served.events)).not.toMatch(/planted|127\.0\.0\.1/);
  });
});
