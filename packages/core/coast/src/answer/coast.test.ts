import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { buildCoastIndex, type CoastIndex } from '../search/coast-index.ts';
import type { Shoreline } from '../shoreline/shoreline.ts';
import { unitedStatesIndex, unitedStatesShoreline } from '../testing/natural-earth.ts';
import { randomShoreline } from '../testing/random-shoreline.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { testPoints } from '../testing/test-points.ts';
import type { Coast } from './coast.ts';
import {
  BATCH_ANSWERED,
  BATCH_INVALID_POINT,
  BATCH_OUTSIDE_COVERAGE,
  createCoastBatch,
  sliceCoastBatch,
} from './coast-batch.ts';
import { createCoast } from './create-coast.ts';

const UNITED_STATES = [
  { west: -180, south: 10, east: -60, north: 75 },
  { west: 140, south: 10, east: 180, north: 60 },
];
let coveredIndex: CoastIndex | undefined;
function covered(): CoastIndex {
  coveredIndex ??= buildCoastIndex({ ...unitedStatesShoreline(), coverage: UNITED_STATES });
  return coveredIndex;
}
const RULE = {
  excessMeters: 1000,
  baseMeters: 150,
  disagreementFactor: 0.75,
  preferredCeilingMeters: 2000,
  checkCeilingMeters: 1500,
};

function shorelineOf(name: string, line: readonly (readonly [number, number])[], layer = 'tidal'): Shoreline {
  return {
    name,
    version: '1',
    attribution: 'made up',
    layerNames: [layer],
    shoreNames: ['shore'],
    water: 'right',
    accuracy: { radiusMeters: [500], method: 'made up' },
    coverage: [],
    positions: Float64Array.from(line.flat()),
    lineStarts: Uint32Array.of(0, line.length),
    layers: new Uint16Array(line.length).fill(1),
    shores: new Uint8Array(line.length),
  };
}

describe('definitions', () => {
  it('find shores of their layers, and a larger definition is never farther', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = seededRandom(seed);
        const shoreline = randomShoreline(random, 2);
        const coast = createCoast(buildCoastIndex(shoreline));
        for (const point of testPoints(shoreline, 12, random)) {
          const tidal = coast.nearest(point);
          const abroad = coast.nearest(point, { layers: ['tidal'], neighbours: true });
          expect(abroad.distanceMeters).toBeLessThanOrEqual(tidal.distanceMeters + 1e-8);
          expect(tidal.layers).toContain('tidal');
          expect(tidal.layers).not.toContain('neighbour');
          if (shoreline.layers.some((layers) => (layers & 10) === 2)) {
            let ocean: ReturnType<Coast['nearest']> | undefined;
            try {
              ocean = coast.nearest(point, 'ocean');
            } catch (error) {
              expect(error).toMatchObject({ code: 'no_shore' });
            }
            if (ocean !== undefined) expect(ocean.distanceMeters).toBeGreaterThanOrEqual(tidal.distanceMeters - 1e-8);
          }
        }
      }),
      { numRuns: testVolume(12) },
    );
  });

  it('are answered together, in their order, each with its accuracy', () => {
    const coast = createCoast(unitedStatesIndex());
    const point = { latitude: 39.74, longitude: -104.99 };
    const answers = coast.nearestByEach(point, ['arctic', 'tidal', { layers: ['northern', 'arctic'] }]);
    expect(answers.map((answer) => answer.definition.layers)).toEqual([['arctic'], ['tidal'], ['northern', 'arctic']]);
    expect(answers.map((answer) => answer.accuracyMeters)).toEqual([5000, 3000, 4000]);
    expect(answers[0]!.distanceMeters).toBeGreaterThan(answers[2]!.distanceMeters);
    expect(answers[2]!.distanceMeters).toBeGreaterThan(answers[1]!.distanceMeters);
    expect(answers[0]!.coast.latitude).toBeGreaterThan(54.9);
    expect(answers).toEqual([
      coast.nearest(point, 'arctic'),
      coast.nearest(point),
      coast.nearest(point, { layers: ['northern', 'arctic'] }),
    ]);
  });

  it('are rejected if the data lacks the layer, with a list of its layers', () => {
    const coast = createCoast(
      buildCoastIndex(
        shorelineOf('line', [
          [0, 0],
          [1, 0],
        ]),
      ),
    );
    const point = { latitude: 1, longitude: 1 };
    expect(() => coast.nearest(point, 'ocean')).toThrow('no layer "ocean" in line: use tidal');
    expect(() => coast.nearest(point, '__proto__')).toThrow('no layer "__proto__"');
    expect(() => coast.nearest(point, { layers: [] })).toThrow('needs a layer');
    for (const wrong of [null, 7, {}, { layers: 'tidal' }] as unknown as string[]) {
      expect(() => coast.nearest(point, wrong)).toThrow('is not a definition of coast');
    }
    const empty = {
      ...shorelineOf('line', [
        [0, 0],
        [1, 0],
      ]),
      layerNames: ['tidal', 'ocean'],
      accuracy: { radiusMeters: [1, 2], method: '' },
    };
    expect(() => createCoast(buildCoastIndex(empty)).nearest(point, 'ocean')).toThrow('line has no shore of ocean');
  });
});

