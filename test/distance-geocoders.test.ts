import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DistanceResponse, ProblemDocument, WireDecision } from '@leeward/http';
import {
  type AnswerServer,
  type Responder,
  respondJson,
  respondText,
  startAnswerServer,
} from '@leeward/places/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkDistance } from './support/check-distance.ts';
import type { DemoKeys } from './support/demo.ts';
import { runLeewardHere } from './support/leeward-here.ts';
import type { RunningLeeward } from './support/running-leeward.ts';

const names = ['census', 'nominatim', 'photon', 'pelias'] as const;
type Name = (typeof names)[number];
const apiKey = 'hunter2-of-pelias';
const point = { latitude: 25.7891, longitude: -80.1299 };
const kansas = { latitude: 38.5, longitude: -98.3 };

/** Each server's answer as documented: one place, or none without `at`. */
const documents: Readonly<Record<Name, (at?: typeof point) => unknown>> = {
  census: (at) => ({
    result: {
      addressMatches: at
        ? [
            {
              tigerLine: { side: 'R', tigerLineId: '76355984' },
              coordinates: { x: at.longitude, y: at.latitude },
              addressComponents: {
                zip: '33139',
                streetName: 'OCEAN',
                preType: '',
                city: 'MIAMI BEACH',
                preDirection: '',
                suffixDirection: '',
                fromAddress: '1600',
                state: 'FL',
                suffixType: 'DR',
                toAddress: '1698',
                suffixQualifier: '',
                preQualifier: '',
              },
              matchedAddress: '1600 OCEAN DR, MIAMI BEACH, FL, 33139',
              geographies: { Counties: [{ GEOID: '12086' }] },
            },
          ]
        : [],
    },
  }),
  nominatim: (at) =>
    at
      ? [
          {
            lat: String(at.latitude),
            lon: String(at.longitude),
            category: 'building',
            type: 'yes',
            addresstype: 'building',
            place_rank: 30,
            osm_type: 'way',
            display_name: '1600, Ocean Drive, Miami Beach, Florida, 33139, United States',
            licence: 'Data © OpenStreetMap contributors, ODbL 1.0.',
            address: { house_number: '1600', road: 'Ocean Drive', 'ISO3166-2-lvl4': 'US-FL', postcode: '33139' },
          },
        ]
      : [],
  photon: (at) => ({
    features: at
      ? [
          {
            geometry: { type: 'Point', coordinates: [at.longitude, at.latitude] },
            properties: {
              type: 'house',
              housenumber: '1600',
              street: 'Ocean Drive',
              state: 'Florida',
              countrycode: 'US',
              postcode: '33139',
            },
          },
        ]
      : [],
  }),
  pelias: (at) => ({
    features: at
      ? [
          {
            geometry: { type: 'Point', coordinates: [at.longitude, at.latitude] },
            properties: {
              layer: 'address',
              accuracy: 'point',
              housenumber: '1600',
              region_a: 'FL',
              postalcode: '33139',
              label: '1600 Ocean Drive, Miami Beach, FL',
            },
          },
        ]
      : [],
  }),
};

let server: AnswerServer;
let elsewhere: AnswerServer;
let folder: string;
let leeward: RunningLeeward;
let keys: DemoKeys;
let behaviors: Readonly<Partial<Record<Name, Responder>>> = {};
let agents: Partial<Record<Name, string | undefined>> = {};

const knows = (name: Name, at = point) => respondJson(documents[name](at));
const hang: Responder = () => {};
const failing = respondText('{"error":"boom"}', 'application/json', 500);
const html = respondText('<!doctype html><title>Down for maintenance</title>', 'text/html');

