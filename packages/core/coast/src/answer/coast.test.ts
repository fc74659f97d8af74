import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { buildCoastIndex, type CoastIndex } from '../search/coast-index.ts';
import type { AccuracyTable } from '../shoreline/conflation.ts';
import { type Shoreline, SUPERSEDED_CLASS } from '../shoreline/shoreline.ts';
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
import { decodeCoastBatch, encodeCoastBatch } from './compact-batch.ts';
import { createCoast } from './create-coast.ts';
import type { TidalWaters } from './tidal-waters.ts';

const UNITED_STATES = [
  { west: -180, south: 10, east: -60, north: 75 },
  { west: 140, south: 10, east: 180, north: 60 },
];
let coveredIndex: CoastIndex | undefined;
function covered(): CoastIndex {
  coveredIndex ??= buildCoastIndex({ ...unitedStatesShoreline(), coverage: UNITED_STATES });
  return coveredIndex;
}
/** Two classes: a fine drawing and a coarse one, whose errors lean to one side. */
const TABLE: AccuracyTable = {
  probabilities: [0.01, 0.025, 0.5, 0.975, 0.99],
  classes: [
    { radiusMeters: 50, errorQuantilesMeters: [-80, -50, 0, 50, 80] },
    { radiusMeters: 580, errorQuantilesMeters: [-700, -560, 20, 580, 900] },
  ],
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
    const random = seededRandom(5);
    // Runs of superseded segments, of each class, and of neither.
    const classes = new Uint8Array(shoreline.layers.length);
    for (let at = 0; at < classes.length; at += 50) {
      classes.fill([0, 1, SUPERSEDED_CLASS][Math.floor(random() * 3)]!, at, at + 50);
    }
    const named = {
      ...shoreline,
      coverage: UNITED_STATES,
      name: 'check',
      accuracy: { radiusMeters: [1, 1, 1], method: '' },
    };
    const check = buildCoastIndex({ ...named, classes });
    const [first, ...others] = unitedStatesShoreline().layerNames;
    const waters: TidalWaters = {
      certain: [{ ...shoreline, name: 'rivers', accuracy: { radiusMeters: [200, 300, 400], method: '' } }],
      possible: [
        {
          ...shorelineOf('links', [
            [-95, 29.5],
            [-80, 28],
          ]),
          accuracy: { radiusMeters: [5000], probabilities: [0.3], method: '' },
        },
      ],
    };
    expect([first, ...others].length).toBeGreaterThan(1);
    const coasts = [
      createCoast(index),
      createCoast({ preferred: index, check }),
      createCoast({ preferred: index, check, conflation: TABLE, wholeCheck: () => buildCoastIndex(named) }),
      createCoast({ preferred: check, check: index, conflation: TABLE }, waters),
    ];
    const columns = { latitudes, longitudes };
    for (const coast of coasts) {
      for (const definition of [first!, others.at(-1)!]) {
        const batch = createCoastBatch(points.length, { certainties: [0.6, 0.9] });
        coast.nearestMany(columns, { batch, definition, unanswered: 'mark' });
        const few = coast.nearestMany(
          { latitudes: latitudes.subarray(0, 300), longitudes: longitudes.subarray(0, 300) },
          { certainties: [0.6, 0.9], definition, unanswered: 'mark' },
        );
        expect(few).toEqual(sliceCoastBatch(batch, 0, 300));
        const compact = coast.nearestMany(columns, {
          compact: true,
          certainties: [0.9],
          definition,
          unanswered: 'mark',
        });
        expect(decodeCoastBatch(encodeCoastBatch(compact))).toEqual(compact);
        expect(compact.distancesMeters).toEqual(Float32Array.from(batch.distancesMeters));
        expect(compact.intervals[0]!.maximaMeters).toEqual(Float32Array.from(batch.intervals[1]!.maximaMeters));
        expect([compact.statuses, compact.sources]).toEqual([batch.statuses, batch.sources]);
        let answered = 0;
        for (let at = 0; at < points.length; at++) {
          const point = { latitude: latitudes[at]!, longitude: longitudes[at]! };
          if (batch.statuses[at] !== BATCH_ANSWERED) {
            const code = at === 7 || at === 8 ? 'invalid_point' : 'outside_coverage';
            expect(batch.statuses[at]).toBe(at === 7 || at === 8 ? BATCH_INVALID_POINT : BATCH_OUTSIDE_COVERAGE);
            expect(() => coast.nearest(point, definition)).toThrow(expect.objectContaining({ code }));
            expect([batch.distancesMeters[at], batch.coastLatitudes[at], batch.segments[at]]).toEqual([NaN, NaN, -1]);
            expect(batch.intervals[0]!.minimaMeters[at]).toBeNaN();
            continue;
          }
          answered++;
          const answer = coast.nearest(point, definition);
          expect({
            latitude: batch.coastLatitudes[at],
            longitude: batch.coastLongitudes[at],
            distanceMeters: batch.distancesMeters[at],
            azimuthDegrees: batch.azimuthsDegrees[at],
            accuracyMeters: batch.accuraciesMeters[at],
            minMeters: batch.minimaMeters[at],
            maxMeters: batch.maximaMeters[at],
            isTidalRiverPossible: batch.tidalRivers[at] === 1,
            dataset: compact.sourceNames[batch.sources[at]!],
          }).toEqual({
            ...answer.coast,
            distanceMeters: answer.distanceMeters,
            azimuthDegrees: answer.azimuthDegrees,
            accuracyMeters: answer.accuracyMeters,
            minMeters: answer.minMeters,
            maxMeters: answer.maxMeters,
            isTidalRiverPossible: answer.isTidalRiverPossible,
            dataset: answer.dataset.name,
          });
          for (const { certainty, minimaMeters, maximaMeters } of batch.intervals) {
            expect({ minMeters: minimaMeters[at], maxMeters: maximaMeters[at] }).toEqual(answer.intervalAt(certainty));
          }
        }
        expect(answered).toBeGreaterThan(points.length / 2);
      }
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
    coast.nearestMany({ latitudes, longitudes }, { batch, unanswered: 'mark' });
    for (let at = 0; at < length; at += 997) {
      if (at % 1000 === 0) {
        expect(batch.statuses[at]).toBe(BATCH_INVALID_POINT);
        continue;
      }
      const answer = coast.nearest({ latitude: latitudes[at]!, longitude: longitudes[at]! });
      expect([batch.statuses[at], batch.distancesMeters[at]]).toEqual([BATCH_ANSWERED, answer.distanceMeters]);
    }
  });

  const straight = () =>
    createCoast(
      buildCoastIndex({
        ...shorelineOf('line', [
          [0, 0],
          [1, 0],
        ]),
        coverage: [{ west: -5, south: -5, east: 5, north: 5 }],
      }),
    );

  it('is rejected if lengths differ, or points or options are invalid', () => {
    const coast = straight();
    const many = coast.nearestMany.bind(coast) as (...args: unknown[]) => unknown;
    const two = new Float64Array(2);
    for (const [args, message] of [
      [[{ latitudes: two, longitudes: new Float64Array(3) }], '2 latitudes and 3 longitudes'],
      [[[[0, 0]], { batch: createCoastBatch(0) }], '1 points and a batch of 0 answers'],
      [[two, two, createCoastBatch(2)], 'pass points as { latitudes, longitudes }'],
      [[new Float64Array(3)], '3 numbers are not pairs of longitude and latitude'],
      [[{ lats: two, lngs: two }], 'an object with the keys lats, lngs; give { latitudes, longitudes }'],
      [[[1, 2, 3, 4]], 'a list of 4 numbers; give'],
      [[new Float32Array(4)], 'a Float32Array; give'],
      [[undefined], 'the points are undefined; give'],
      [[two, { definitions: 'tidal' }], 'there is no option "definitions"'],
      [[two, { unanswered: 'skip' }], "use 'throw' or 'mark'"],
      [[two, { compact: true, batch: createCoastBatch(1) }], 'a batch cannot be compact'],
      [[two, { certainties: [0.9], batch: createCoastBatch(1) }], 'certainties belong to the batch'],
      [[two, { certainties: [1] }], 'certainty is 1; expected 0.5 or more'],
    ] as const) {
      expect(() => many(...args), message).toThrow(
        expect.objectContaining({ code: 'invalid_option', message: expect.stringContaining(message) as string }),
      );
    }
    expect(() => createCoastBatch(-1)).toThrow('a batch of -1 points');
  });

  it('takes columns, GeoJSON and pairs of longitude and latitude', () => {
    const coast = straight();
    const columns = coast.nearestMany({ latitudes: [0.1, 0.2], longitudes: [0.5, 2] });
    expect(coast.nearestMany(Float64Array.of(0.5, 0.1, 2, 0.2))).toEqual(columns);
    expect(
      coast.nearestMany([
        [0.5, 0.1],
        [2, 0.2],
      ]),
    ).toEqual(columns);
    expect(
      coast.nearestMany([
        { type: 'Point', coordinates: [0.5, 0.1] },
        { latitude: 0.2, longitude: 2 },
      ]),
    ).toEqual(columns);
  });

  it('throws for points without an answer unless they get a status', () => {
    const coast = straight();
    const latitudes = [0, Number.NaN, 50, 91];
    const longitudes = [0, 0, 0, 0];
    expect(() => coast.nearestMany({ latitudes, longitudes })).toThrow(
      /3 of 4 points have no answer, the first is number 1: latitude NaN, longitude 0 is not a place .* Pass unanswered: 'mark'/,
    );
    expect(() => coast.nearestMany([[0, 50]])).toThrow(
      /number 0: latitude 50, longitude 0 is beyond the coverage of line/,
    );
    const list = [[0, 0], { lat: 1, lng: 2 }] as unknown as [number, number][];
    expect(() => coast.nearestMany(list)).toThrow(/number 1: the point is an object with the keys lat, lng; give/);
    const { statuses } = coast.nearestMany({ latitudes, longitudes }, { unanswered: 'mark' });
    expect([...statuses]).toEqual([0, 1, 2, 1]);
    expect([...coast.nearestMany(list, { unanswered: 'mark' }).statuses]).toEqual([0, 1]);
  });
});

