import { type Geocode, type GeocoderAnswer, GeocoderUnavailableError } from '@leeward/places';
import { describe, expect, it } from 'vitest';
import { ask, sampleService, tokens } from '../../../../../test/support/sample-service.ts';
import { countGeocodes, createMetrics, metricsRoutes } from './metrics.ts';

const path = '/v1/underwrite/home';

function service() {
  const metrics = createMetrics();
  return { metrics, leeward: sampleService({ observers: [metrics.observer], routes: [metricsRoutes(metrics)] }) };
}

describe('the metrics', () => {
  it('count by route template, never by text of a caller', async () => {
    const { leeward, metrics } = service();
    await ask(leeward, path, { body: { state: 'tx' } });
    await ask(leeward, `${path}/org_other`, { body: {} });
    await ask(leeward, '/secret-path', { method: 'BREW', token: null });
    const { text } = await metrics.text();
    expect(text).toContain(`leeward_http_request_duration_seconds_count{method="POST",route="${path}",status="200"} 1`);
    expect(text).toContain(`leeward_http_problems_total{route="${path}/{organization_id}",code="not_found"} 1`);
    expect(text).toContain('leeward_http_requests_in_flight 0');
    expect(text).toContain('method="other",route="unmatched"');
    expect(text).not.toMatch(/secret-path|BREW|org_other/);
  });

  it('count the calls of geocoders, after success and after failure', async () => {
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

  it('need the operator’s token from any address and with any headers', async () => {
    const { leeward } = service();
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
