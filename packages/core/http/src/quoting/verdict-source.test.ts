import { buildCoastIndex, type Coast, createCoast } from '@leeward/coast';
import { createCatalog } from '@leeward/engine';
import { type Geocoder, GeocoderUnavailableError } from '@leeward/places';
import { createGazetteerGeocoder, loadZipGazetteer } from '@leeward/places/zips';
import type { CarrierRequest } from '@leeward/quotes';
import { expect, it } from 'vitest';
import { createVerdictSource } from './verdict-source.ts';

const catalog = createCatalog([
  {
    file: {
      format: 1,
      carrier: { key: 'inland', name: 'Inland Mutual' },
      line: 'home',
      version: '1',
      effective: { from: '2020-01-01', until: null },
      rules: [
        {
          id: 'coast',
          outcome: 'decline',
          code: 'distance_to_coast',
          when: { all: [{ fact: 'distance_to_coast_miles', operator: 'lessThan', value: 20 }] },
          message: 'Homes within 20 miles of the coast are not written.',
        },
        {
          id: 'roof',
          outcome: 'refer',
          code: 'roof_age',
          when: { all: [{ fact: 'roof_age', operator: 'greaterThan', value: 10 }] },
          message: 'The roof is {roof_age} years old.',
        },
      ],
      programs: [{ id: 'fl', policy_types: ['ho3'], states: ['fl'], rules: [] }],
    },
  },
]);

/** A shore along a meridian, through Florida. */
function coastAlong(longitude: number): Coast {
  return createCoast(
    buildCoastIndex({
      name: 'meridian',
      version: '1',
      attribution: '',
      positions: Float64Array.of(longitude, 25, longitude, 31),
      lineStarts: Uint32Array.of(0, 2),
      layerNames: ['tidal', 'ocean'],
      layers: new Uint16Array(2).fill(3),
      shoreNames: ['coast'],
      shores: new Uint8Array(2),
      water: 'unknown',
      accuracy: { radiusMeters: [100, 100], method: '' },
      coverage: [],
    }),
  );
}

const request: CarrierRequest = {
  rateId: 'rate',
  quoteRequestId: 'quote',
  teamId: 'team',
  productCode: 'homeowners',
  formType: 'ho3',
  effectiveDate: '2026-12-01',
  producerEmail: 'pat@example.com',
  fields: {
    house_number: '1420',
    street: 'Larkspur Ave',
    city: 'Ocala',
    state: 'FL',
    county: 'Marion',
    zipcode: '34471',
  },
};
const gazetteer = await loadZipGazetteer();
const ports = { rulesOf: async () => catalog, clock: () => new Date('2026-11-20T12:00:00Z') };
const judged = (coast: Coast, geocoder: Geocoder, fields: object = {}) =>
  createVerdictSource({ ...ports, distance: { coast, geocoder, cities: gazetteer } })('inland', {
    ...request,
    fields: { ...request.fields, roof_year: 2020, roof_option: 'metal', ...fields },
  });

it('uses the distance of the address, with its error', async () => {
  const offline = createGazetteerGeocoder(gazetteer);
  // 34471 lies near 29.16, -82.13: 200 km from one shore, and across the other.
  expect(await judged(coastAlong(-80), offline)).toMatchObject({ status: 'eligible' });
  expect(await judged(coastAlong(-82.13), offline)).toMatchObject({ status: 'ineligible' });
  expect(await judged(coastAlong(-82.46), offline)).toMatchObject({
    status: 'needs_information',
    missingFields: ['address'],
  });
});

it('names a missing distance as the rules do, and takes it with its source', async () => {
  const file = JSON.stringify(catalog.carriers[0]!.versions[0]!.ruleSet.file);
  const inFeet = createCatalog([
    {
      file: JSON.parse(
        file.replace('distance_to_coast_miles', 'distance_to_tidal_water_feet').replace('20}', '105600}'),
      ),
    },
  ]);
  const point = { lat: 29.16, lng: -82.13, roof_year: 2020, roof_option: 'metal' };
  const quoted = (fields: object) =>
    createVerdictSource({ ...ports, rulesOf: async () => inFeet, distance: { coast: coastAlong(-82.46) } })('inland', {
      ...request,
      fields: { ...request.fields, ...point, ...fields },
    });
  const name = 'distance_to_tidal_water_feet';
  const open = await quoted({});
  expect(open).toMatchObject({ status: 'needs_information', missingFields: [name] });
  const evidence = { [name]: { as_of: '2026-05-01', source: 'surveyor' } };
  expect(await quoted({ [name]: 110_000, evidence })).toMatchObject({ status: 'eligible' });
  expect(await quoted({ distance_to_coast_miles: 19, evidence })).toMatchObject({ status: 'ineligible' });
  // Two distances to one shore: both are dropped, so the computed one counts.
  expect(await quoted({ distance_to_coast_miles: 95, [name]: 1 })).toEqual(open);
});

it('leaves the distance unknown without a lookup, or if the geocoder is unavailable', async () => {
  const away: Geocoder = {
    name: 'away',
    geocode: async () => {
      throw new GeocoderUnavailableError('away', 'unreachable', 'away is out of reach');
    },
  };
  const unknown = { status: 'needs_information', missingFields: ['address'] };
  expect(await judged(coastAlong(-80), away)).toMatchObject(unknown);
  expect(await createVerdictSource(ports)('inland', request)).toMatchObject({ status: 'needs_information' });
});

it('tells fields by the names that quotes have for them', async () => {
  const offline = createGazetteerGeocoder(gazetteer);
  const referred = await judged(coastAlong(-80), offline, { roof_year: 2001 });
  expect(referred).toMatchObject({
    status: 'referral',
    reasons: [{ code: 'roof_age', message: 'The roof is 25 years old.', field: 'roof_year' }],
  });
  // A field that underwriting rejects is omitted.
  const misread = await judged(coastAlong(-80), offline, { ownership: 'a rock band', dwelling_type: 'yurt' });
  expect(misread).toMatchObject({ status: 'eligible' });
  expect(await createVerdictSource(ports)('nobody', request)).toEqual({
    status: 'not_offered',
    reasons: [],
    missingFields: [],
  });
});
