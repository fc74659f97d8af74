import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody } from '../testing/example-request.ts';
import { eventually as eventuallyOr } from '../testing/suite.ts';

const eventually = (condition: () => Promise<boolean>, timeoutMs = 30_000) =>
  eventuallyOr(condition, () => 'not told', timeoutMs);

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

async function createReceiver(
  answer: (received: Received) => number = () => 200,
  headersOf: () => Record<string, string> = () => ({}),
) {
  const taken: Received[] = [];
  const all: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const received = { headers: request.headers, body };
      all.push(received);
      const status = answer(received);
      if (status < 300) taken.push(received);
      response
        .writeHead(status, status >= 300 && status < 400 ? { location: 'http://127.0.0.1:9/' } : headersOf())
        .end('whatever');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...{ all, taken },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    numbers: () => taken.map(({ body }) => JSON.parse(body).data.number as number),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const offers = [{ formTypes: ['ho3', 'ho5'] as const }];
const carrier = () => scriptedCarrier(async () => quotedAt(12_300n), { offers });
const both = { ...exampleBody, form_types: ['ho3', 'ho5'] };

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`webhooks on ${engine.title}`, { concurrent: true }, () => {
    it('receive each event in order, signed by the specification, with the same id on a replay', async () => {
      await using receiver = await createReceiver();
      await using bench = await createBench(engine, [carrier()], { allowPrivateWebhooks: true });
      const { webhooks } = bench.quotes;
      const { webhook_id, secret } = await webhooks.create('team-1', { url: receiver.url });
      const { quote_request_id: id } = await bench.quotes.create('team-1', both);
      await eventually(async () => receiver.taken.length === 3);
      const ids = receiver.taken.map(({ headers }) => headers['webhook-id']);
      expect(ids).toEqual([1, 2, 3].map((number) => `${id}_${number}`));
      for (const { headers, body } of receiver.taken) {
        expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));
        expect(() => new Webhook(secret).verify(`${body} `, headers as Record<string, string>)).toThrow();
      }
      expect(receiver.taken.map(({ body }) => JSON.parse(body).type)).toEqual([
        'rate.ended',
        'rate.ended',
        'quote.completed',
      ]);
      expect(receiver.all.map(({ body }) => body).join()).not.toMatch(/Whitfield|dana|Larkspur|agent@/i);
      await eventually(async () => (await webhooks.read(webhook_id))?.waiting === 0);

      expect(await webhooks.replay(webhook_id, { since: '2020-01-01T00:00:00Z' })).toEqual({ quotes: 1 });
      await eventually(async () => receiver.taken.length === 6);
      expect(receiver.taken.slice(3).map(({ headers }) => headers['webhook-id'])).toEqual(ids);
      expect(await webhooks.replay(webhook_id, { since: '2200-01-01T00:00:00Z' })).toEqual({ quotes: 0 });

      const rotated = await webhooks.rotate(webhook_id);
      expect(await webhooks.test(webhook_id)).toEqual({ delivered: true, status: 200, failure: null });
      const { headers, body } = receiver.taken.at(-1)!;
      for (const each of [secret, rotated!.secret]) new Webhook(each).verify(body, headers as Record<string, string>);
      expect(JSON.parse(body)).toMatchObject({ type: 'webhook.test', data: { webhook_id } });
    });

    it('abort a test when its caller leaves', async () => {
      await using receiver = await createReceiver();
      await using bench = await createBench(engine, [carrier()], { allowPrivateWebhooks: true });
      const { webhooks } = bench.quotes;
      const { webhook_id } = await webhooks.create('team-1', { url: receiver.url });
      expect(await webhooks.test(webhook_id, { signal: AbortSignal.abort() })).toMatchObject({
        delivered: false,
        status: null,
      });
      expect(receiver.all).toHaveLength(0);
    });

    it('receive all events in order after outages, slow responses and redirects', async () => {
      const answers = [500, 302];
      await using receiver = await createReceiver(() => answers.shift() ?? 204);
      await using bench = await createBench(engine, [carrier()], { allowPrivateWebhooks: true, random: () => 0 });
      const { webhooks } = bench.quotes;
      const { webhook_id } = await webhooks.create('team-1', { url: receiver.url, description: 'CRM' });
      await bench.quotes.create('team-1', both);
      await eventually(async () => receiver.all.length > 0);
      let read = await webhooks.read(webhook_id);
      await eventually(async () => {
        read = await webhooks.read(webhook_id);
        return read?.state === 'failing';
      });
      expect(read).toMatchObject({
        description: 'CRM',
        waiting: 1,
        last_failure: 'answered 500',
      });
      await eventually(async () => receiver.taken.length === 3);
      expect(receiver.numbers()).toEqual([1, 2, 3]);
      expect(receiver.all).toHaveLength(5);
      expect(await webhooks.read(webhook_id)).toMatchObject({ state: 'active' });
      const failed = bench.events.filter((event) => event.type === 'webhook_failed');
      expect(failed.map(({ reason }) => reason)).toEqual(['answered 500', 'redirect (302)']);
      expect(failed.map(({ delayMs }) => delayMs)).toEqual([800, 1600]);
    });

    it('stop after a 410 until the endpoint is enabled', async () => {
      let isGone = true;
      await using receiver = await createReceiver(() => (isGone ? 410 : 200));
      await using bench = await createBench(engine, [carrier()], { allowPrivateWebhooks: true });
      const { webhooks } = bench.quotes;
      const { webhook_id } = await webhooks.create('team-1', { url: receiver.url, event_types: ['quote.completed'] });
      await bench.quotes.create('team-1', both);
      await eventually(async () => (await webhooks.read(webhook_id))?.state === 'disabled');
      expect(bench.events).toContainEqual({
        type: 'webhook_disabled',
        webhookId: webhook_id,
        reason: expect.stringContaining('410'),
      });
      await expect(webhooks.replay(webhook_id, { since: '2020-01-01T00:00:00Z' })).rejects.toMatchObject({
        faults: [{ path: '/webhook_id', code: 'webhook_disabled' }],
      });
      isGone = false;
      expect(await webhooks.enable(webhook_id)).toMatchObject({ state: 'active' });
      await eventually(async () => receiver.taken.length > 0);
      expect(receiver.taken.map(({ body }) => JSON.parse(body).type)).toEqual(['quote.completed']);
      expect(await webhooks.remove(webhook_id)).toBe(true);
      expect(await webhooks.list('team-1')).toEqual([]);
      for (const nothing of [
        webhooks.read(webhook_id),
        webhooks.test(webhook_id),
        webhooks.enable('x y'),
        webhooks.rotate(''),
      ])
        expect(await nothing).toBeUndefined();
    });

    it('are retried for three days with growing waits; then the endpoint is disabled and reported', async () => {
      let status = 500;
      await using receiver = await createReceiver(() => status);
      let offsetMs = 0;
      const clock = { nowMicros: () => Math.round((Date.now() + offsetMs) * 1000) };
      await using bench = await createBench(engine, [carrier()], {
        allowPrivateWebhooks: true,
        clock,
        random: () => 0.5,
      });
      const { webhooks } = bench.quotes;
      const { webhook_id } = await webhooks.create('team-1', { url: receiver.url });
      const created = await bench.quotes.create('team-1', both);
      await bench.completed(created.quote_request_id);
      const read = async () => (await webhooks.read(webhook_id))!;
      const failed = () => bench.events.filter((event) => event.type === 'webhook_failed');
      await eventually(async () => failed().length === 1);
      let passedMs = 0;
      while ((await read()).state !== 'disabled') {
        const before = failed();
        const { delayMs } = before.at(-1)!;
        passedMs += delayMs;
        offsetMs += delayMs;
        await eventually(async () => failed().length > before.length);
        expect(passedMs).toBeLessThan(4 * 86_400_000);
      }
      // One second, doubled fourteen times, then every four hours.
      expect(
        failed()
          .map(({ delayMs }) => delayMs / 1000)
          .slice(0, 4),
      ).toEqual([1, 2, 4, 8]);
      expect(Math.max(...failed().map(({ delayMs }) => delayMs))).toBe(4 * 3_600_000);
      expect(passedMs).toBeGreaterThan(3 * 86_400_000);
      expect(passedMs).toBeLessThan(3.3 * 86_400_000);
      expect(bench.events.filter(({ type }) => type === 'webhook_disabled')).toHaveLength(1);
      expect(await read()).toMatchObject({
        disabled_reason: expect.stringContaining('three days'),
        last_failure: expect.any(String),
      });
      const attempts = receiver.all.length;
      offsetMs += 86_400_000;
      for (let rounds = 0; rounds < 3; rounds++) await bench.quotes.sweep();
      expect(receiver.all).toHaveLength(attempts);
      status = 200;
      await webhooks.enable(webhook_id);
      await eventually(async () => (await read()).waiting === 0);
      expect(receiver.numbers()).toEqual([1, 2, 3]);
    });

    it('wait for a failed event of the same quote only', async () => {
      const refused = new Set<string>();
      const quoteOf = ({ body }: Received) => JSON.parse(body).data.quote_request_id as string;
      await using receiver = await createReceiver((received) => (refused.has(quoteOf(received)) ? 500 : 200));
      await using bench = await createBench(engine, [carrier()], { allowPrivateWebhooks: true, random: () => 1000 });
      const { webhooks } = bench.quotes;
      const made = await Promise.all(Array.from({ length: 24 }, () => bench.quotes.create('team-1', both)));
      const ids = made.map(({ quote_request_id: id }) => id);
      for (const id of ids) await bench.completed(id, 60_000);
      for (const id of ids.filter((_, index) => index % 3 === 0)) refused.add(id);
      const { webhook_id } = await webhooks.create('team-1', { url: receiver.url });
      await webhooks.replay(webhook_id, { since: '2020-01-01T00:00:00Z' });
      await eventually(async () => receiver.taken.length === 16 * 3 && receiver.all.length === 16 * 3 + 8);
      for (const id of ids) {
        const taken = receiver.taken.filter((received) => quoteOf(received) === id);
        expect(taken.map(({ body }) => JSON.parse(body).data.number)).toEqual(refused.has(id) ? [] : [1, 2, 3]);
      }
      await eventually(async () => (await webhooks.read(webhook_id))?.waiting === 8);
    });

    it('are paused as a whole if the endpoint is down or requests it', async () => {
      let headers = {};
      await using receiver = await createReceiver(
        () => 500,
        () => headers,
      );
      await using bench = await createBench(engine, [carrier()], { allowPrivateWebhooks: true, random: () => 1000 });
      const { webhooks } = bench.quotes;
      const made = await Promise.all(Array.from({ length: 60 }, () => bench.quotes.create('team-1', both)));
      for (const { quote_request_id: id } of made) await bench.completed(id, 60_000);
      const { webhook_id } = await webhooks.create('team-1', { url: receiver.url });
      const failed = () => bench.events.filter(({ type }) => type === 'webhook_failed').length;
      await webhooks.replay(webhook_id, { since: '2020-01-01T00:00:00Z' });
      await eventually(async () => failed() >= 20);
      for (let rounds = 0; rounds < 5; rounds++) await bench.quotes.sweep();
      // Those running at the twentieth failure and their replacements.
      expect(receiver.all.length).toBeLessThanOrEqual(20 + 2 * 8);
      expect(await webhooks.read(webhook_id)).toMatchObject({ state: 'failing', waiting: 60 });

      headers = { 'retry-after': '600' };
      await webhooks.enable(webhook_id);
      const before = receiver.all.length;
      await eventually(async () => receiver.all.length > before);
      for (let rounds = 0; rounds < 5; rounds++) await bench.quotes.sweep();
      expect(receiver.all.length - before).toBeLessThanOrEqual(8);
    });

    it.each([
      ['an endpoint that takes next to nothing for three days is disabled', 'disabled'],
      ['an event that fails for three days while others are taken is given up', 'given up'],
    ] as const)('%s', async (_, expected) => {
      let poisoned: string | undefined;
      await using receiver = await createReceiver(({ body }) =>
        poisoned === undefined || JSON.parse(body).data.quote_request_id === poisoned ? 500 : 200,
      );
      let offsetMs = 0;
      const clock = { nowMicros: () => Math.round((Date.now() + offsetMs) * 1000) };
      const options = { allowPrivateWebhooks: true, clock, random: () => 0.5 };
      await using bench = await createBench(engine, [carrier()], options);
      const { webhooks } = bench.quotes;
      const { webhook_id } = await webhooks.create('team-1', { url: receiver.url, event_types: ['quote.completed'] });
      ({ quote_request_id: poisoned } = await bench.quotes.create('team-1', both));
      const ends = () =>
        bench.events.filter(({ type }) => type === 'webhook_disabled' || type === 'webhook_event_given_up');
      const failed = () => bench.events.filter((event) => event.type === 'webhook_failed');
      await eventually(async () => failed().length === 1);
      const successAfterMs = (expected === 'disabled' ? 1.5 : 2.8) * 86_400_000;
      while (ends().length === 0) {
        const attempts = failed().length;
        if (receiver.taken.length === 0 && offsetMs > successAfterMs) {
          await bench.quotes.create('team-1', both);
          await eventually(async () => receiver.taken.length === 1);
        }
        offsetMs += failed().at(-1)!.delayMs;
        await eventually(async () => failed().length > attempts || ends().length > 0);
        expect(offsetMs).toBeLessThan(4 * 86_400_000);
      }
      expect(offsetMs).toBeGreaterThan(3 * 86_400_000);
      if (expected === 'disabled') {
        expect(ends()).toEqual([
          expect.objectContaining({
            type: 'webhook_disabled',
            reason: expect.stringMatching(/^\d\d of \d\d attempts in three days failed; the last one: answered 500\.$/),
          }),
        ]);
      } else {
        expect(ends()).toEqual([expect.objectContaining({ type: 'webhook_event_given_up', quoteId: poisoned })]);
        await eventually(async () => (await webhooks.read(webhook_id))?.waiting === 0);
        expect(await webhooks.read(webhook_id)).toMatchObject({ state: 'active' });
      }
    });

    it('stay enabled if one event of many fails for three days', async () => {
      let poisoned: string | undefined;
      await using receiver = await createReceiver(({ body }) =>
        poisoned === undefined || JSON.parse(body).data.quote_request_id === poisoned ? 500 : 200,
      );
      let offsetMs = 0;
      const clock = { nowMicros: () => Math.round((Date.now() + offsetMs) * 1000) };
      const options = { allowPrivateWebhooks: true, clock, random: () => 0.5 };
      await using bench = await createBench(engine, [carrier()], options);
      const { webhooks } = bench.quotes;
      const { webhook_id } = await webhooks.create('team-1', { url: receiver.url, event_types: ['quote.completed'] });
      ({ quote_request_id: poisoned } = await bench.quotes.create('team-1', both));
      const failed = () => bench.events.filter((event) => event.type === 'webhook_failed');
      await eventually(async () => failed().length === 1);
      while (offsetMs < 3.3 * 86_400_000) {
        if (receiver.taken.length === 0 && offsetMs > 86_400_000) {
          for (let quotes = 0; quotes < 20; quotes++) await bench.quotes.create('team-1', both);
          await eventually(async () => receiver.taken.length === 20);
        }
        const attempts = failed().length;
        offsetMs += failed().at(-1)!.delayMs;
        await eventually(async () => failed().length > attempts);
      }
      expect(failed().length).toBeGreaterThan(20);
      expect(await webhooks.read(webhook_id)).toMatchObject({ state: 'failing' });
      expect(bench.events.map(({ type }) => type)).not.toContain('webhook_disabled');
    });

    it('are deleted with their team, and their secrets are encrypted', async () => {
      await using receiver = await createReceiver();
      const key = { id: 'k1', key: Buffer.alloc(32, 7) };
      let isRemoved = false;
      const teams = {
        hasProducer: async () => true,
        appointments: async () => [{ carrierKey: 'scripted' }],
        isRemoved: async () => isRemoved,
      };
      await using bench = await createBench(engine, [carrier()], {
        allowPrivateWebhooks: true,
        encryption: { current: key },
        teams,
      });
      const { webhooks } = bench.quotes;
      const { webhook_id, secret } = await webhooks.create('team-1', { url: receiver.url });
      const database = await bench.place.open();
      const kept = await database.tables<{ quote_webhook: object }>().selectFrom('quote_webhook').selectAll().execute();
      expect(JSON.stringify(kept)).not.toContain(secret.slice(6, 20));
      expect(JSON.stringify(await webhooks.list('team-1'))).not.toContain('secret');
      const keyless = await bench.join({ encryption: undefined });
      expect(await keyless.webhooks.test(webhook_id)).toEqual({
        delivered: false,
        status: null,
        failure: 'secret_unreadable',
      });
      isRemoved = true;
      await bench.quotes.eraseRemovedTeams();
      expect(await webhooks.list('team-1')).toEqual([]);
    });
  });
}