describe('points', () => {
  let coast: Coast;
  beforeAll(() => {
    coast = createCoast(covered());
  });

  it('are rejected if they are out of range', () => {
    for (const [latitude, longitude] of [
      [Number.NaN, 0],
      [91, 0],
      [0, 180.0001],
      [Number.POSITIVE_INFINITY, 0],
      ['30', '-90'],
      [null, undefined],
    ] as unknown as [number, number][]) {
      expect(() => coast.nearest({ latitude, longitude })).toThrow(/is not a place on the earth/);
    }
    expect(() => coast.nearest({ latitude: -118.2, longitude: 34 })).toThrow(
      'latitude -118.2, longitude 34 is not a place on the earth (-90 … 90, -180 … 180): they seem to be swapped',
    );
  });

  it('are rejected beyond the data, with a hint if they are swapped', () => {
    expect(() => coast.nearest({ latitude: 51.5, longitude: -0.1 })).toThrow(
      'beyond the coverage of natural-earth-us 5.1: use data that reaches there',
    );
    expect(() => coast.nearest({ latitude: -80.19, longitude: 25.77 })).toThrow('they seem to be swapped');
  });

  it('have several distinct coast points, nearest first', () => {
    const point = { latitude: 27.95, longitude: -82.46 };
    const several = coast.nearestSeveral(point, 25);
    expect(several).toHaveLength(25);
    expect(several[0]).toEqual(coast.nearest(point));
    for (let at = 1; at < several.length; at++) {
      expect(several[at]!.distanceMeters).toBeGreaterThanOrEqual(several[at - 1]!.distanceMeters);
    }
    expect(new Set(several.map(({ coast: at }) => `${at.latitude} ${at.longitude}`)).size).toBe(25);
    expect(() => coast.nearestSeveral(point, 0)).toThrow('the 0 nearest');
    const line = createCoast(
      buildCoastIndex(
        shorelineOf('line', [
          [0, 0],
          [0.001, 0],
        ]),
      ),
    );
    expect(line.nearestSeveral({ latitude: 1, longitude: 1 }, 9)).toHaveLength(1);
  });
});

describe('a batch', () => {
  it('returns the answers of single points, and a status for points without an answer', () => {
    const index = covered();
    const shoreline = unitedStatesShoreline();
    const points = testPoints(shoreline, testVolume(600), seededRandom(21));
    const latitudes = Float64Array.from(points, ({ latitude }) => latitude);
    const longitudes = Float64Array.from(points, ({ longitude }) => longitude);
    latitudes[7] = Number.NaN;
    longitudes[8] = 999;
    const check = buildCoastIndex({
      ...shoreline,
      coverage: UNITED_STATES,
      name: 'check',
      accuracy: { radiusMeters: [1, 1, 1], method: '' },
    });
    for (const coast of [createCoast(index), createCoast({ preferred: index, check, rule: RULE })]) {
      const batch = createCoastBatch(points.length);
      coast.nearestMany(latitudes, longitudes, batch);
      const few = createCoastBatch(300);
      coast.nearestMany(latitudes.subarray(0, 300), longitudes.subarray(0, 300), few);
      expect(few).toEqual(sliceCoastBatch(batch, 0, 300));
      let answered = 0;
      for (let at = 0; at < points.length; at++) {
        const point = { latitude: latitudes[at]!, longitude: longitudes[at]! };
        if (batch.statuses[at] !== BATCH_ANSWERED) {
          const code = at === 7 || at === 8 ? 'invalid_point' : 'outside_coverage';
          expect(batch.statuses[at]).toBe(at === 7 || at === 8 ? BATCH_INVALID_POINT : BATCH_OUTSIDE_COVERAGE);
          expect(() => coast.nearest(point)).toThrow(expect.objectContaining({ code }));
          expect([batch.distancesMeters[at], batch.coastLatitudes[at], batch.segments[at]]).toEqual([NaN, NaN, -1]);
          continue;
        }
        answered++;
        const answer = coast.nearest(point);
        expect({
          latitude: batch.coastLatitudes[at],
          longitude: batch.coastLongitudes[at],
          distanceMeters: batch.distancesMeters[at],
          azimuthDegrees: batch.azimuthsDegrees[at],
          accuracyMeters: batch.accuraciesMeters[at],
          dataset: coast.datasets[batch.sources[at]!]!.name,
        }).toEqual({
          ...answer.coast,
          distanceMeters: answer.distanceMeters,
          azimuthDegrees: answer.azimuthDegrees,
          accuracyMeters: answer.accuracyMeters,
          dataset: answer.dataset.name,
        });
      }
      expect(answered).toBeGreaterThan(points.length / 2);
    }
  });

  it('is answered completely if it is larger than the sorted part', () => {
    const coast = createCoast(unitedStatesIndex());
    const random = seededRandom(22);
    const length = 300_001;
    const latitudes = Float64Array.from({ length }, () => 25 + random() * 5);
    const longitudes = Float64Array.from({ length }, () => -87 + random() * 7);
    for (let at = 0; at < length; at += 1000) latitudes[at] = Number.NaN;
    const batch = createCoastBatch(length);
    coast.nearestMany(latitudes, longitudes, batch);
    for (let at = 0; at < length; at += 997) {
      if (at % 1000 === 0) {
        expect(batch.statuses[at]).toBe(BATCH_INVALID_POINT);
        continue;
      }
      const answer = coast.nearest({ latitude: latitudes[at]!, longitude: longitudes[at]! });
      expect([batch.statuses[at], batch.distancesMeters[at]]).toEqual([BATCH_ANSWERED, answer.distanceMeters]);
    }
  });

  it('is rejected if lengths differ', () => {
    const coast = createCoast(
      buildCoastIndex(
        shorelineOf('line', [
          [0, 0],
          [1, 0],
        ]),
      ),
    );
    expect(() => coast.nearestMany(new Float64Array(2), new Float64Array(3), createCoastBatch(3))).toThrow(
      '2 latitudes, 3 longitudes',
    );
    expect(() => coast.nearestMany(new Float64Array(3), new Float64Array(3), createCoastBatch(2))).toThrow(
      'a batch of 2 answers',
    );
    expect(() => createCoastBatch(-1)).toThrow('a batch of -1 points');
  });
});

