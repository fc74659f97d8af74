import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DistanceResponse, ProblemDocument, WireDecision } from '@leeward/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkDistance } from './support/check-distance.ts';
import type { DemoKeys } from './support/demo.ts';
import { runLeewardHere } from './support/leeward-here.ts';
import type { RunningLeeward } from './support/running-leeward.ts';

/**
 * Invented houses on real streets of Pensacola: one well within a mile of the bay, one well beyond, one too close to
 * decide.
 */
const addresses = `LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH
-87.2000,30.4250,1420,N 12TH AVE,,PENSACOLA,,FL,32503,,
-87.2026,30.4325,2410,N 12TH AVE,,PENSACOLA,,FL,32503,,
-87.2050,30.4400,3310,N 12TH AVE,,PENSACOLA,,FL,32503,,
-87.2050,30.4300,2105,E LAKEVIEW AVE,,PENSACOLA,,FL,32503,,
-87.2300,30.4500,7,N PALAFOX ST,,PENSACOLA,,FL,32503,,
-87.2300,30.4800,7,S PALAFOX ST,,PENSACOLA,,FL,32503,,
`;

/** Only the distance to the bay decides Marsh Wren's answer: one mile, in Escambia County. */
const home = {
  state: 'fl',
  county: 'escambia',
  policy_type: 'ho3',
  dwelling_a: 320_000,
  year_built: 2012,
  roof_type: 'metal',
  roof_age: 6,
  structure_type: 'single family',
  primary_plumbing: 'pex',
  primary_wiring: 'copper',
  water_heater_age: 4,
  hvac_age: 5,
  protection_class: 3,
  acreage: 0.3,
  ownership: 'personal',
  usage: 'primary',
  foundation_type: 'closed',
  total_claims: 0,
  lapse_in_coverage: 0,
  no_prior: 0,
};

let folder: string;
let leeward: RunningLeeward;
let keys: DemoKeys;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leeward-addresses-'));
  writeFileSync(join(folder, 'escambia.csv'), addresses);
  const environment = { PORT: '0', LEEWARD_DATA_DIR: join(folder, 'data'), LEEWARD_LOG_LEVEL: 'silent' };
  const words = ['places', 'import', 'escambia.csv', '--source', 'us/fl/escambia', '--attribution', 'Escambia County'];
  const imported = await runLeewardHere(words, { folder, environment }).ended;
  expect(imported).toMatchObject({ code: 0, output: expect.stringContaining('us/fl/escambia: 6 houses') });
  leeward = runLeewardHere(['serve', '--demo'], { folder, environment });
  await leeward.says('Stop: Ctrl+C');
  keys = JSON.parse(readFileSync(join(folder, 'data', 'demo.json'), 'utf8')) as DemoKeys;
});
afterAll(async () => {
  await leeward.stop();
  rmSync(folder, { recursive: true });
});

