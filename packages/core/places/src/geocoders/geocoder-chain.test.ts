import { beforeAll, describe, expect, it } from 'vitest';
import type { Geocoder, GeocoderAnswer } from '../geocoder/geocoder.ts';
import { GeocoderUnavailableError } from '../geocoder/geocoder-unavailable-error.ts';
import { createScriptedGeocoder, foundAnswer, type ScriptStep } from '../testing/index.ts';
import { loadZipGazetteer } from '../zips/load-zip-gazetteer.ts';
import { createGazetteerGeocoder } from './gazetteer-geocoder.ts';
import { createGeocoderChain } from './geocoder-chain.ts';
import { guardGeocoder } from './guard-geocoder.ts';
import { createPlausibilityCheck, type PlausibilityCheck } from './plausibility.ts';

const address = { line1: '1600 Ocean Dr', city: 'Miami Beach', state: 'fl', zip: '33139' };
const nowhere: GeocoderAnswer = { status: 'not_found', code: 'no_match', message: 'No matching address was found.' };
const house = foundAnswer({ geocoder: 'a' });
const street = foundAnswer({ geocoder: 'a', precision: 'street', errorRadiusMeters: 500, unmatched: ['line1'] });
const kansas = foundAnswer({
  geocoder: 'a',
  latitude: 38.5,
  longitude: -98.3,
  matchedAddress: '1600 Ocean Dr, Kansas',
});
const twins: GeocoderAnswer = {
  status: 'ambiguous',
  candidates: [foundAnswer({ geocoder: 'a' }), foundAnswer({ geocoder: 'a', latitude: 25.8 })].flatMap((one) =>
    one.status === 'found' ? [one.geocode] : [],
  ),
};
const down = new GeocoderUnavailableError('a', 'bad_status', 'the server answered with status 500.', {
  retryAfterSeconds: 3,
});

let gazetteer: Geocoder;
let isImplausible: PlausibilityCheck;
beforeAll(async () => {
  const zips = await loadZipGazetteer();
  gazetteer = createGazetteerGeocoder(zips);
  isImplausible = createPlausibilityCheck(zips);
});

function chain(...steps: readonly ScriptStep[]) {
  const scripts = steps.map((step, index) => createScriptedGeocoder('abc'.charAt(index), step));
  return createGeocoderChain({
    geocoders: [...scripts.map((script) => guardGeocoder(script, { timeoutMs: 30 })), gazetteer],
    isImplausible,
  });
}
const outcomes = async (query: typeof address | Partial<typeof address>, ...steps: readonly ScriptStep[]) => {
  const none = { line1: undefined, city: undefined, state: undefined, zip: undefined };
  const answer = await chain(...steps).geocode({ ...none, ...query });
  return { answer, tried: answer.attempts.map(({ geocoder, outcome }) => `${geocoder} ${outcome}`) };
};