describe('two sources', () => {
  const line = (latitude: number): [number, number][] => [
    [-1, latitude],
    [1, latitude],
  ];
  const coastOf = (preferred: number, check: number) =>
    createCoast({
      preferred: buildCoastIndex(shorelineOf('preferred', line(preferred))),
      check: buildCoastIndex(shorelineOf('check', line(check))),
      rule: RULE,
    });
  const point = { latitude: 0, longitude: 0 };

  it('return the preferred shore, and a radius that grows with the disagreement', () => {
    const answer = coastOf(0.1, 0.095).nearest(point);
    expect(answer.dataset.name).toBe('preferred');
    const [preferred, check] = answer.sources;
    expect([preferred!.dataset, check!.dataset]).toEqual(['preferred', 'check']);
    expect(answer.distanceMeters).toBe(preferred!.distanceMeters);
    const apart = preferred!.distanceMeters - check!.distanceMeters;
    expect(apart).toBeCloseTo(552.9, 0);
    expect(answer.accuracyMeters).toBeCloseTo(150 + 0.75 * apart, 9);
  });

  it('return the other shore if the preferred one lacks it, with a radius up to its ceiling', () => {
    const lacking = coastOf(0.3, 0.1).nearest(point);
    expect(lacking.dataset.name).toBe('check');
    expect(lacking.accuracyMeters).toBe(1500);
    const finer = coastOf(0.1, 0.3).nearest(point);
    expect(finer.dataset.name).toBe('preferred');
    expect(finer.accuracyMeters).toBe(2000);
  });

  it('answer alone if only one has the layer', () => {
    const lakes = createCoast({
      preferred: buildCoastIndex(shorelineOf('preferred', line(0.1))),
      check: buildCoastIndex(shorelineOf('check', line(0.2), 'great_lakes')),
      rule: RULE,
    });
    expect(lakes.nearest(point, 'great_lakes')).toMatchObject({ dataset: { name: 'check' }, accuracyMeters: 500 });
    expect(lakes.nearest(point)).toMatchObject({ dataset: { name: 'preferred' }, accuracyMeters: 500 });
    const covered = createCoast({
      preferred: buildCoastIndex({
        ...shorelineOf('preferred', line(0.1)),
        coverage: [{ west: 5, east: 6, south: 5, north: 6 }],
      }),
      check: buildCoastIndex(shorelineOf('check', line(0.2))),
      rule: RULE,
    });
    expect(covered.nearest(point)).toMatchObject({ dataset: { name: 'check' }, accuracyMeters: 500 });
    const batch = createCoastBatch(1);
    covered.nearestMany(Float64Array.of(0), Float64Array.of(0), batch);
    expect([batch.sources[0], batch.accuraciesMeters[0]]).toEqual([1, 500]);
  });

  it('may have a rule for each definition', () => {
    const data = (name: string, latitude: number): Shoreline => ({
      ...shorelineOf(name, line(latitude)),
      layerNames: ['tidal', 'ocean'],
      layers: new Uint16Array(2).fill(3),
      accuracy: { radiusMeters: [500, 600], method: '' },
    });
    const asked: string[] = [];
    const coast = createCoast({
      preferred: buildCoastIndex(data('preferred', 0.1)),
      check: buildCoastIndex(data('check', 0.0999)),
      rule: ({ layers }) => {
        asked.push(layers.join());
        return { ...RULE, baseMeters: layers.includes('ocean') ? 250 : 150, disagreementFactor: 0 };
      },
    });
    expect(coast.nearestByEach(point, ['tidal', 'ocean', 'tidal']).map((answer) => answer.accuracyMeters)).toEqual([
      150, 250, 150,
    ]);
    expect(asked).toEqual(['tidal', 'ocean']);
  });

  it('reject a rule with invalid numbers', () => {
    const index = buildCoastIndex(shorelineOf('line', line(0.1)));
    expect(() => createCoast({ preferred: index, check: index, rule: { ...RULE, baseMeters: -1 } })).toThrow(
      'baseMeters is -1',
    );
  });
});

