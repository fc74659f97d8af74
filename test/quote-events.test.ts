import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { openDatabase } from '@leeward/database';
import { createKeyHolder, createLeeward, type LeewardOptions } from '@leeward/http';
import { createNodeServer } from '@leeward/http/node';
import { type CarrierAdapter, createQuotes, type Quotes, quoteMigrations } from '@leeward/quotes';
import { createPQueueBackend } from '@leeward/quotes/queues/p-queue';
import { exampleBody } from '@leeward/quotes/testing';
import { describe, expect, it } from 'vitest';

const tokenOf = (team: string) => `lw_test_${team.padEnd(26, '0')}_${'k'.repeat(43)}`;
const organizations: Readonly<Record<string, readonly string[]>> = {
  org_acme: ['one', 'two', 'three', 'four'],
  org_late: ['late'],
};
const directory = createKeyHolder(
  Object.entries(organizations).flatMap(([organizationId, teams]) =>
    teams.map((team) => ({ token: tokenOf(team), scopes: ['quote'], organizationId, teamId: team })),
  ),
);

/** Starts a service with one carrier that answers on command, behind a plain server. */
async function service(options: Partial<LeewardOptions> & { eventStreams?: object } = {}) {
  const gate = Promise.withResolvers<void>();
  const carrier: CarrierAdapter = {
    ...{ key: 'slow', name: 'Slow Mutual', offers: [{ formTypes: ['ho3', 'ho5'] }], idempotent: true },
    async quote({ formType }) {
      if (formType === 'ho5') await gate.promise;
      return { outcome: 'quoted', premiumCents: 100n };
    },
  };
  const database = await openDatabase('sqlite::memory:', { migrations: [quoteMigrations] });
  const teams = { hasProducer: async () => true, appointments: async () => [{ carrierKey: 'slow' }] };
  const quotes: Quotes = createQuotes({ database, carriers: [carrier], queue: createPQueueBackend(), teams });
  await quotes.start();
  const { eventStreams = {}, ...rest } = options;
  let onOpen = () => {};
  const watched: Quotes = {
    ...quotes,
    events(...call) {
      onOpen();
      return quotes.events(...call);
    },
  };
  const leeward = createLeeward({ directory, quoting: { quotes: watched, eventStreams }, rateLimit: null, ...rest });
  const server = createNodeServer(leeward).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/quote`;
  const { quote_request_id: id } = await quotes.create('one', { ...exampleBody, form_types: ['ho3', 'ho5'] });
  const open = (
    headers: Record<string, string> = {},
    { team = 'one', quote = id, method = 'GET', signal = undefined as AbortSignal | undefined } = {},
  ) =>
    fetch(`${url}/${quote}/events`, {
      method,
      headers: { authorization: `Bearer ${tokenOf(team)}`, ...headers },
      ...(signal && { signal }),
    });
  return {
    ...{ id, leeward, quotes, open, url },
    answer: () => gate.resolve(),
    /** Runs whenever a stream is being opened. */
    whileOpened(run: () => void) {
      onOpen = run;
    },
    async [Symbol.asyncDispose]() {
      // The service would wait for a carrier that has not answered.
      gate.resolve();
      await quotes.stop({ graceMs: 100 });
      server.closeAllConnections();
      server.close();
      await database.close();
    },
  };
}

/** Reads until the text holds what is waited for, or ends. */
async function readUntil(response: Response, pattern: RegExp): Promise<string> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!pattern.test(text)) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  await reader.cancel();
  return text;
}

describe('the stream of a quote’s events', () => {
  it('tells what happened and what happens, and is taken up behind the last event', async () => {
    await using served = await service();
    const { id } = served;
    const response = await served.open();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const whole = readUntil(response, /quote\.completed.*\n\n/s);
    expect(await readUntil(await served.open(), /number/)).toContain(
      `id: ${id}_1\nevent: rate.ended\ndata: {"type":"rate.ended"`,
    );
    served.answer();
    const text = await whole;
    expect(text.match(/^id: .*$/gm)).toEqual([1, 2, 3].map((number) => `id: ${id}_${number}`));
    const rest = await readUntil(await served.open({ 'last-event-id': `${id}_2` }), /\n\n.*\n\n/s);
    expect(rest.match(/^id: .*$/gm)).toEqual([`id: ${id}_3`]);
    const data = JSON.parse(/^data: (.*)$/m.exec(rest)![1]!);
    expect(data).toMatchObject({ type: 'quote.completed', data: { quote_request_id: id, number: 3, rate: null } });
  });

  it('beats where nothing happens, and ends after its time', async () => {
    // As old as it takes a busy machine to beat twice.
    await using beating = await service({ eventStreams: { heartbeatMs: 20 } });
    const text = await readUntil(await beating.open(), /^:$.*^:$/ms);
    expect(text.startsWith('retry: 1000\n\n')).toBe(true);
    expect(text.match(/^:$/gm)!.length).toBeGreaterThan(1);
    await using ageing = await service({ eventStreams: { maxAgeMs: 300 } });
    expect(await readUntil(await ageing.open(), /never/)).toContain('retry: 1000\n\n');
  });

  it('does not count as a running request, and is limited per team', async () => {
    const eventStreams = { maxPerTeam: 3, maxPerOrganization: 4, max: 20 };
    await using served = await service({ overload: { maxInFlight: 1 }, eventStreams });
    const gone = new AbortController();
    const opened: Response[] = [];
    for (let count = 0; count < 3; count++) opened.push(await served.open({}, { signal: gone.signal }));
    expect(opened.map(({ status }) => status)).toEqual([200, 200, 200]);
    const refused = await served.open();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    expect(await refused.json()).toMatchObject({
      code: 'rate_limited',
      detail: expect.stringContaining('3 event streams'),
    });
    // Refused requests, and those without a quote, do not count either.
    for (const wrong of [{ team: 'two' }, { team: 'two', quote: 'none' }]) {
      expect((await served.open({}, wrong)).status).toBe(404);
    }
    const others = await served.quotes.create('two', { ...exampleBody, form_types: ['ho5'] });
    const two = { team: 'two', quote: others.quote_request_id };
    expect((await served.open({}, two)).status).toBe(200);
    expect((await served.open({}, two)).status).toBe(429);
    gone.abort();
    // The server notices after a pass or two of the event loop.
    for (let again = await served.open(); again.status !== 200; again = await served.open()) {
      expect(again.status).toBe(429);
      await again.body?.cancel();
    }
  });

  it('leaves places for a late organization when another one opens streams with all of its teams', async () => {
    await using served = await service({ eventStreams: { maxPerTeam: 4, max: 10 } });
    const gone = new AbortController();
    const openAs = async (team: string) => {
      const { quote_request_id: quote } = await served.quotes.create(team, { ...exampleBody, form_types: ['ho5'] });
      const { status } = await served.open({}, { team, quote, signal: gone.signal });
      return status;
    };
    const statuses: number[] = [];
    for (const team of organizations['org_acme']!) {
      for (let count = 0; count < 4; count++) statuses.push(await openAs(team));
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
    expect(statuses.filter((status) => status === 429)).toHaveLength(14);
    expect([await openAs('late'), await openAs('late'), await openAs('late')]).toEqual([200, 200, 429]);
    gone.abort();
  });

  it('has the refusals of every operation', async () => {
    await using served = await service();
    const answers = await Promise.all([
      served.open({ authorization: 'Bearer nobody' }),
      served.open({}, { quote: 'none' }),
      served.open({ 'last-event-id': 'x_1' }),
      served.open({}, { method: 'DELETE' }),
      served.open({}, { method: 'HEAD' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 404, 422, 405, 200]);
    expect(await answers[2]!.json()).toMatchObject({ errors: [{ path: '/last-event-id', code: 'unknown_event' }] });
  });

  it('comes through a handler of web requests as well, and stops with its reader', async () => {
    await using served = await service({ eventStreams: { maxPerTeam: 1 } });
    const request = (signal?: AbortSignal) =>
      new Request(`http://leeward.test/api/v1/quote/${served.id}/events`, {
        headers: { authorization: `Bearer ${tokenOf('one')}` },
        ...(signal && { signal }),
      });
    for (let round = 0; round < 3; round++) {
      expect(await readUntil(await served.leeward.fetch(request()), /number/)).toContain(`id: ${served.id}_1`);
    }
    // A host may report a closed client only through the request's signal, without cancelling the body.
    const gone = new AbortController();
    const left = await served.leeward.fetch(request(gone.signal));
    expect(left.status).toBe(200);
    gone.abort();
    // It may leave while its stream is opened.
    const early = new AbortController();
    served.whileOpened(() => early.abort());
    expect((await served.leeward.fetch(request(early.signal))).status).toBe(200);
    served.whileOpened(() => {});
    expect(early.signal.aborted).toBe(true);
    const head = await served.leeward.fetch(new Request(request(), { method: 'HEAD' }));
    expect([head.status, head.body]).toEqual([200, null]);
    await served.quotes.endEvents();
    expect(await readUntil(await served.leeward.fetch(request()), /never/)).toBe('retry: 1000\n\n');
  });
});
