import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProperty, homeVocabulary } from '@leeward/engine';
import { type HazardEvent, parseHazardEvents } from '@leeward/engine/events';
import { afterEach, describe, expect, it } from 'vitest';
import { createFileHazardEvents } from './file-hazard-events.ts';
import { attachHazardEvents, combineHazardEvents, createMemoryHazardEvents } from './hazard-event-feed.ts';
import { createPolledHazardEvents, type PolledHazardEvents } from './polled-hazard-events.ts';
import { createUrlHazardEvents } from './url-hazard-events.ts';

const storm = (id = 'al05', changes: object = {}) => ({
  id,
  kind: 'hurricane',
  states: ['fl'],
  from: '2026-08-29T12:00:00Z',
  ...changes,
});

function checked(...events: object[]): readonly HazardEvent[] {
  const parsed = parseHazardEvents(events);
  if (!parsed.ok) throw new Error(parsed.faults[0]!.message);
  return parsed.events;
}

const idsOf = (feed: { readonly latest: { readonly events: readonly HazardEvent[] | undefined } }) =>
  feed.latest.events?.map(({ id }) => id);

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function opened<Feed extends PolledHazardEvents>(feed: Feed): Feed {
  closing.push(() => feed.close());
  return feed;
}

async function until(condition: () => boolean): Promise<void> {
  const startedAt = performance.now();
  while (!condition()) {
    if (performance.now() - startedAt > 20_000) throw new Error('It did not come to pass.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('A source of events that is polled', () => {
  /** Reads by hand. */
  function open(maxAgeMs = 1_000) {
    const clock = { ms: 0 };
    const source: { content: unknown; isDown: boolean } = { content: [], isDown: false };
    const errors: string[] = [];
    const feed = opened(
      createPolledHazardEvents({
        name: 'The source',
        async read() {
          if (source.isDown) throw new Error('it is down.');
          return { content: source.content };
        },
        pollMs: 3_600_000,
        maxAgeMs,
        onError: ({ message }) => errors.push(message),
        clock: () => clock.ms,
        now: () => Date.parse('2026-08-30T00:00:00Z'),
      }),
    );
    return { feed, clock, source, errors };
  }

  it('is unknown before it is read, and if it is down at the start', async () => {
    const { feed, source, errors } = open();
    expect(feed.latest).toMatchObject({ events: undefined, asOfMs: undefined });
    source.isDown = true;
    await feed.start();
    expect(feed.latest.events).toBeUndefined();
    expect(feed.latest.problem).toBe('The source cannot be used: it is down.');
    expect(errors).toHaveLength(1);
  });

  it('keeps its events until they are too old, then they are unknown and never none', async () => {
    const { feed, clock, source } = open();
    source.content = [storm()];
    await feed.start();
    expect(idsOf(feed)).toEqual(['al05']);
    clock.ms = 1_000;
    expect(idsOf(feed)).toEqual(['al05']);
    clock.ms = 1_001;
    expect(feed.latest.events).toBeUndefined();
    expect(feed.latest.problem).toContain('not confirmed for 1000 ms');
  });

  it.each<[string, unknown, string]>([
    ['an HTML page as text', '<html>', 'not a list of events'],
    ['null', null, 'not a list of events'],
    ['an object of something else', { features: [] }, 'not a list of events'],
    ['one invalid event among valid ones', [storm(), storm('b', { kind: 'huricane' })], '/1/kind'],
    ['two events of one id', [storm(), storm()], 'have the id "al05"'],
    ['1,001 events', Array.from({ length: 1001 }, (_, index) => storm(`e${index}`)), 'it has 1001 events'],
  ])('is unknown if it has %s', async (_, content, reason) => {
    const { feed, source } = open();
    source.content = content;
    await feed.start();
    expect(feed.latest.events).toBeUndefined();
    expect(feed.latest.problem).toContain(reason);
  });

  it('accepts 1,000 events, and does not count those that ended more than a year ago', async () => {
    const { feed, source } = open();
    const old = Array.from({ length: 500 }, (_, index) =>
      storm(`old${index}`, { from: '2025-01-01T00:00:00Z', until: '2025-07-01T00:00:00Z' }),
    );
    source.content = { events: [...Array.from({ length: 1000 }, (_, index) => storm(`e${index}`)), ...old] };
    await feed.start();
    expect(feed.latest.events).toHaveLength(1000);
  });

  it('keeps one list until a change, and notifies subscribers of changes', async () => {
    const clock = { ms: 0 };
    let content: unknown = [storm()];
    const feed = opened(
      createPolledHazardEvents({
        name: 'The source',
        read: async () => ({ content }),
        pollMs: 5,
        maxAgeMs: 1e9,
        clock: () => clock.ms,
      }),
    );
    let changes = 0;
    feed.subscribe(() => changes++);
    await feed.start();
    const { events } = feed.latest;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(feed.latest.events).toBe(events);
    content = [storm(), storm('b')];
    await until(() => feed.latest.events?.length === 2);
    expect(changes).toBe(2);
  });
});

describe('A URL of events', () => {
  async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
    const server: Server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/events.json?key=secret`;
  }
  const open = (url: string, more: object = {}) =>
    opened(createUrlHazardEvents({ url, pollMs: 10, maxPauseMs: 20, ...more }));

  it('is read with conditional requests', async () => {
    let reads = 0;
    let unchanged = 0;
    const url = await serve((request, response) => {
      reads++;
      if (request.headers['if-none-match'] === '"1"') {
        unchanged++;
        response.writeHead(304).end();
      } else response.writeHead(200, { etag: '"1"' }).end(JSON.stringify([storm()]));
    });
    const feed = open(url);
    await feed.start();
    await until(() => unchanged >= 2);
    expect(reads - unchanged).toBe(1);
    expect(idsOf(feed)).toEqual(['al05']);
  });

  it('does not confirm events by the tag of content that it refused', async () => {
    let content = JSON.stringify([storm()]);
    let tag = '"good"';
    const seen = new Set<string | undefined>();
    const url = await serve((request, response) => {
      seen.add(request.headers['if-none-match']);
      if (request.headers['if-none-match'] === tag) response.writeHead(304).end();
      else response.writeHead(200, { etag: tag }).end(content);
    });
    const feed = open(url, { maxAgeMs: 300 });
    await feed.start();
    content = '<html>Maintenance</html>';
    tag = '"bad"';
    await until(() => feed.latest.events === undefined);
    expect(feed.latest.problem).toContain('it is not JSON');
    expect(seen.has('"bad"')).toBe(false);
  });

  it.each<[string, (response: ServerResponse) => void, string]>([
    ['too much', (response) => response.end(`[${'"aaaaaaaa",'.repeat(1000)}""]`), 'more than 5000 bytes'],
    ['an error', (response) => response.writeHead(500).end('No.'), 'it answered 500'],
    ['a redirect', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), 'redirects'],
    ['304 to the first request', (response) => response.writeHead(304).end(), 'it answered 304'],
    ['nothing in time', () => {}, 'did not answer within 300 ms'],
  ])('that answers with %s is unknown', async (_, answer, reason) => {
    const url = await serve((__, response) => answer(response));
    const feed = open(url, { maxBytes: 5_000, timeoutMs: 300, pollMs: 60_000 });
    await feed.start();
    expect(feed.latest.events).toBeUndefined();
    expect(feed.latest.problem).toContain(reason);
    // A query may hold a key.
    expect(feed.latest.problem).not.toContain('secret');
  });

  it('that is down at the start is used as soon as it is up', async () => {
    let isUp = false;
    const url = await serve((_, response) => {
      if (isUp) response.end(JSON.stringify({ events: [storm()] }));
      else response.writeHead(503).end();
    });
    const feed = open(url);
    await feed.start();
    expect(feed.latest.events).toBeUndefined();
    isUp = true;
    await until(() => feed.latest.events !== undefined);
    expect(idsOf(feed)).toEqual(['al05']);
    expect(feed.latest.problem).toBeUndefined();
  });
});

describe('A file of events', () => {
  it('is read again when it changes, and keeps its events while it is half written', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'leeward-events-'));
    closing.push(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'events.json');
    const errors: string[] = [];
    const feed = opened(createFileHazardEvents({ path, pollMs: 10, onError: ({ message }) => errors.push(message) }));
    await feed.start();
    expect(feed.latest.problem).toContain('it does not exist');
    writeFileSync(path, JSON.stringify([storm()]));
    await until(() => feed.latest.events !== undefined);
    writeFileSync(path, '[{"id":');
    await until(() => errors.length === 2);
    expect(idsOf(feed)).toEqual(['al05']);
    writeFileSync(path, '[]');
    await until(() => feed.latest.events?.length === 0);
    expect(feed.latest.problem).toBeUndefined();
  });
});

describe('Combined feeds', () => {
  it('are unknown if one is, and otherwise prefer the first for one id', async () => {
    const posted = createMemoryHazardEvents(checked(storm('al05', { name: 'Corrected' })));
    const source = createMemoryHazardEvents(checked(storm('al05', { name: 'Wrong' }), storm('b')));
    const feed = combineHazardEvents([posted, source]);
    expect(feed.latest.events?.map(({ id, name }) => `${id} ${name}`)).toEqual(['al05 Corrected', 'b undefined']);
    expect((await feed.current()).events).toBe(feed.latest.events);
    let changes = 0;
    feed.subscribe(() => changes++);
    source.set(undefined);
    expect(feed.latest.events).toBeUndefined();
    source.set([]);
    expect(idsOf(feed)).toEqual(['al05']);
    expect(changes).toBe(2);
  });

  it('are unknown with more events together than decisions accept', () => {
    const many = (prefix: string) =>
      createMemoryHazardEvents(checked(...Array.from({ length: 600 }, (_, index) => storm(`${prefix}${index}`))));
    const feed = combineHazardEvents([many('a'), many('b')]);
    expect(feed.latest.events).toBeUndefined();
    expect(feed.latest.problem).toContain('1200 events');
  });
});

describe('Events of a home', () => {
  const now = new Date('2026-08-30T00:00:00Z');
  const homeAt = (asOf: string) =>
    createProperty({
      vocabulary: homeVocabulary,
      state: 'fl',
      values: {},
      asOfMs: Date.parse(asOf),
      effectiveDate: '2026-09-01',
    });

  it('are those of the feed, unknown without one, and unknown for a day that the feed has forgotten', async () => {
    const feed = createMemoryHazardEvents(checked(storm()));
    expect((await attachHazardEvents(homeAt('2026-08-30T00:00:00Z'), feed, now)).events).toBe(feed.latest.events);
    expect((await attachHazardEvents(homeAt('2025-07-30T00:00:00Z'), feed, now)).events).toBeUndefined();
    expect((await attachHazardEvents(homeAt('2026-08-30T00:00:00Z'), undefined, now)).events).toBeUndefined();
    feed.set(undefined);
    expect((await attachHazardEvents(homeAt('2026-08-30T00:00:00Z'), feed, now)).events).toBeUndefined();
  });
});
