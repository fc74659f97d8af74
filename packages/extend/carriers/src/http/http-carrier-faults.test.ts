import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FullRate } from '@leeward/quotes';
import { exampleBody } from '@leeward/quotes/testing';
import { describe, expect, it } from 'vitest';
import { exampleCarrier } from '../testing/example-carrier.ts';
import { createBench, engines } from '../testing/quoting-bench.ts';
import { createTestServer, sendJson } from '../testing/test-server.ts';
import { checkHttpCarrier } from './check-http-carrier.ts';
import { createHttpCarrier } from './http-carrier.ts';
import { meaningOf } from './read-answer.ts';
import type { HttpCarrierFile } from './schema.ts';

type Play = (response: ServerResponse, socket: Socket) => void;

const premium = (text: string): Play => {
  return (response) => sendJson(response, 200, `{"decision":"approved","quote":{"premium":${text}}}`);
};
const good = premium('"1,843.50"');
const status = (code: number, headers: Record<string, string> = {}): Play => {
  return (response) => sendJson(response, code, {}, headers);
};
const hang: Play = () => {};
const reset: Play = (_, socket) => void socket.resetAndDestroy();
const breakOff: Play = (response, socket) => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"decision":');
  setTimeout(() => socket.destroy(), 10);
};
const page: Play = (response) => sendJson(response, 200, '<html>Busy</html>');

const body =
  (text: string): Play =>
  (response) =>
    sendJson(response, 200, text);
/** Not from the carrier. */
const nonsense = [
  ['shows a maintenance page', page, 'not_json'],
  ['cuts its JSON off', body('{"decision":"approved","quote":{"prem'), 'not_json'],
  ['answers with an empty body', body(''), 'not_json'],
  ['redirects', status(302, { location: 'http://127.0.0.1:9/' }), 'http_302'],
  ['answers with the JSON of its gateway', body('{"message":"Under maintenance"}'), 'no_outcome'],
  ['answers with more than a megabyte', body(`"${'x'.repeat(1_100_000)}"`), 'too_long'],
] as const;

/** A real server with a scripted answer per call; the last one repeats. Accepted requests do their work once each. */
async function play(plays: readonly Play[], { idempotent = false, looksUp = false } = {}) {
  const work = new Map<string, number>();
  let calls = 0;
  await using server = await createTestServer((request, response, socket) => {
    const key = request.url.startsWith('/quotes/') ? request.url.slice('/quotes/'.length) : undefined;
    if (key !== undefined) return work.has(key) ? good(response, socket) : sendJson(response, 404, {});
    const each = plays[Math.min(calls++, plays.length - 1)]!;
    const own = String(request.headers['idempotency-key']);
    if (!turnsAway.has(each)) work.set(own, idempotent ? 1 : (work.get(own) ?? 0) + 1);
    each(response, socket);
  });
  const { lookup, ...file } = exampleCarrier(server.url);
  // Only a hanging call runs into the deadline.
  const limits = { deadline_ms: plays.includes(hang) ? 2_000 : 20_000, max_attempts: 3, backoff_ms: [1, 10] };
  const secrets = () => 'secret';
  const described = { ...file, ...(looksUp && { lookup }), idempotent, limits, offers: [{ form_types: ['ho3'] }] };
  const { carrier, faults } = checkHttpCarrier(described, { secrets });
  expect(faults).toEqual([]);
  await using bench = await createBench(engines[0]!, [createHttpCarrier(carrier!, { secrets })], {
    leaseMarginMs: 1000,
  });
  const created = await bench.quotes.create('team-1', { ...exampleBody, form_types: ['ho3'] });
  const [rate] = (await bench.completed(created.quote_request_id)).rates as FullRate[];
  return {
    outcome: rate!.outcome,
    premium: rate!.premium,
    error: rate!.error?.code,
    calls,
    work: Math.max(0, ...work.values()),
  };
}

const busy = status(429, { 'retry-after': '1' });
const down = status(503, { 'retry-after': '0' });
const turnsAway = new Set([busy, down]);

