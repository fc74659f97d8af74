import { loadZipGazetteer } from '@leeward/places/zips';
import { beforeAll, expect, it } from 'vitest';
import { zipcodeWarnings } from './zipcode-warnings.ts';

let gazetteer: Awaited<ReturnType<typeof loadZipGazetteer>>;
beforeAll(async () => {
  gazetteer = await loadZipGazetteer();
});
const codes = (state: string, county: string, zipcode: unknown) =>
  zipcodeWarnings({ fields: { state, county, zipcode } }, gazetteer).map(({ path, code }) => `${path} ${code}`);

it.each([
  ['FL', 'Marion', '34471', []],
  ['Florida', 'Marion County', '34471-1234', []],
  ['fl', 'Marion', '10001', ['/fields/zipcode zipcode_not_in_state']],
  ['FL', 'Marion', '33139', ['/fields/zipcode zipcode_far_from_county']],
  // Alachua County, next to Marion: ZIP codes reach across.
  ['FL', 'Marion', '32667', []],
  // Two counties share the name.
  ['MD', 'Baltimore', '21201', []],
  ['MD', 'Baltimore', '21550', ['/fields/zipcode zipcode_far_from_county']],
  ['MA', 'Middlesex', 2138, []],
  ['FL', 'Marion', '00000', []],
  ['FL', 'Harris', '34471', []],
])('%s, %s, %s: %j', (state, county, zipcode, expected) => {
  expect(codes(state, county, zipcode)).toEqual(expected);
});

it('says in a sentence where the ZIP code lies', () => {
  const fields = { state: 'FL', county: 'Marion', zipcode: '10001' };
  expect(zipcodeWarnings({ fields }, gazetteer)[0]?.message).toBe(
    'The ZIP code 10001 belongs to New York, NY, but the request places the home in Florida. Carriers get both unchanged.',
  );
  expect(zipcodeWarnings({ fields }, undefined)).toEqual([]);
  for (const body of [null, 7, {}, { fields: null }]) expect(zipcodeWarnings(body, gazetteer)).toEqual([]);
});