describe('two sources', () => {
  const line = (latitude: number): [number, number][] => [
    [-1, latitude],
    [1, latitude],
  ];
  const shore = (name: string, latitude: number, accuracyClass = 0): Shoreline => ({
    ...shorelineOf(name, line(latitude)),
    classes: new Uint8Array(2).fill(accuracyClass),
  });
  const conflated = (preferred: number, check: number, checkClass = 1) =>
    createCoast({
      preferred: buildCoastIndex(shore('preferred', preferred)),
      check: buildCoastIndex({
        ...shorelineOf('check', [...line(check), [1.1, check], [2, check]]),
        lineStarts: Uint32Array.of(0, 2, 4),
        classes: Uint8Array.of(checkClass, 0, 1, 0),
      }),
      conflation: TABLE,
    });
  const point = { latitude: 0, longitude: 0 };

  it('return the nearer shore, and an interval by the classes of both', () => {
    for (const [preferred, check] of [
      [0.1, 0.095],
      [0.1, 0.103],
      [0.1, 0.109],
      [0.3, 0.1],
    ] as const) {
      const answer = conflated(preferred, check).nearest(point);
      const [first, second] = answer.sources.map(({ distanceMeters }) => distanceMeters);
      expect(answer.sources.map(({ dataset }) => dataset)).toEqual(['preferred', 'check']);
      const isFirst = preferred <= check;
      expect(answer.dataset.name).toBe(isFirst ? 'preferred' : 'check');
      expect(answer.distanceMeters).toBe(Math.min(first!, second!));
      expect(answer.accuracyMeters).toBe(isFirst ? 50 : 580);
      expect(answer.minMeters).toBe(Math.min(first! - 50, second! - 580));
      expect(answer.maxMeters).toBe(Math.min(first! + 50, second! + 580));
      expect(answer.decidedBy.min).toBe(first! - 50 <= second! - 580 ? 'preferred' : 'check');
      expect(answer.decidedBy.max).toBe(first! + 50 <= second! + 580 ? 'preferred' : 'check');
    }
  });

  it('leave out what the preferred shoreline draws better', () => {
    const answer = conflated(0.1, 0.095, SUPERSEDED_CLASS).nearest(point);
    expect(answer.dataset.name).toBe('preferred');
    // The other line of the check is far beyond its radius.
    expect(answer.sources).toHaveLength(1);
    expect([answer.minMeters, answer.maxMeters]).toEqual([answer.distanceMeters - 50, answer.distanceMeters + 50]);
    expect(
      conflated(0.1, 0.095)
        .nearestSeveral(point, 2)
        .map(({ dataset }) => dataset.name),
    ).toEqual(['check', 'check']);
  });

  it('have the smaller radius of their headers without a conflation', () => {
    const coastOf = (preferred: number, check: number) =>
      createCoast({
        preferred: buildCoastIndex(shore('preferred', preferred)),
        check: buildCoastIndex({ ...shore('check', check), accuracy: { radiusMeters: [400], method: '' } }),
      });
    const both = coastOf(0.1, 0.098).nearest(point);
    expect(both.dataset.name).toBe('preferred');
    const [first, second] = both.sources.map(({ distanceMeters }) => distanceMeters);
    expect([both.accuracyMeters, both.minMeters, both.maxMeters]).toEqual([400, second! - 400, second! + 400]);
    expect(both.distanceMeters).toBe(first);
    expect(coastOf(0.1, 0.09).nearest(point).dataset.name).toBe('check');
  });

  it('include the other classification of an ocean if it differs', () => {
    const two = (name: string, near: number, far: number, layers: number): Shoreline => ({
      ...shorelineOf(name, [...line(near), ...line(far)]),
      lineStarts: Uint32Array.of(0, 2, 4),
      layerNames: ['tidal', 'ocean'],
      accuracy: { radiusMeters: [500, 4000], method: '' },
      layers: Uint16Array.of(layers, 0, 3, 0),
      classes: new Uint8Array(4),
    });
    const coastOf = (nearLayers: number) => {
      const whole = two('check', 0.1, 0.3, nearLayers);
      let opened = 0;
      const coast = createCoast({
        preferred: buildCoastIndex(two('preferred', 0.1, 0.3, 3)),
        check: buildCoastIndex({
          ...whole,
          ...shorelineOf('check', [...line(0.1), ...line(9)]),
          layerNames: whole.layerNames,
          accuracy: whole.accuracy,
          layers: Uint16Array.of(3, 0, 3, 0),
          lineStarts: Uint32Array.of(0, 2, 4),
          classes: Uint8Array.of(SUPERSEDED_CLASS, 0, 1, 0),
        }),
        conflation: TABLE,
        wholeCheck: () => {
          opened += 1;
          return buildCoastIndex(whole);
        },
      });
      return { coast, opened: () => opened };
    };
    const same = coastOf(3);
    const tidal = same.coast.nearest(point);
    expect([tidal.minMeters, tidal.maxMeters]).toEqual([tidal.distanceMeters - 50, tidal.distanceMeters + 50]);
    expect(same.opened()).toBe(0);
    const agreed = same.coast.nearest(point, 'ocean');
    expect(same.opened()).toBe(1);
    expect([agreed.minMeters, agreed.maxMeters]).toEqual([agreed.distanceMeters - 50, agreed.distanceMeters + 50]);
    const differing = coastOf(1).coast.nearest(point, 'ocean');
    expect(differing.distanceMeters).toBe(agreed.distanceMeters);
    expect(differing.minMeters).toBe(agreed.minMeters);
    expect(differing.maxMeters).toBeCloseTo(tidal.distanceMeters * 3 + 500, -1);
    expect(differing.decidedBy.max).toBe('check');
    expect(differing.probabilityWithin(agreed.distanceMeters + 5_000)).toBeCloseTo(0.5, 2);
  });

  it('answer alone if only one has the layer', () => {
    const lakes = createCoast({
      preferred: buildCoastIndex(shore('preferred', 0.1)),
      check: buildCoastIndex(shorelineOf('check', line(0.2), 'great_lakes')),
    });
    expect(lakes.nearest(point, 'great_lakes')).toMatchObject({ dataset: { name: 'check' }, accuracyMeters: 500 });
    expect(lakes.nearest(point)).toMatchObject({ dataset: { name: 'preferred' }, accuracyMeters: 500 });
    const covered = createCoast({
      preferred: buildCoastIndex({
        ...shore('preferred', 0.1),
        coverage: [{ west: 5, east: 6, south: 5, north: 6 }],
      }),
      check: buildCoastIndex(shore('check', 0.2, 1)),
      conflation: TABLE,
    });
    expect(covered.nearest(point)).toMatchObject({ dataset: { name: 'check' }, accuracyMeters: 580 });
    const { sources, accuraciesMeters } = covered.nearestMany([[0, 0]]);
    expect([sources[0], accuraciesMeters[0]]).toEqual([1, 580]);
  });

  it('reject a table with invalid numbers', () => {
    const index = buildCoastIndex(shore('line', 0.1));
    const conflation = { ...TABLE, probabilities: [0.5] };
    expect(() => createCoast({ preferred: index, check: index, conflation })).toThrow(
      'classes[0].errorQuantilesMeters',
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

  it('is unknown if two datasets without a conflation disagree', () => {
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
      const coast = createCoast({ preferred: preferred!, check: check! });
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
