import { buildCoastIndex, createCoast } from '@leeward/coast';
import { createCatalog } from '@leeward/engine';
import { createGazetteerGeocoder, loadZipGazetteer } from '@leeward/places/zips';
import { describe, expect, it } from 'vitest';
import { findPlace } from '../distance/find-place.ts';
import { underwriteHome } from './underwrite-home.ts';

/** A meridian 5 km east of the middle of Long Beach Island, known to 100 m. */
const coast = createCoast(
  buildCoastIndex({
    name: 'meridian',
    version: '1',
    attribution: '',
    positions: Float64Array.of(-74.142, 35, -74.142, 45),
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
const gazetteer = await loadZipGazetteer();
const ports = { coast, gazetteer, cities: gazetteer, geocoder: createGazetteerGeocoder(gazetteer) };

const file = {
  format: 1,
  carrier: { key: 'shore', name: 'shore' },
  version: '1',
  effective: { from: '2020-01-01' },
  rules: [
    {
      id: 'r',
      outcome: 'decline',
      code: 'distance_to_coast',
      message: 'No.',
      when: { all: [{ fact: 'distance_to_tidal_water_feet', operator: 'lessThan', value: 5_280 }] },
    },
  ],
  programs: [{ id: 'nj', policy_types: ['ho3'], states: ['nj'] }],
};

async function decide(home: object) {
  const decider = createCatalog([{ file }]);
  const decision = await underwriteHome(
    { state: 'nj', policy_type: 'ho3', ...home },
    { decider, now: new Date('2026-11-20T12:00:00Z'), traceId: 't', organizationId: null, distance: ports },
  );
  return { ...decision, verdict: [...decision.carriers, ...decision.declined][0] };
}

describe('a home that is located by the name of an area', () => {
  it('is undecided near the shore, since the radius covers the area', async () => {
    const { verdict } = await decide({ address: 'Long Beach Island' });
    expect(verdict).toMatchObject({ status: 'needs_information', missing_fields: ['address'] });
    // The middle of the area is decided.
    expect((await decide({ lat: 39.637, lng: -74.2 })).verdict?.status).toBe('eligible');
  });

  it('uses the state of the home', async () => {
    const { distances, warnings } = await decide({ address: 'Long Beach' });
    expect(distances?.location?.matched_address).toBe('Long Beach Island, NJ');
    expect(warnings.filter(({ code }) => code === 'state_assumed')).toEqual([]);
  });

  it('stays without a distance if the name is misspelled, with a suggestion', async () => {
    const { verdict, warnings } = await decide({ address: 'Long Beach Iland' });
    expect(verdict?.status).toBe('needs_information');
    expect(warnings).toContainEqual(
      expect.objectContaining({
        code: 'address_not_found',
        message: expect.stringContaining('Did you mean Long Beach Island, NJ?'),
      }),
    );
  });
});

describe('the name of a place without its state', () => {
  it('is the far largest place of that name, with a warning', async () => {
    expect(await findPlace({ address: 'Miami' }, ports)).toMatchObject({
      matchedAddress: 'Miami, FL',
      warnings: [{ code: 'state_assumed', path: '/address', message: expect.stringContaining('OK') }],
    });
  });

  it.each([
    ['Springfield', 'MO, MA, IL'],
    ['Maimi', 'Did you mean Miami, FL'],
    ['South Beach FL', 'South Beach, FL 331'],
  ])('%s is rejected with the alternatives', async (address, alternatives) => {
    await expect(findPlace({ address }, ports)).rejects.toMatchObject({
      code: 'invalid_request',
      options: { errors: [{ path: '/address', message: expect.stringContaining(alternatives) }] },
    });
  });
});