beforeAll(async () => {
  elsewhere = await startAnswerServer(knows('photon'));
  server = await startAnswerServer((request, response) => {
    const name = names.find((each) => request.url?.startsWith(`/${each}/`))!;
    agents = { ...agents, [name]: request.headers['user-agent'] };
    const respond = behaviors[name] ?? respondJson(documents[name]());
    respond(request, response);
  });
  folder = mkdtempSync(join(tmpdir(), 'leeward-geocoders-'));
  const urls = names.map((name) => [`LEEWARD_${name.toUpperCase()}_URL`, `${server.baseUrl}/${name}`]);
  const rates = names.map((name) => [`LEEWARD_${name.toUpperCase()}_RATE`, '0']);
  const environment = {
    PORT: '0',
    LEEWARD_DATA_DIR: folder,
    LEEWARD_GEOCODER_TIMEOUT_MS: '400',
    LEEWARD_NOMINATIM_USER_AGENT: 'example-agency/1.0 (me@example.com)',
    LEEWARD_PELIAS_API_KEY: apiKey,
    ...Object.fromEntries([...urls, ...rates]),
  };
  leeward = runLeewardHere(['serve', '--demo', '--geocoder', names.join(',')], { environment });
  await leeward.says('Stop: Ctrl+C');
  keys = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as DemoKeys;
});
afterAll(async () => {
  const { output, errors } = await leeward.stop();
  await Promise.all([server.close(), elsewhere.close()]);
  rmSync(folder, { recursive: true });
  expect(`${output}${errors}`).not.toContain(apiKey);
  expect(`${output}${errors}`).not.toMatch(/ocean dr/i);
});