describe.concurrent('an HTTP carrier, called by the orchestrator', () => {
  it.each([
    ['hangs', [hang], {}, { outcome: 'timed_out', calls: 1, work: 1 }],
    ['hangs, and is idempotent', [hang, good], { idempotent: true }, { outcome: 'quoted', calls: 2, work: 1 }],
    ['resets after having done the work', [reset, good], {}, { outcome: 'unknown_outcome', calls: 1, work: 1 }],
    ['resets, and can be looked up', [reset, good], { looksUp: true }, { outcome: 'quoted', calls: 1, work: 1 }],
    ['resets, and is idempotent', [reset, good], { idempotent: true }, { outcome: 'quoted', calls: 2, work: 1 }],
    ['breaks off in its answer', [breakOff, good], {}, { outcome: 'unknown_outcome', calls: 1, work: 1 }],
    ['is down for a moment', [down, down, good], {}, { outcome: 'quoted', calls: 3, work: 1 }],
    ['is down', [down], {}, { outcome: 'failed', error: 'http_503', calls: 3, work: 0 }],
    ['answers 500', [status(500), good], {}, { outcome: 'unknown_outcome', error: 'http_500', calls: 1, work: 1 }],
    ['answers 502', [status(502), good], {}, { outcome: 'unknown_outcome', error: 'http_502', calls: 1 }],
    ['answers 408', [status(408), good], {}, { outcome: 'unknown_outcome', error: 'http_408', calls: 1 }],
    ['answers 425', [status(425), good], {}, { outcome: 'quoted', calls: 2 }],
    ['answers 404', [status(404), good], {}, { outcome: 'invalid', error: 'http_404', calls: 1 }],
    ['answers 409', [status(409), good], {}, { outcome: 'invalid', error: 'http_409', calls: 1 }],
    ['sends elsewhere', [status(302), good], {}, { outcome: 'unknown_outcome', error: 'http_302', calls: 1 }],
    ['answers 500, and is idempotent', [status(500), good], { idempotent: true }, { outcome: 'quoted', calls: 2 }],
    ['answers with a page', [page, good], {}, { outcome: 'unknown_outcome', error: 'not_json', calls: 1, work: 1 }],
    ...nonsense.flatMap(
      ([what, nonsensical, code]) =>
        [
          [what, [nonsensical, good], {}, { outcome: 'unknown_outcome', error: code, calls: 1, work: 1 }],
          [`${what}, and can be looked up`, [nonsensical], { looksUp: true }, { outcome: 'quoted', calls: 1, work: 1 }],
          [
            `${what}, and is idempotent`,
            [nonsensical, nonsensical, good],
            { idempotent: true },
            { outcome: 'quoted', calls: 3, work: 1 },
          ],
          [
            `${what} for good, and is idempotent`,
            [nonsensical],
            { idempotent: true },
            { outcome: 'invalid', error: code, calls: 3, work: 1 },
          ],
        ] as const,
    ),
    ['answers 404, and is idempotent', [status(404), good], { idempotent: true }, { outcome: 'invalid', calls: 1 }],
    ...['-1', '"-1.00"', '"NaN"', '1e9', '"1e9"', '1843.505', '"1843.505"', '0', 'true', '{}'].map(
      (text) =>
        [
          `answers a premium of ${text}`,
          [premium(text), good],
          {},
          { outcome: 'invalid', error: 'invalid_premium', calls: 1 },
        ] as const,
    ),
    ['answers NaN', [premium('NaN'), good], {}, { outcome: 'unknown_outcome', error: 'not_json', calls: 1 }],
  ] as const)('that %s', async (_, plays, options, expected) => {
    const played = await play(plays, options);
    expect(played).toMatchObject(expected);
    expect(played.premium).toBe(played.outcome === 'quoted' ? '1843.50' : null);
  });

  it('that answers 429 is paused for its Retry-After', async () => {
    const start = performance.now();
    expect(await play([busy, good])).toMatchObject({ outcome: 'quoted', calls: 2, work: 1 });
    expect(performance.now() - start).toBeGreaterThan(995);
  });
});

it.each([
  ['a refusal', 400, {}, true],
  ['a refusal of too many', 429, {}, true],
  ['a status that the file calls a refusal', 500, { '500': 'refused' }, true],
  ['a redirect', 302, {}, false],
  ['a time-out', 408, {}, false],
  ['an error', 500, {}, false],
  ['an error that the file calls invalid', 500, { '500': 'invalid' }, false],
  ['a success that the file calls invalid', 200, { '200': 'invalid' }, false],
  ['a refusal that the file calls an error', 400, { '400': 'failed' }, false],
] as const)('%s (%i %j) says whether the carrier made nothing', (_, code, statuses, nothingMade) => {
  const answer = { status: code, headers: new Headers(), retryAfterMs: undefined, body: undefined, isRead: false };
  const file = { ...exampleCarrier('https://carrier.example'), statuses } as HttpCarrierFile;
  expect(() => meaningOf(answer, file)).toThrow(expect.objectContaining({ nothingMade }));
});
