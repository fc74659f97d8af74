import { describe, expect, it } from 'vitest';
import { runWords } from '../testing/run-words.ts';
import { geocoderSettings } from './geocoder-settings.ts';

function read(variables: Record<string, string>) {
  const faults: string[] = [];
  return { settings: geocoderSettings((name) => variables[name] || undefined, faults), faults };
}

const userAgent = 'example-agency/1.0 (me@example.com)';

describe('geocoderSettings', () => {
  it('makes no network calls by default', () => {
    expect(read({})).toEqual({ settings: [{ kind: 'address_book' }], faults: [] });
    expect(read({ LEEWARD_GEOCODERS: 'gazetteer' })).toEqual({ settings: [], faults: [] });
  });

  it('keeps the order, with each one’s server, time-out and rate', () => {
    const { settings, faults } = read({
      LEEWARD_GEOCODERS: ' Pelias, census,nominatim,photon,address_book,gazetteer',
      LEEWARD_NOMINATIM_USER_AGENT: userAgent,
      LEEWARD_PHOTON_URL: 'http://photon.internal:2322',
      LEEWARD_PHOTON_RATE: '0',
      LEEWARD_PELIAS_URL: 'https://pelias.example/geocoding',
      LEEWARD_PELIAS_API_KEY: 'hunter2',
      LEEWARD_PELIAS_RATE: '2.5',
      LEEWARD_GEOCODER_TIMEOUT_MS: '1500',
    });
    expect(faults).toEqual([]);
    expect(settings).toMatchObject([
      { kind: 'pelias', baseUrl: 'https://pelias.example/geocoding', apiKey: 'hunter2', requestsPerSecond: 2.5 },
      { kind: 'census', baseUrl: 'https://geocoding.geo.census.gov/', timeoutMs: 1500, requestsPerSecond: 5 },
      { kind: 'nominatim', baseUrl: 'https://nominatim.openstreetmap.org/', userAgent, requestsPerSecond: 1 },
      { kind: 'photon', baseUrl: 'http://photon.internal:2322/', requestsPerSecond: null, apiKey: undefined },
      { kind: 'address_book' },
    ]);
  });

  it.each([
    [{ LEEWARD_GEOCODERS: 'cencus' }, /LEEWARD_GEOCODERS names "cencus", .* did you mean census\?/],
    [{ LEEWARD_GEOCODERS: 'google' }, /give some of: address_book, census/],
    [{ LEEWARD_GEOCODERS: 'gazetteer,census' }, /put gazetteer last/],
    [{ LEEWARD_GEOCODERS: 'census,census' }, /"census" twice/],
    [{ LEEWARD_GEOCODERS: 'nominatim' }, /LEEWARD_NOMINATIM_USER_AGENT is needed/],
    [{ LEEWARD_GEOCODERS: 'nominatim', LEEWARD_NOMINATIM_USER_AGENT: 'me' }, /is "me": give the application/],
    [{ LEEWARD_GEOCODERS: 'nominatim', LEEWARD_NOMINATIM_USER_AGENT: 'agency\r\nx: 1' }, /that a header cannot/],
    [
      { LEEWARD_GEOCODERS: 'nominatim', LEEWARD_NOMINATIM_USER_AGENT: userAgent, LEEWARD_NOMINATIM_RATE: '5' },
      /LEEWARD_NOMINATIM_RATE is 5; the public server allows one/,
    ],
    [
      { LEEWARD_GEOCODERS: 'nominatim', LEEWARD_NOMINATIM_USER_AGENT: userAgent, LEEWARD_NOMINATIM_RATE: '0' },
      /is no limit; the public server/,
    ],
    [{ LEEWARD_GEOCODERS: 'photon' }, /LEEWARD_PHOTON_URL is needed where LEEWARD_GEOCODERS names photon/],
    [
      { LEEWARD_GEOCODERS: 'photon', LEEWARD_PHOTON_URL: 'ftp://x' },
      /LEEWARD_PHOTON_URL is not an http: or https: URL/,
    ],
    [{ LEEWARD_GEOCODERS: 'census', LEEWARD_CENSUS_RATE: 'fast' }, /LEEWARD_CENSUS_RATE is "fast"; give requests/],
    [{ LEEWARD_GEOCODERS: 'census', LEEWARD_CENSUS_RATE: '-1' }, /LEEWARD_CENSUS_RATE is "-1"/],
    [{ LEEWARD_GEOCODER_TIMEOUT_MS: '0' }, /LEEWARD_GEOCODER_TIMEOUT_MS is "0"; give milliseconds/],
  ])('reports the fault of %j', (variables, fault) => {
    const { faults } = read(variables);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(fault);
  });

  it('prints no possible secret', () => {
    const { faults } = read({
      LEEWARD_GEOCODERS: 'pelias,photon,nominatim,census',
      LEEWARD_PELIAS_URL: 'http://pelias.example/?api_key=hunter1',
      LEEWARD_PELIAS_API_KEY: 'hunter2',
      LEEWARD_PHOTON_URL: 'hunter3://x',
      LEEWARD_PHOTON_AUTHORIZATION: 'Bearer hunter4\n',
      LEEWARD_NOMINATIM_URL: 'https://me:hunter5@nominatim.example',
      LEEWARD_NOMINATIM_USER_AGENT: userAgent,
      LEEWARD_NOMINATIM_RATE: '0',
      LEEWARD_CENSUS_URL: 'geocoding hunter6',
    });
    expect(faults.join('\n')).not.toContain('hunter');
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
      'LEEWARD_PELIAS_URL',
      'LEEWARD_PELIAS_URL',
      'LEEWARD_PHOTON_AUTHORIZATION',
      'LEEWARD_PHOTON_URL',
      'LEEWARD_NOMINATIM_URL',
      'LEEWARD_CENSUS_URL',
    ]);
  });

  it('is set on the command line of serve, and tried after imported addresses', async () => {
    const one = await runWords(['config', '--demo', '--geocoder', 'census']);
    expect(one.output).toMatch(/geocoders .*address_book,census .*--geocoder/);
    const { code, errors } = await runWords(['config', '--demo', '--geocoder', 'cencus']);
    expect(code).toBe(1);
    expect(errors).toContain('did you mean census?');
  });

  it('appears among the settings of a service: reported with faults, listed without secrets', async () => {
    const environment = {
      LEEWARD_GEOCODERS: 'pelias,nominatim',
      LEEWARD_PELIAS_URL: 'https://pelias.example',
      LEEWARD_PELIAS_API_KEY: 'hunter2',
      PORT: 'x',
    };
    const { code, output, errors } = await runWords(['config', '--demo'], { environment });
    expect(code).toBe(1);
    expect(errors).toContain('PORT is "x"');
    expect(errors).toContain('LEEWARD_NOMINATIM_USER_AGENT is needed');
    expect(output).toMatch(/geocoders .*pelias,nominatim .*LEEWARD_GEOCODERS/);
    expect(output).toMatch(/pelias_api_key .*\(set, not shown\)/);
    expect(`${output}${errors}`).not.toContain('hunter2');
  });
});
