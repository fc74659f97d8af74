import { beforeAll, describe, expect, it } from 'vitest';
import { splitAddress } from '../address/split-address.ts';
import type { Geocoder, GeocoderAnswer } from '../geocoder/geocoder.ts';
import { loadZipGazetteer } from '../zips/load-zip-gazetteer.ts';
import { createZipGazetteer, type ZipGazetteer } from '../zips/zip-gazetteer.ts';
import { createGazetteerGeocoder } from './gazetteer-geocoder.ts';

let gazetteer: ZipGazetteer;
let geocoder: Geocoder;
beforeAll(async () => {
  gazetteer = await loadZipGazetteer();
  geocoder = createGazetteerGeocoder(gazetteer);
});

async function ask(text: string): Promise<GeocoderAnswer> {
  const { address } = splitAddress(text, gazetteer);
  if (address === undefined) throw new Error(`${text} is no address.`);
  return geocoder.geocode(address);
}

describe('the gazetteer geocoder', () => {
  it('locates a full address by its ZIP code, with the radius and the street unmatched', async () => {
    expect(await ask('1600 Ocean Dr, Miami Beach FL 33139')).toEqual({
      status: 'found',
      geocode: {
        latitude: 25.779,
        longitude: -80.152,
        precision: 'zip_centroid',
        method: 'zip_point',
        errorRadiusMeters: 3_000,
        geocoder: 'zip_gazetteer',
        matchedAddress: 'Miami Beach, FL 33139',
        state: 'fl',
        zip: '33139',
        countyFips: '12086',
        unmatched: ['line1'],
        attribution: 'ZIP codes: GeoNames (https://www.geonames.org, CC BY 4.0) and U.S. Census Bureau, changed',
      },
    });
  });

  it('answers a bare ZIP code with nothing unmatched', async () => {
    expect(await ask('33139')).toMatchObject({ geocode: { precision: 'zip_centroid', unmatched: [] } });
  });

  it('answers a city with a radius that holds all its ZIP points', async () => {
    const answer = await ask('Houston, TX');
    if (answer.status !== 'found') throw new Error(answer.status);
    expect(answer.geocode).toMatchObject({ precision: 'city_centroid', matchedAddress: 'Houston, TX', unmatched: [] });
    expect(answer.geocode.errorRadiusMeters).toBeGreaterThan(30_000);
    expect(answer.geocode.errorRadiusMeters).toBeLessThan(80_000);
  });

  it('uses the city if the ZIP code is unknown, and marks it unmatched', async () => {
    expect(await ask('1600 Ocean Dr, Miami Beach, FL 33999')).toMatchObject({
      geocode: { precision: 'city_centroid', unmatched: ['line1', 'zip'] },
    });
  });

  it.each([
    ['1600 Ocean Dr, Miami Beach, FL 90210', 'zip_not_in_state', /90210 is in CA, not in FL/],
    ['10 Oak St, Hartford CT 33139', 'zip_not_in_state', /33139 is in FL, not in CT/],
    ['00000', 'unknown_zip', /00000 is not a known ZIP code/],
    ['12 Elm St, Atlantis-on-Sea, FL', 'unknown_city', /"Atlantis-on-Sea, FL"/],
  ])('%s: %s', async (text, code, message) => {
    expect(await ask(text)).toEqual({ status: 'not_found', code, message: expect.stringMatching(message) });
  });

  it('accepts a ZIP code that crosses the line to the requested state', async () => {
    // Kentucky's ZIP code; half of the post is in Tennessee.
    expect(await ask('1 Main St, Fort Campbell, TN 42223')).toMatchObject({ status: 'found' });
  });

  it('reports a city that is far from the ZIP code', async () => {
    expect(await ask('1 Main St, Pensacola, FL 33139')).toMatchObject({ geocode: { unmatched: ['line1', 'city'] } });
    expect(await ask('1 Main St, Miami, FL 33139')).toMatchObject({ geocode: { unmatched: ['line1'] } });
  });

  it('returns candidates if a state has two distant cities of one name', async () => {
    const table = {
      size: 3,
      zips: Uint32Array.of(70001, 70002, 70003),
      latitudes: Int32Array.of(30_000, 30_100, 32_000),
      longitudes: Int32Array.of(-90_000, -90_000, -92_000),
      radii: Uint16Array.of(10, 10, 10),
      stateOf: Uint8Array.of(0, 0, 0),
      countyOf: Uint16Array.of(71, 71, 1),
      cityOf: Uint16Array.of(1, 1, 1),
      fromGeoNames: Uint8Array.of(0, 0, 0),
      states: ['la'],
      cities: ['', 'Twin Oaks'],
    };
    const answer = await createGazetteerGeocoder(createZipGazetteer(table)).geocode({
      line1: undefined,
      city: 'Twin Oaks',
      state: 'la',
      zip: undefined,
    });
    if (answer.status !== 'ambiguous') throw new Error(answer.status);
    const places = answer.candidates.map(({ latitude, longitude, countyFips, errorRadiusMeters }) => {
      return { latitude, longitude, countyFips, errorRadiusMeters };
    });
    expect(answer.candidates.map(({ matchedAddress }) => matchedAddress)).toEqual([
      'Twin Oaks, LA 70001',
      'Twin Oaks, LA 70003',
    ]);
    expect(places).toEqual([
      { latitude: 30.05, longitude: -90, countyFips: '22071', errorRadiusMeters: 10_560 },
      { latitude: 32, longitude: -92, countyFips: '22001', errorRadiusMeters: 5_000 },
    ]);
  });

  it('ends with the reason of an aborted signal', async () => {
    const address = { line1: undefined, city: undefined, state: 'fl', zip: '33139' };
    const reason = new Error('gone');
    await expect(geocoder.geocode(address, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