describe('an endpoint', () => {
  it.each([
    ['', 'invalid_url'],
    ['example.com/hook', 'invalid_url'],
    ['ftp://example.com/hook', 'not_https'],
    ['http://example.com/hook', 'not_https'],
    ['https://user:secret@example.com/', 'invalid_url'],
    ['https://example.com/#part', 'invalid_url'],
    [`https://example.com/${'x'.repeat(2000)}`, 'invalid_url'],
    ['https://localhost/', 'forbidden_address'],
    ['https://LOCALHOST./', 'forbidden_address'],
    ['https://printer.local/', 'forbidden_address'],
    ['https://metadata.google.internal/', 'forbidden_address'],
    ['https://127.0.0.1/', 'forbidden_address'],
    ['https://2130706433/', 'forbidden_address'],
    ['https://0x7f.1/', 'forbidden_address'],
    ['https://017700000001/', 'forbidden_address'],
    ['https://169.254.169.254/latest/meta-data', 'forbidden_address'],
    ['https://[::1]/', 'forbidden_address'],
    ['https://[::ffff:10.0.0.1]/', 'forbidden_address'],
    ['https://[64:ff9b::a00:1]/', 'forbidden_address'],
    ['https://[fe80::1]/', 'forbidden_address'],
    ['https://example.com:22/', 'forbidden_port'],
    ['https://example.com:80/', 'forbidden_port'],
    ['https://example.com:8080/', 'forbidden_port'],
    ['https://example.com:6379/hook', 'forbidden_port'],
  ])('at %s is refused as %s', async (url, code) => {
    await using bench = await createBench(engines.find(({ engine }) => engine === 'sqlite')!, [carrier()], {
      work: false,
    });
    const faults = await bench.quotes.webhooks.create('team-1', { url }).then(
      () => [],
      (error: { faults: unknown[] }) => error.faults,
    );
    expect(faults).toMatchObject([{ path: '/url', code, message: expect.not.stringContaining('secret') }]);
  });

  it.each(['https://example.com/hook', 'https://example.com:443/hook', 'https://example.com:8443/hook'])(
    'may be at %s, and at another port only where the operator allows it',
    async (url) => {
      const sqlite = engines.find(({ engine }) => engine === 'sqlite')!;
      await using bench = await createBench(sqlite, [carrier()], { work: false });
      expect(await bench.quotes.webhooks.create('team-1', { url })).toMatchObject({ url: new URL(url).href });
      const elsewhere = { url: 'https://example.com:9443/hook' };
      await expect(bench.quotes.webhooks.create('team-1', elsewhere)).rejects.toMatchObject({
        faults: [{ code: 'forbidden_port', message: expect.stringMatching(/9443.*443, 8443.*operator/) }],
      });
      const allowing = await bench.join({ webhookPorts: [443, 9443] });
      expect(await allowing.webhooks.create('team-1', elsewhere)).toMatchObject(elsewhere);
    },
  );

  it('is limited to twenty per team and to known event types', async () => {
    await using bench = await createBench(engines.find(({ engine }) => engine === 'sqlite')!, [carrier()], {
      work: false,
    });
    const { webhooks } = bench.quotes;
    const url = 'https://example.com/hook';
    for (const [types, code] of [
      [[], 'empty_list'],
      [['rate.started'], 'unknown_event_type'],
    ] as const) {
      await expect(webhooks.create('team-1', { url, event_types: types as never })).rejects.toMatchObject({
        faults: [{ code }],
      });
    }
    for (let made = 0; made < 20; made++) await webhooks.create('team-1', { url });
    await expect(webhooks.create('team-1', { url })).rejects.toMatchObject({ faults: [{ code: 'too_many_webhooks' }] });
    await webhooks.create('team-2', { url });
    expect(await webhooks.list('team-1')).toHaveLength(20);
  });
});