async function post<Body>(path: string, body: object): Promise<{ readonly status: number; readonly body: Body }> {
  const response = await fetch(`${keys.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Body };
}

describe('an imported address', () => {
  it.each([
    '1420 N 12th Ave, Pensacola FL 32503',
    '1420 North 12th Avenue, Apt 3, Pensacola, Florida 32503-1234, USA',
    { line1: '1420 n. twelfth ave', city: 'Pensacola', state: 'FL' },
  ])('is exact to the building, with no network: %j', async (address) => {
    const { status, body } = await post<DistanceResponse>('/v1/distance-to-coast', { address });
    expect(status).toBe(200);
    checkDistance(body);
    expect(body.address).toEqual({ lat: 30.425, lng: -87.2 });
    expect(body.location).toEqual({
      source: 'address_book',
      precision: 'rooftop',
      method: 'address_point',
      detail: 'recorded as its building (us/fl/escambia)',
      error_radius_meters: 30,
      matched_address: '1420 N 12TH AVE, PENSACOLA, FL 32503',
      attribution: 'Escambia County',
    });
    expect(body.warnings).toEqual([]);
  });

  it('that is not there is placed by its street or its ZIP code, and labelled', async () => {
    const street = await post<DistanceResponse>('/v1/distance-to-coast', {
      address: '2500 N 12th Ave, Pensacola FL 32503',
    });
    checkDistance(street.body);
    expect(street.body.location.precision).toBe('street');
    // Nothing known of the street reaches as far as this number.
    const beyond = await post<DistanceResponse>('/v1/distance-to-coast', {
      address: '9999 N 12th Ave, Pensacola FL 32503',
    });
    checkDistance(beyond.body);
    expect(beyond.body.location.precision).toBe('zip_centroid');
    const zip = await post<DistanceResponse>('/v1/distance-to-coast', { address: '9 Nosuch Way, Pensacola FL 32503' });
    checkDistance(zip.body);
    expect(zip.body.location).toMatchObject({ source: 'zip_gazetteer', precision: 'zip_centroid' });
    expect(zip.body.warnings.map(({ code }) => code)).toEqual([
      'coarse_location',
      'address_unknown',
      'bearing_uncertain',
    ]);
    expect(zip.body.warnings[1]!.message).toBe('The address book does not know this address; check it.');
  });

  it('that fits two streets is not chosen between', async () => {
    type Ambiguous = ProblemDocument & { candidates: { address: string; lat: number; lng: number }[] };
    const { status, body } = await post<Ambiguous>('/v1/distance-to-coast', {
      address: '7 Palafox St, Pensacola FL 32503',
    });
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ path: '/address', code: 'address_ambiguous' }]);
    expect(body.detail).toContain('7 N PALAFOX ST, PENSACOLA, FL 32503; 7 S PALAFOX ST, PENSACOLA, FL 32503');
    expect(body.candidates.map(({ lat }) => lat)).toEqual([30.45, 30.48]);
    const chosen = await post<DistanceResponse>('/v1/distance-to-coast', { address: body.candidates[1]!.address });
    expect(chosen.body.address).toEqual({ lat: 30.48, lng: -87.23 });
  });
});

describe('a home near a limit of one mile', () => {
  const underwrite = async (where: object) => {
    const { body } = await post<WireDecision>('/v1/underwrite/home', { ...home, ...where });
    const verdict = [...body.carriers, ...body.declined].find(({ carrier_key }) => carrier_key === 'marsh_wren')!;
    const limit = verdict.distance_limits?.find(({ rule_id }) => rule_id === 'fl-one-mile');
    return { decision: body, verdict, limit };
  };

  it('needs information where only its ZIP code is known, and names what would settle it', async () => {
    const { decision, verdict, limit } = await underwrite({ address: '32503' });
    expect(verdict).toMatchObject({ status: 'needs_information', missing_fields: ['address'], reasons: [] });
    expect(verdict.possible_statuses).toEqual(expect.arrayContaining(['eligible', 'ineligible']));
    expect(limit).toMatchObject({ limit: 1, unit: 'miles', home: 'either', outcome: 'decline' });
    expect(limit!.text).toMatch(
      /^about [\d.]+ miles from tidal water \([\d.]+ to [\d.]+\), by the center of the ZIP code ± 2\.49 miles and the OpenStreetMap shoreline, 2024 ± \d+ feet: too uncertain to compare with the limit of 1 mile: [\d.]+ % likely within it\. Give a street address with its house number, lat and lng, or distance_to_tidal_water_miles if it has been measured\.$/,
    );
    expect(decision.next_questions[0]).toMatchObject({ field: 'address' });
    expect(decision.distances).toMatchObject({
      location: { precision: 'zip_centroid', matched_address: 'Pensacola, FL 32503' },
      facts: [
        { fact: 'distance_to_tidal_water_meters', source: 'coastline', dataset: { name: 'osm-us' } },
        { fact: 'distance_to_ocean_meters' },
        { fact: 'distance_to_mean_high_water_meters' },
      ],
    });
  });

  it.each([
    ['its imported address', { address: '1420 N 12th Ave, Pensacola FL 32503' }, 'the building ± 98 feet'],
    ['a point', { lat: 30.425, lng: -87.2 }, 'the point given'],
  ])('is declined by %s, with distance, limit and data', async (_name, where, by) => {
    const { verdict, limit } = await underwrite(where);
    expect(verdict.status).toBe('ineligible');
    expect(limit).toMatchObject({ home: 'nearer' });
    const [reason] = verdict.reasons;
    expect(reason).toMatchObject({ rule_id: 'fl-one-mile', code: 'distance_to_coast', fields: ['address'] });
    expect(reason!.distances).toEqual([limit!.text]);
    expect(limit!.text).toMatch(/^0\.54 miles from tidal water \((?:0\.49 to 0\.59|0\.51 to 0\.57)\), by /);
    expect(limit!.text).toContain(` by ${by} and the OpenStreetMap shoreline, 2024`);
    expect(limit!.text).toMatch(/: nearer than the limit of 1 mile\.$/);
  });

  it.each([
    ['its imported address', { address: '3310 N 12th Ave, Pensacola FL 32503' }],
    ['a point', { lat: 30.44, lng: -87.205 }],
  ])('is eligible by %s beyond it, and names the limit', async (_name, where) => {
    const { verdict, limit } = await underwrite(where);
    expect(verdict.status).toBe('eligible');
    expect(limit).toMatchObject({ home: 'farther' });
    expect(limit!.text).toMatch(/^1\.61 miles from tidal water .*: beyond the limit of 1 mile\.$/);
  });

  it('needs a measurement where the shore itself is not known well enough', async () => {
    const { verdict, limit } = await underwrite({ address: '2105 E Lakeview Ave, Pensacola FL 32503' });
    expect(verdict.status).toBe('needs_information');
    expect(limit!.text).toMatch(
      / % likely within it\..* give distance_to_tidal_water_miles if it has been measured\.$/,
    );
    expect(limit!.probability).toBeGreaterThan(0.5);
    expect(verdict.missing_fields).toEqual(['distance_to_tidal_water_miles']);
    const measured = await underwrite({
      address: '2105 E Lakeview Ave, Pensacola FL 32503',
      distance_to_coast_miles: 1.02,
    });
    expect(measured.verdict.status).toBe('eligible');
    expect(measured.limit!.text).toBe('1.02 miles from tidal water, as given: beyond the limit of 1 mile.');
    expect(measured.decision.distances!.facts[0]).toMatchObject({ source: 'given', dataset: null });
  });

  it('believes what the caller gives, and says where the place says otherwise', async () => {
    const { decision, verdict } = await underwrite({ lat: 30.425, lng: -87.2, distance_to_coast_miles: 5 });
    expect(verdict.status).toBe('eligible');
    expect(decision.warnings).toMatchObject([{ code: 'distance_differs', path: '/distance_to_coast_miles' }]);
    expect(decision.warnings[0]!.message).toMatch(
      /^distance_to_coast_miles is 5, but the place is 0\.\d+ to 0\.\d+ miles/,
    );
    const alone = await underwrite({ distance_to_coast_miles: 0.7 });
    expect(alone.verdict).toMatchObject({ status: 'ineligible' });
    expect(alone.decision.distances).toMatchObject({ location: null, facts: [{ source: 'given', meters: 1126.5408 }] });
    expect(alone.decision.warnings).toEqual([]);
  });

  it('is evaluated in the given county, with a warning when the place lies in another', async () => {
    const { decision, verdict } = await underwrite({ county: 'okaloosa', lat: 30.44, lng: -87.205 });
    expect(verdict.status).toBe('eligible');
    expect(decision.warnings).toMatchObject([{ code: 'county_differs', path: '/county' }]);
    expect(decision.warnings[0]!.message).toContain('Escambia County');
  });
});
