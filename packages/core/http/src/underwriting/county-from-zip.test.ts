import { loadCoastlineUs } from '@leeward/coastline-us';
import { createCatalog } from '@leeward/engine';
import { createGazetteerGeocoder, loadZipGazetteer } from '@leeward/places/zips';
import { expect, it } from 'vitest';
import { underwriteHome } from './underwrite-home.ts';

const gazetteer = await loadZipGazetteer();
const distance = {
  coast: loadCoastlineUs(),
  gazetteer,
  cities: gazetteer,
  geocoder: createGazetteerGeocoder(gazetteer),
};
const decider = createCatalog([
  {
    file: {
      format: 1,
      carrier: { key: 'marion', name: 'Marion Mutual' },
      version: '1',
      effective: { from: '2026-01-01' },
      rules: [],
      programs: [{ id: 'fl', policy_types: ['ho3'], states: ['fl'], counties: { fl: { include: ['marion'] } } }],
    },
  },
]);
const underwrite = (where: object) =>
  underwriteHome(
    { state: 'fl', policy_type: 'ho3', ...where },
    { decider, now: new Date('2026-11-20T12:00:00Z'), traceId: 't', organizationId: null, distance },
  );

it('uses the county of a ZIP code in a single county, with a warning', async () => {
  for (const address of ['Ocala FL 34471', '12 Elm St, Ocala, FL 34471 USA', { zipcode: '34471' }]) {
    const { carriers, home, warnings } = await underwrite({ address });
    expect(carriers).toMatchObject([{ status: 'eligible', missing_fields: [] }]);
    expect(home['county']).toBe('marion');
    expect(warnings).toContainEqual({
      code: 'county_from_zip',
      path: '/county',
      message: expect.stringContaining('the ZIP code 34471 lies in Marion County'),
    });
    const again = await underwrite(home);
    expect(again.carriers).toMatchObject([{ status: 'eligible' }]);
  }
});

it('reports the county as missing if the ZIP code spans several, is in another state, or is missing', async () => {
  for (const where of [
    { address: 'Umatilla FL 32784' },
    { state: 'ga', address: 'Ocala FL 34471' },
    { address: 'Ocala, FL' },
  ]) {
    const { home, warnings } = await underwrite(where);
    expect(home).not.toHaveProperty('county');
    expect(warnings.map(({ code }) => code)).not.toContain('county_from_zip');
  }
  const { home } = await underwrite({ address: 'Ocala FL 34471', county: 'lake' });
  expect(home['county']).toBe('lake');
});
