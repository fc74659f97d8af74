import { type Geocode, type GeocoderAnswer, GeocoderUnavailableError } from '@leeward/places';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ask, sampleService, tokens } from '../testing/sample-service.ts';
import { countGeocodes } from './count-geocodes.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';

const path = '/v1/underwrite/home';

describe('the log', () => {
  it('has one line a request: who, what and how long, and nothing of the home', async () => {
    const lines: string[] = [];
    const logger = createLogger({ destination: { write: (line) => void lines.push(line) } });
    const leeward = sampleService({ logger });
    await ask(leeward, path, {
      body: { state: 'tx', county: 'harris', address: '12 Elm Street, Houston' },
      headers: { 'x-request-id': 'one' },
    });
    await ask(leeward, '/v1/underwrite/home/org_other?token=zyxw', { body: {} });
    await ask(leeward, '/12-elm-street', { token: tokens.acme, body: {} });
    await ask(leeward, '/v1/underwrite/renters', {});
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(entries).toHaveLength(4);
    expect(entries[0]).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      request_id: 'one',
      method: 'POST',
      route: path,
      status: 200,
      duration_ms: expect.any(Number),
      token_id: `acme${'0'.repeat(22)}`,
      organization_id: 'org_acme',
      msg: 'request',
    });
    expect(entries[1]).toMatchObject({ route: `${path}/{organization_id}`, status: 404, problem: 'not_found' });
    expect(entries[2]).toMatchObject({ route: 'unmatched', status: 404 });
    expect(entries[3]).toMatchObject({ level: 'info', status: 501 });
    expect(lines.join('')).not.toMatch(/elm|harris|kkkk|zyxw|org_other/i);
  });
});

describe('the log of refused requests', () => {
  function logged(options: Parameters<typeof sampleService>[0]) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const lines: Record<string, unknown>[] = [];
    const logger = createLogger({ destination: { write: (line) => void lines.push(JSON.parse(line)) } });
    return { lines, leeward: sampleService({ logger, requestTimeoutMs: null, ...options }) };
  }

  it('has the first of a token and route, and one more line a period that counts the others', async () => {
    const { lines, leeward } = logged({ rateLimit: { perMinute: 1, burst: 1 } });
    for (let count = 0; count < 8; count++) await ask(leeward, path, { body: { state: 'tx' } });
    await ask(leeward, path, { token: tokens.other, body: { state: 'tx' } });
    await ask(leeward, path, { token: tokens.other, body: { state: 'tx' } });
    expect(lines.map(({ status, msg }) => [status, msg])).toEqual([
      [200, 'request'],
      [429, 'request'],
      [200, 'request'],
      [429, 'request'],
    ]);
    vi.advanceTimersByTime(10_000);
    expect(lines.slice(4)).toEqual([
      {
        ...{ level: 'info', time: expect.any(String), msg: 'requests refused', problem: 'rate_limited', status: 429 },
        ...{ route: path, token_id: `acme${'0'.repeat(22)}`, organization_id: 'org_acme' },
        ...{ refused: 6, period_ms: 10_000 },
      },
    ]);
    await ask(leeward, path, { body: { state: 'tx' } });
    expect(lines.at(-1)).toMatchObject({ status: 429, msg: 'request' });
    vi.advanceTimersByTime(10_000);
    expect(lines).toHaveLength(6);
  });

  it('counts addresses without a token together, and keeps a line for each request that failed or was answered', async () => {
    const down = () => Promise.reject(new Error('connection refused'));
    const { lines, leeward } = logged({ addressRateLimit: { perMinute: 1, burst: 1 }, readiness: { store: down } });
    for (let count = 0; count < 20; count++) {
      const address = { incoming: { socket: { remoteAddress: `203.0.113.${count % 4}` } } };
      await leeward.fetch(new Request('http://leeward.test/docs'), address);
    }
    for (let count = 0; count < 3; count++) await ask(leeward, '/readyz', { method: 'GET', token: null });
    expect(lines.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 503, 503, 503]);
    vi.advanceTimersByTime(10_000);
    expect(lines.slice(8)).toMatchObject([{ route: '/docs', refused: 15, msg: 'requests refused' }]);
  });
});

describe('the metrics', () => {
  it('count by route template, never by what a caller wrote', async () => {
    const leeward = sampleService();
    await ask(leeward, path, { body: { state: 'tx' } });
    await ask(leeward, `${path}/org_other`, { body: {} });
    await ask(leeward, '/secret-path', { method: 'BREW', token: null });
    const { text } = await leeward.metrics.text();
    expect(text).toContain(`leeward_http_request_duration_seconds_count{method="POST",route="${path}",status="200"} 1`);
    expect(text).toContain(`leeward_http_problems_total{route="${path}/{organization_id}",code="not_found"} 1`);
    expect(text).toContain('leeward_http_requests_in_flight 0');
    expect(text).toContain('method="other",route="unmatched"');
    expect(text).not.toMatch(/secret-path|BREW|org_other/);
  });

  it('count what geocoders did, where some went on and where none could', async () => {
    const found = { latitude: 29.3, longitude: -94.8, precision: 'zip_centroid', errorRadiusMeters: 5000 };
    const answers: (() => GeocoderAnswer)[] = [
      () => ({
        status: 'found',
        geocode: { ...found, geocoder: 'gazetteer', matchedAddress: 'Elm', unmatched: ['line1'] } as Geocode,
        attempts: [
          { geocoder: 'census', outcome: 'unavailable', detail: 'Elm' },
          { geocoder: 'gazetteer', outcome: 'found', detail: 'Elm' },
        ],
      }),
      () => {
        const attempts = [{ geocoder: 'census', outcome: 'unavailable' as const }];
        throw new GeocoderUnavailableError('chain', 'all_failed', 'census is away', { attempts });
      },
      () => {
        throw new GeocoderUnavailableError('alone', 'timed_out', 'no answer');
      },
      () => ({ status: 'not_found', code: 'no_match', message: 'Elm' }),
    ];
    const metrics = createMetrics();
    const geocoder = countGeocodes({ name: 'alone', geocode: async () => answers.shift()!() }, metrics);
    while (answers.length > 0)
      await geocoder
        .geocode({ line1: '12 Elm Street', city: 'Galveston', state: 'tx', zip: '77550' })
        .catch(() => undefined);
    const lines = (await metrics.text()).text.split('\n').filter((line) => line.startsWith('leeward_geocodes_total'));
    expect(lines).toEqual([
      'leeward_geocodes_total{geocoder="census",outcome="unavailable"} 2',
      'leeward_geocodes_total{geocoder="gazetteer",outcome="found"} 1',
      'leeward_geocodes_total{geocoder="alone",outcome="unavailable"} 1',
      'leeward_geocodes_total{geocoder="alone",outcome="not_found"} 1',
    ]);
  });

  it('are for the operator, wherever the request comes from and whatever its headers say', async () => {
    const leeward = sampleService();
    const read = (token: string | null, headers: Record<string, string> = {}) =>
      ask(leeward, '/metrics', { method: 'GET', token, headers });
    for (const headers of [{}, { 'x-forwarded-for': '127.0.0.1' }, { forwarded: 'for=127.0.0.1' }]) {
      expect((await read(null, headers)).status).toBe(401);
      expect((await read(tokens.acme, headers)).status).toBe(403);
      expect((await read(tokens.operator, headers)).headers.get('content-type')).toContain('text/plain');
    }
    const here = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };
    expect((await leeward.fetch(new Request('http://127.0.0.1/metrics'), here)).status).toBe(401);
  });
});