async function post<Body>(path: string, body: object) {
  const response = await fetch(`${keys.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  expect(text).not.toContain(apiKey);
  expect(text).not.toContain(server.host);
  return { status: response.status, headers: response.headers, body: JSON.parse(text) as Body };
}

let unit = 0;
/** Changes the unit each time, so that no answer is cached. */
function address(zip = '33139'): string {
  unit += 1;
  return `1600 Ocean Dr Apt ${unit}, Miami Beach FL ${zip}`;
}
const distance = (text = address()) => post<DistanceResponse>('/v1/distance-to-coast', { address: text });
const codes = (body: DistanceResponse) => body.warnings.map(({ code }) => code);

beforeEach(async () => {
  // An answer of each ends what circuit breakers counted.
  behaviors = {};
  expect((await distance()).body.location.source).toBe('zip_gazetteer');
});

describe('configured geocoders', () => {
  it('are called in order until the first good answer', async () => {
    behaviors = { census: knows('census'), nominatim: failing };
    const before = server.requests.length;
    const { body } = await distance();
    checkDistance(body);
    expect(body.address).toEqual({ lat: 25.7891, lng: -80.1299 });
    expect(body.location).toEqual({
      source: 'us_census',
      method: 'address_range',
      detail: 'on the range 1600 to 1698 on the right side of its street',
      retrieved_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      precision: 'interpolated',
      error_radius_meters: 250,
      matched_address: '1600 OCEAN DR, MIAMI BEACH, FL, 33139',
    });
    // The shore is near, and an address range locates a house to 250 m.
    expect(body.warnings.map(({ code }) => code)).toEqual(['bearing_uncertain']);
    const asked = server.requests.slice(before);
    expect(asked).toEqual([
      expect.stringMatching(/^GET \/census\/geocoder\/geographies\/onelineaddress\?address=1600\+Ocean\+Dr%2C/),
    ]);
  });

  it('receive the configured user agent, and the key where one is configured', async () => {
    const before = server.requests.length;
    await distance();
    const asked = server.requests.slice(before);
    expect(asked.map((line) => line.split(/[/?]/)[1])).toEqual([...names]);
    expect(agents.nominatim).toBe('example-agency/1.0 (me@example.com)');
    expect(asked.filter((line) => line.includes(apiKey))).toEqual([expect.stringMatching(/^GET \/pelias\//)]);
  });

  it.each([
    ['hangs', hang],
    ['answers 500', failing],
    ['answers HTML', html],
    ['breaks the connection', ((request) => request.socket.destroy()) satisfies Responder],
    ['finds a point in Kansas', knows('census', kansas)],
    [
      'redirects to another host',
      ((_, response) => response.writeHead(302, { location: `${elsewhere.baseUrl}/` }).end()) satisfies Responder,
    ],
  ] as const)('one that %s gives way to the next', async (_fault, respond) => {
    behaviors = { census: respond, nominatim: knows('nominatim') };
    const started = performance.now();
    const { status, body } = await distance();
    expect(status).toBe(200);
    checkDistance(body);
    expect(body.location).toMatchObject({ source: 'nominatim', precision: 'rooftop' });
    expect(body.location.attribution).toContain('OpenStreetMap');
    expect(body.warnings).toEqual([]);
    // A hang costs its time-out, not more.
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(elsewhere.requests).toEqual([]);
  });

  it('all at fault leave the ZIP code, flagged with who could not be asked and who was not believed', async () => {
    behaviors = { census: failing, nominatim: html, photon: knows('photon', kansas), pelias: hang };
    const { status, body } = await distance();
    expect(status).toBe(200);
    checkDistance(body);
    expect(body.location).toMatchObject({
      source: 'zip_gazetteer',
      precision: 'zip_centroid',
      error_radius_meters: 3_000,
    });
    expect(codes(body)).toEqual([
      'coarse_location',
      'geocoder_unavailable',
      'geocoder_unavailable',
      'geocode_implausible',
      'geocoder_unavailable',
      'bearing_uncertain',
    ]);
    const messages = body.warnings.map(({ message }) => message).join(' ');
    for (const name of ['The U.S. Census Bureau', 'Nominatim', 'Pelias'])
      expect(messages).toContain(`${name} was unavailable`);
    expect(messages).toMatch(
      /Photon returned an implausible place, which was ignored: .* 1,3\d\d miles from ZIP code 33139/,
    );
  });

  it('fall back to the ZIP code with a warning when the street is unknown', async () => {
    const { body } = await distance('99999 Nosuch Boulevard, Miami Beach FL 33139');
    expect(codes(body)).toEqual(['coarse_location', 'address_unknown', 'bearing_uncertain']);
    expect(body.warnings[1]!.message).toBe(
      'The U.S. Census Bureau and Nominatim and Photon and Pelias do not know this address; check it.',
    );
  });

  it('out of reach, with nothing known of the place, are a 503 and no guess', async () => {
    behaviors = { census: failing, nominatim: html, photon: failing, pelias: hang };
    const { status, headers, body } = await post<ProblemDocument>('/v1/distance-to-coast', {
      address: '1600 Ocean Dr, Nowhereville FL 00000',
    });
    expect(status).toBe(503);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(body).toMatchObject({ code: 'unavailable', title: 'Temporarily unavailable' });
    // A contradictory address is reported even if no geocoder can be reached.
    const contradiction = await post<ProblemDocument>('/v1/distance-to-coast', { address: address('90210') });
    expect(contradiction.body.errors).toMatchObject([{ code: 'address_not_found' }]);
  });

  it('return 503 for the failed items of a batch and answer the others', async () => {
    behaviors = { census: failing, nominatim: html, photon: failing, pelias: failing };
    const items = [
      { address: '1600 Ocean Dr, Nowhereville FL 00000' },
      { lat: 25.78, lng: -80.13 },
      { address: address() },
    ];
    const { status, body } = await post<{ results: (DistanceResponse & { problem?: ProblemDocument })[] }>(
      '/v1/distance-to-coast/batch',
      { items },
    );
    expect(status).toBe(200);
    expect(body.results.map(({ problem, location }) => problem?.status ?? location.precision)).toEqual([
      503,
      'exact',
      'zip_centroid',
    ]);
  });

  it('leave a home undecided near a limit, and no verdict on a guess', async () => {
    behaviors = { census: failing, nominatim: html, photon: knows('photon', kansas), pelias: failing };
    const where = { state: 'sc', county: 'charleston', policy_type: 'ho3', address: '12 King St, Charleston SC 29401' };
    const { body } = await post<WireDecision>('/v1/underwrite/home', where);
    expect(body.warnings.map(({ code }) => code)).toContain('geocoder_unavailable');
    const limits = [...body.carriers, ...body.declined].flatMap(({ distance_limits }) => distance_limits ?? []);
    expect(limits.some(({ home }) => home === 'either')).toBe(true);
    for (const { reasons } of body.declined) for (const { code } of reasons) expect(code).not.toBe('distance_to_coast');
  });

  it('are paused for a while when they stay unreachable', async () => {
    behaviors = { census: failing };
    for (let tries = 0; tries < 5; tries += 1) await distance();
    const before = server.requests.length;
    const { body } = await distance();
    const asked = server.requests.slice(before);
    expect(asked.some((line) => line.startsWith('GET /census/'))).toBe(false);
    expect(asked.some((line) => line.startsWith('GET /nominatim/'))).toBe(true);
    expect(codes(body)).toContain('geocoder_unavailable');
  });
});