describe('the chain of geocoders', () => {
  it('stops at the first good answer', async () => {
    const { answer, tried } = await outcomes(address, house, house);
    expect(answer).toMatchObject({ status: 'found', geocode: { geocoder: 'a', precision: 'rooftop' } });
    expect(tried).toEqual(['a found']);
  });

  it.each([
    ['one that hangs', 'hang', 'a unavailable'],
    ['one that hangs and does not listen', 'hang deaf', 'a unavailable'],
    ['one that fails', down, 'a unavailable'],
    ['one that finds nothing', nowhere, 'a not_found'],
    ['a point in Kansas', kansas, 'a implausible'],
    ['only the street', street, 'a found'],
    ['two places', twins, 'a ambiguous'],
  ] as const)('goes on after %s', async (_, step, outcome) => {
    const good = foundAnswer({ geocoder: 'b' });
    const { answer, tried } = await outcomes(address, step, good);
    expect(answer).toMatchObject({ status: 'found', geocode: { geocoder: 'b' } });
    expect(tried).toEqual([outcome, 'b found']);
  });

  it('falls back to the ZIP code and reports the failures', async () => {
    const { answer, tried } = await outcomes(address, 'hang', down, kansas);
    expect(answer).toMatchObject({
      status: 'found',
      geocode: { geocoder: 'zip_gazetteer', precision: 'zip_centroid', unmatched: ['line1'] },
    });
    expect(tried).toEqual(['a unavailable', 'b unavailable', 'c implausible', 'zip_gazetteer found']);
    expect(answer.attempts.map(({ detail }) => detail)).toEqual([
      'a: no answer within 30 ms.',
      'a: the server answered with status 500.',
      expect.stringMatching(/^the place is 1,3\d\d miles from ZIP code 33139$/),
      'Miami Beach, FL 33139',
    ]);
  });

  it('prefers the finest of the coarse places, and candidates to a coarse place', async () => {
    expect((await outcomes(address, street, nowhere)).answer).toMatchObject({
      geocode: { geocoder: 'a', precision: 'street' },
    });
    expect((await outcomes(address, twins, nowhere)).answer).toMatchObject({
      status: 'ambiguous',
      candidates: [{}, {}],
    });
  });

  it('accepts the other place if one of two is implausible', async () => {
    const candidates = [house, kansas].flatMap((one) => (one.status === 'found' ? [one.geocode] : []));
    const { answer } = await outcomes(address, { status: 'ambiguous', candidates });
    expect(answer).toMatchObject({ status: 'found', geocode: { latitude: 25.7891 } });
  });

  it('accepts any place for an address without a street', async () => {
    const { tried } = await outcomes(
      { state: 'fl', zip: '33139' },
      foundAnswer({ geocoder: 'a', precision: 'zip_centroid' }),
      house,
    );
    expect(tried).toEqual(['a found']);
  });

  it('is unavailable when nothing was found and a geocoder failed', async () => {
    const unknown = { ...address, city: 'Nowhere-on-Sea', zip: '00000' };
    await expect(chain(down, nowhere).geocode(unknown)).rejects.toMatchObject({
      name: 'GeocoderUnavailableError',
      kind: 'all_failed',
      retryAfterSeconds: 3,
    });
  });

  it.each([
    ['nobody knows', { ...address, city: 'Nowhere-on-Sea', zip: '00000' }, 'unknown_zip'],
    ['contradicts itself', { ...address, zip: '90210' }, 'zip_not_in_state'],
  ])('returns nothing for an address that %s', async (_, asked, code) => {
    expect((await outcomes(asked, nowhere)).answer).toMatchObject({ status: 'not_found', code });
  });

  it('reports a contradictory address although a geocoder failed', async () => {
    expect((await outcomes({ ...address, zip: '90210' }, down)).answer).toMatchObject({ code: 'zip_not_in_state' });
  });

  it('rejects an implausible place even without another', async () => {
    const asked = { ...address, city: 'Nowhere-on-Sea', zip: undefined };
    const { answer } = await outcomes(asked as never, kansas);
    expect(answer).toMatchObject({ status: 'not_found' });
  });

  it("rejects with the caller's reason, and with other errors unchanged", async () => {
    const reason = new Error('gone');
    await expect(chain(house).geocode(address, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const bug = new TypeError('a bug');
    await expect(chain(bug).geocode(address)).rejects.toBe(bug);
  });

  it('needs a geocoder', () => {
    expect(() => createGeocoderChain({ geocoders: [] })).toThrow(RangeError);
  });
});

describe('the plausibility check', () => {
  it.each([
    ['the house', address, {}, undefined],
    ['the next ZIP code', { ...address, zip: '33140' }, {}, undefined],
    ['another state named', address, { state: 'ks' }, /in KS, not in FL/],
    ['far from the ZIP code', { ...address, zip: '32501' }, {}, /miles from ZIP code 32501/],
    ['far from the city', { ...address, zip: undefined, city: 'Pensacola' }, {}, /miles from Pensacola, FL/],
    ['an unknown city in the state', { ...address, zip: undefined, city: 'Nowhere-on-Sea' }, {}, undefined],
    ['outside the state', { ...address, zip: undefined, city: 'Nowhere-on-Sea', state: 'ks' }, {}, /not in KS/],
    [
      'in the sea',
      { ...address, zip: undefined, city: 'Nowhere-on-Sea' },
      { latitude: 25, longitude: -60 },
      /not in FL/,
    ],
    ['off the globe', address, { latitude: 95 }, /not a point on the globe/],
    ['no number', address, { latitude: Number.NaN }, /not a point on the globe/],
  ])('%s', (_, asked, parts, reason) => {
    const answer = foundAnswer({ geocoder: 'a', ...parts });
    if (answer.status !== 'found') throw new Error(answer.status);
    const result = isImplausible(asked, answer.geocode);
    if (reason === undefined) expect(result).toBeUndefined();
    else expect(result).toMatch(reason);
  });
});
