import { buildCoastIndex, createCoast, type Shoreline } from '@leeward/coast';
import type { Geocode, Geocoder } from '@leeward/places';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../problem/problem.ts';
import { answerDistance } from './answer-distance.ts';
import { type CoastPort, nearestShore } from './coast-port.ts';
import { type DistanceOdds, oddsOfPlace, roundProbability } from './distance-odds.ts';
import { findPlace } from './find-place.ts';
import { nearestOfPlace } from './place-footprint.ts';

/** A meridian off the coast of Georgia. */
const shoreline: Shoreline = {
  name: 'county',
  version: '2026',
  attribution: 'a county',
  positions: Float64Array.of(-81.3, 31, -81.3, 32),
  lineStarts: Uint32Array.of(0, 2),
  layerNames: ['tidal', 'ocean_narrow'],
  layers: new Uint16Array(2).fill(3),
  shoreNames: ['Atlantic'],
  shores: new Uint8Array(2),
  water: 'unknown',
  accuracy: { radiusMeters: [1, 1], method: '' },
  coverage: [],
};
const meridian = createCoast(buildCoastIndex(shoreline));
/** A copy of an answer lacks its methods. */
const plain: CoastPort = {
  datasets: meridian.datasets,
  nearest: (...query) => ({ ...meridian.nearest(...query) }),
};
/** The error function, by its series. */
function erf(x: number): number {
  if (Math.abs(x) > 5) return Math.sign(x);
  let [term, sum] = [x, x];
  for (let n = 1; n < 120; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}
const normal = (x: number) => (1 + erf(x / Math.SQRT2)) / 2;

/** A distance with a normal error. */
function normalOdds(mean: number, sigma: number): DistanceOdds {
  const probabilityWithin = (meters: number) => normal((meters - mean) / sigma);
  const quantile = (level: number) => {
    let [low, high] = [mean - 8 * sigma, mean + 8 * sigma];
    for (let step = 0; step < 60; step++) {
      const middle = (low + high) / 2;
      if (probabilityWithin(middle) < level) low = middle;
      else high = middle;
    }
    return low;
  };
  return {
    probabilityWithin,
    intervalAt: (certainty) => ({ minMeters: Math.max(0, quantile(1 - certainty)), maxMeters: quantile(certainty) }),
  };
}

const SHORE_SIGMA = 20;
const coast: CoastPort = {
  datasets: plain.datasets,
  nearest(...query) {
    const answer = nearestShore(plain, ...query);
    return { ...answer, ...normalOdds(answer.distanceMeters, SHORE_SIGMA) };
  },
};

function geocoderAt(longitude: number, errorRadiusMeters: number): Geocoder {
  const geocode = {
    latitude: 31.5,
    longitude,
    geocoder: 'test',
    precision: 'interpolated',
    errorRadiusMeters,
    matchedAddress: 'here',
    unmatched: [],
  } as unknown as Geocode;
  return { geocode: async () => ({ status: 'found', geocode }) } as unknown as Geocoder;
}

const point = { lat: 31.5, lng: -81.305 };
const address = '1 Main St, Savannah GA 31401';
const limitsOf = (meters: readonly number[]) => meters.map((each) => ({ meters: each }));

describe('the probability within a distance', () => {
  it('is that of the coast for a point', async () => {
    const request = { ...point, probability_within: [{ feet: 1500 }, { miles: 1 }, { meters: 480 }] };
    const answer = await answerDistance(request, { coast });
    const { meters } = answer.distance.raw;
    const expected = [457.2, 1609.344, 480].map((limit) => roundProbability(normal((limit - meters) / SHORE_SIGMA)));
    expect(answer.probability_within).toEqual([
      { feet: 1500, meters: 457.2, probability: expected[0] },
      { miles: 1, meters: 1609.344, probability: expected[1] },
      { meters: 480, probability: expected[2] },
    ]);
    expect(expected[0]).toBeGreaterThan(0.01);
    expect(expected[0]).toBeLessThan(0.5);
    expect(answer.warnings).toEqual([]);
  });

  it('adds the error of a geocoder, whose radius contains 95 % of places', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 300 }),
        fc.double({ min: -1, max: 1, noNaN: true }),
        async (radius, at) => {
          const ports = { coast, geocoder: geocoderAt(point.lng, radius) };
          const place = await findPlace({ address }, ports);
          const odds = oddsOfPlace(coast, place, 'tidal', nearestOfPlace(coast, place, 'tidal'))!;
          const { distanceMeters } = nearestShore(coast, { latitude: point.lat, longitude: point.lng });
          // 1 − exp(−r² / 2σ²) = 0.95; independent errors add in squares.
          const sigma = Math.hypot(SHORE_SIGMA, radius / Math.sqrt(-2 * Math.log(0.05)));
          const limit = distanceMeters + 3 * at * sigma;
          expect(odds.probabilityWithin(limit)).toBeCloseTo(normal((limit - distanceMeters) / sigma), 3);
          for (const certainty of [0.6, 0.9, 0.95, 0.99]) {
            const { minMeters, maxMeters } = odds.intervalAt(certainty);
            expect(odds.probabilityWithin(maxMeters)).toBeGreaterThanOrEqual(certainty);
            if (minMeters > 0) expect(odds.probabilityWithin(minMeters)).toBeLessThanOrEqual(1 - certainty);
            const expected = normalOdds(distanceMeters, sigma).intervalAt(certainty);
            expect(Math.abs(minMeters - expected.minMeters)).toBeLessThan(0.01 * sigma + 0.01);
            expect(Math.abs(maxMeters - expected.maxMeters)).toBeLessThan(0.01 * sigma + 0.01);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('takes a building anywhere in a circle', async () => {
    const request = { ...point, radius_meters: 200, probability_within: limitsOf([200, 480, 800]) };
    const { probability_within: probabilities } = await answerDistance(request, { coast });
    const center = nearestShore(coast, { latitude: point.lat, longitude: point.lng }).distanceMeters;
    // Buildings on a grid in the circle.
    const buildings: number[] = [];
    for (let x = -200; x <= 200; x += 5)
      for (let y = -200; y <= 200; y += 5) if (Math.hypot(x, y) <= 200) buildings.push(x);
    for (const { meters, probability } of probabilities!) {
      const each = buildings.map((x) => normal((meters - center - x) / SHORE_SIGMA));
      expect(probability).toBeCloseTo(each.reduce((sum, one) => sum + one, 0) / each.length, 2);
    }
  });

  it('is that of the nearest point of a footprint', async () => {
    const [west, east] = [-81.306, -81.305];
    const ring = [west, east, east, west, west].map((lng, index) => [lng, index < 2 || index === 4 ? 31.5 : 31.5005]);
    const footprint = { type: 'Polygon', coordinates: [ring] };
    const limits = { probability_within: limitsOf([450, 480, 500]) };
    const { probability_within: ofBuilding } = await answerDistance({ footprint, ...limits }, { coast });
    const { probability_within: ofPoint } = await answerDistance({ lat: 31.5, lng: east, ...limits }, { coast });
    ofBuilding!.forEach(({ probability }, index) => {
      expect(probability).toBeCloseTo(ofPoint![index]!.probability!, 2);
    });
  });

  it.each([
    ['a coast without probabilities', plain, 'tidal'],
    ['mean high water between two layers', coast, 'mean_high_water'],
  ])('is null for %s', async (_, port, layer) => {
    const answer = await answerDistance(
      { ...point, coast: layer, probability_within: [{ feet: 10 }] },
      { coast: port },
    );
    expect(answer.probability_within).toEqual([{ feet: 10, meters: 3.048, probability: null }]);
    expect(answer.warnings).toMatchObject([{ code: 'probability_unknown', path: '/probability_within' }]);
  });

  it('is absent unless requested', async () => {
    expect(await answerDistance(point, { coast })).not.toHaveProperty('probability_within');
    expect((await answerDistance({ ...point, probability_within: [] }, { coast })).probability_within).toEqual([]);
  });

  it.each<[unknown, string, string, string]>([
    [[{ feet: 1, miles: 1 }], '/probability_within/0', 'several_units', 'feet and miles'],
    [[{ meters: 1 }, {}], '/probability_within/1', 'required', 'no unit'],
    [[{ feet: 0 }], '/probability_within/0/feet', 'out_of_range', 'feet is 0; give a number above 0'],
    [[{ miles: -1 }], '/probability_within/0/miles', 'out_of_range', 'miles is -1; give a number above 0'],
    [[{ meters: '500' }], '/probability_within/0/meters', 'invalid_type', 'meters is "500"; give a number above 0'],
    [[{ km: 1 }], '/probability_within/0/km', 'unknown_field', 'km'],
    [[1000], '/probability_within/0', 'invalid_type', '1000; give { "feet": 1000 }'],
    [{ feet: 1000 }, '/probability_within', 'invalid_type', 'give a list of distances'],
    [Array.from({ length: 11 }, () => ({ feet: 1 })), '/probability_within', 'too_many', 'at most 10'],
  ])('refuses %j', async (limits, path, code, text) => {
    const thrown = await answerDistance({ ...point, probability_within: limits }, { coast }).catch((error) => error);
    expect(thrown).toBeInstanceOf(Problem);
    const { errors } = (thrown as Problem).options;
    const [first] = errors!;
    expect([first!.path, first!.code]).toEqual([path, code]);
    expect(first!.message).toContain(text);
  });
});