describe('the side of a point', () => {
  it('is determined by the nearest segment, at corners by the turn of the line', () => {
    const ring: [number, number][] = [
      [0, 0],
      [1, 0],
      [0.55, 0.5],
      [1, 1],
      [0.52, 1.02],
      [0.5, 3],
      [0.48, 1.02],
      [0, 1],
      [0, 0],
    ];
    const inside = (x: number, y: number): boolean => {
      let odd = false;
      for (let at = 1; at < ring.length; at++) {
        const [x1, y1] = ring[at - 1]!;
        const [x2, y2] = ring[at]!;
        if (y1 > y !== y2 > y && x < x1 + ((x2 - x1) * (y - y1)) / (y2 - y1)) odd = !odd;
      }
      return odd;
    };
    const coast = createCoast(buildCoastIndex(shorelineOf('island', ring)));
    const random = seededRandom(31);
    let land = 0;
    const wrong: unknown[] = [];
    const rounds = testVolume(800);
    for (let round = 0; round < rounds; round++) {
      const [longitude, latitude] = [random() * 3 - 1, random() * 5 - 1];
      const answer = coast.nearest({ latitude, longitude });
      if (answer.distanceMeters < 50) continue;
      if (answer.side !== (inside(longitude, latitude) ? 'land' : 'water')) wrong.push({ longitude, latitude, answer });
      if (answer.side === 'land') land++;
    }
    expect(wrong).toEqual([]);
    expect(land).toBeGreaterThan(rounds / 25);
  });

  it('is unknown if two datasets disagree', () => {
    const line = (at: number, layers: number) => ({
      ...shorelineOf(`at ${at}`, [
        [at, -1],
        [at, 1],
      ]),
      layerNames: ['tidal', 'great_lakes'],
      accuracy: { radiusMeters: [100, 100], method: '' },
      layers: new Uint16Array(2).fill(layers),
    });
    const sideBy = (longitude: number, checkLayers = 1, latitude = 0) => {
      const [preferred, check] = [line(0, 1), line(-0.05, checkLayers)].map(buildCoastIndex);
      const coast = createCoast({ preferred: preferred!, check: check!, rule: RULE });
      return coast.nearest({ latitude, longitude }, { layers: ['tidal', 'great_lakes'] }).side;
    };
    expect([sideBy(-0.06), sideBy(0.01)]).toEqual(['land', 'water']);
    for (const longitude of [-0.04, -0.03, -0.01]) expect(sideBy(longitude)).toBe('unknown');
    expect(sideBy(0.01, 1, 1.2)).toBe('unknown');
    // The preferred dataset has no lakes: the other one answers alone.
    expect(sideBy(-0.04, 2)).toBe('water');
    expect(sideBy(-0.01, 2)).toBe('land');
  });

  it('is correct for known places, and unknown if the data has no sides', () => {
    const coast = createCoast(unitedStatesIndex());
    const sides = [
      [39.74, -104.99],
      [28.5, -81.5],
      [19.6, -155.5],
      [64.8, -147.7],
      [27, -90],
      [30, -79],
      [36, -124],
      [21.5, -158],
    ].map(([latitude, longitude]) => coast.nearest({ latitude: latitude!, longitude: longitude! }).side);
    expect(sides).toEqual(['land', 'land', 'land', 'land', 'water', 'water', 'water', 'land']);
    const unknown = createCoast(buildCoastIndex({ ...unitedStatesShoreline(), water: 'unknown' }));
    expect(unknown.nearest({ latitude: 39.74, longitude: -104.99 }).side).toBe('unknown');
  });
});
