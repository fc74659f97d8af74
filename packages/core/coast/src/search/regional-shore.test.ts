import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import type { CoastAnswer } from '../answer/coast-answer.ts';
import { createCoast } from '../answer/create-coast.ts';
import { CoastError } from '../coast-error.ts';
import type { GeographicPoint } from '../earth/geographic-point.ts';
import { decodeShoreline, encodeShoreline } from '../file/shoreline-codec.ts';
import { type Shoreline, SUPERSEDED_CLASS } from '../shoreline/shoreline.ts';
import { randomShoreline } from '../testing/random-shoreline.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { buildTiles } from '../tiles/build-tiles.ts';
import { buildCoastIndex, type CoastIndex } from './coast-index.ts';
import { encodeCoastIndex } from './coast-index-file.ts';
import { describeIndex } from './describe-index.ts';
import { openCoastData } from './open-coast-data.ts';

const REGIONS = { verticesPerRegion: 64 };

/** Groups of lines all over the world, one with a pole, one with 180°, and a closed line that is cut. */
function worldShoreline(random: () => number): Shoreline {
  const groups = Array.from({ length: 12 }, () => randomShoreline(random, 3));
  const first = groups[0]!;
  groups.push(ring(first, random() * 360 - 180, 89, 3, 120), ring(first, 179.9, random() * 100 - 50, 2, 200));
  const join = <T>(of: (group: Shoreline) => Iterable<T>): T[] => groups.flatMap((group) => [...of(group)]);
  let vertices = 0;
  const starts = groups.flatMap(({ lineStarts, layers }) => {
    const moved = [...lineStarts.slice(0, -1)].map((start) => start + vertices);
    vertices += layers.length;
    return moved;
  });
  return {
    ...first,
    positions: Float64Array.from(join(({ positions }) => positions)),
    layers: Uint16Array.from(join(({ layers }) => layers)),
    shores: Uint8Array.from(join(({ shores }) => shores)),
    lineStarts: Uint32Array.from([...starts, vertices]),
  };
}

function ring(header: Shoreline, longitude: number, latitude: number, degrees: number, corners: number): Shoreline {
  const positions: number[] = [];
  for (let corner = 0; corner <= corners; corner++) {
    const angle = ((corner % corners) / corners) * 2 * Math.PI;
    const radius = degrees * (0.6 + 0.4 * Math.sin(angle * 7));
    const y = latitude + radius * Math.sin(angle);
    const isBeyondPole = y > 90;
    const x = longitude + radius * Math.cos(angle) + (isBeyondPole ? 180 : 0);
    positions.push(((x + 540) % 360) - 180, isBeyondPole ? 180 - y : y);
  }
  const count = positions.length / 2;
  return {
    ...header,
    positions: Float64Array.from(positions),
    layers: new Uint16Array(count).fill(1),
    shores: new Uint8Array(count),
    lineStarts: Uint32Array.of(0, count),
  };
}

/** Near the shore, on vertices, at the poles, at 180°, and anywhere. */
function pointsOf({ positions }: Shoreline, random: () => number, count: number): GeographicPoint[] {
  const points = [
    { latitude: 90, longitude: 0 },
    { latitude: -90, longitude: 17 },
    { latitude: random() * 180 - 90, longitude: 180 },
    { latitude: random() * 180 - 90, longitude: -180 },
  ];
  while (points.length < count) {
    const vertex = Math.floor((random() * positions.length) / 2);
    const spread = [0, 1e-4, 0.01, 1, 60][Math.floor(random() * 5)]!;
    const latitude = positions[vertex * 2 + 1]! + (random() - 0.5) * spread;
    const longitude = positions[vertex * 2]! + (random() - 0.5) * spread;
    points.push({
      latitude: Math.max(-90, Math.min(90, latitude)),
      longitude: longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude,
    });
  }
  return points;
}

function isOfRegions(index: CoastIndex): boolean {
  return index.openRegions !== undefined;
}

/** Equal for all orders and groups of the same lines. */
function placeOf({ coast, distanceMeters, side }: CoastAnswer) {
  return { coast, distanceMeters, side };
}

describe('a shoreline opened by regions', () => {
  it('answers like a whole index, in any order of points', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = seededRandom(seed);
        const bytes = encodeShoreline(worldShoreline(random), REGIONS);
        const decoded = decodeShoreline(bytes);
        const whole = createCoast(buildCoastIndex(decoded));
        const points = pointsOf(decoded, random, 60);
        const expected = points.map((point) => whole.nearest(point));
        for (const definition of ['tidal', { layers: ['great_lakes', 'ocean'], neighbours: true }]) {
          const index = openCoastData(bytes, 'world');
          expect(isOfRegions(index)).toBe(true);
          const coast = createCoast(index);
          const answers = points.map((point) => coast.nearest(point, definition));
          expect(answers).toEqual(points.map((point) => whole.nearest(point, definition)));
        }
        const reversed = createCoast(openCoastData(bytes, 'world'));
        expect(points.toReversed().map((point) => reversed.nearest(point))).toEqual(expected.toReversed());
        const several = createCoast(openCoastData(bytes, 'world'));
        for (const point of points.slice(0, 8)) {
          expect(several.nearestSeveral(point, 5)).toEqual(whole.nearestSeveral(point, 5));
        }
      }),
      { numRuns: testVolume(12) },
    );
  });

  it('has the same places and sides as before its lines were cut and sorted', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = seededRandom(seed);
        const drawn = decodeShoreline(encodeShoreline(worldShoreline(random)));
        const original = createCoast(buildCoastIndex(drawn));
        const coast = createCoast(openCoastData(encodeShoreline(drawn, REGIONS), 'world'));
        for (const point of pointsOf(drawn, random, 100)) {
          expect(placeOf(coast.nearest(point))).toEqual(placeOf(original.nearest(point)));
        }
      }),
      { numRuns: testVolume(12) },
    );
  });

  it('leaves superseded segments out, like a whole index', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = seededRandom(seed);
        const bytes = encodeShoreline(worldShoreline(random), REGIONS);
        const decoded = decodeShoreline(bytes);
        let accuracyClass = 3;
        const classes = Uint8Array.from(decoded.layers, () => {
          if (random() < 0.05) accuracyClass = random() < 0.7 ? SUPERSEDED_CLASS : 3;
          return accuracyClass;
        });
        const whole = createCoast(buildCoastIndex({ ...decoded, classes }));
        const index = openCoastData(bytes, 'world', classes);
        const coast = createCoast(index);
        for (const point of pointsOf(decoded, random, 40)) {
          expect(coast.nearest(point)).toEqual(whole.nearest(point));
        }
        index.openAll();
        expect(index.lines).toEqual(buildCoastIndex({ ...decoded, classes }).lines);
      }),
      { numRuns: testVolume(12) },
    );
  });

  it('has a definition only if a segment of it is left', () => {
    const decoded = decodeShoreline(encodeShoreline(worldShoreline(seededRandom(9)), REGIONS));
    const lakes = 1 << decoded.layerNames.indexOf('great_lakes');
    const layers = decoded.layers.map((mask) => (mask === 0 ? 0 : 1));
    layers[decoded.lineStarts[5]!] = lakes;
    const bytes = encodeShoreline({ ...decoded, layers }, REGIONS);
    const arranged = decodeShoreline(bytes).layers;
    expect(
      createCoast(openCoastData(bytes, 'world')).nearest({ latitude: 0, longitude: 0 }, 'great_lakes').layers,
    ).toEqual(['great_lakes']);
    const classes = Uint8Array.from(arranged, (mask) => (mask === lakes ? SUPERSEDED_CLASS : 0));
    const coast = createCoast(openCoastData(bytes, 'world', classes));
    expect(() => coast.nearest({ latitude: 0, longitude: 0 }, 'great_lakes')).toThrow('has no shore of great_lakes');
  });

  it('opens few regions for a point, and all for tiles, a description and an index file', () => {
    const shoreline = worldShoreline(seededRandom(4));
    const bytes = encodeShoreline(shoreline, REGIONS);
    const whole = buildCoastIndex(decodeShoreline(bytes));
    const open = () => openCoastData(bytes, 'world');
    const index = open();
    expect(index.openRegions).toBe(0);
    const [longitude, latitude] = shoreline.positions;
    createCoast(index).nearest({ latitude: latitude!, longitude: longitude! });
    expect(index.openRegions).toBeGreaterThan(0);
    expect(index.openRegions).toBeLessThan(8);
    expect(describeIndex(index)).toEqual(describeIndex(whole));
    expect(index.layerMasks).toEqual(new Set([...whole.layerMasks].filter((mask) => mask !== 0)));

    const corner = { west: longitude!, east: longitude!, south: latitude!, north: latitude! };
    const tiled = open();
    for (const each of [tiled, whole]) buildTiles(each, { definitions: ['tidal'], boxes: [corner] });
    expect(Buffer.compare(encodeCoastIndex(tiled), encodeCoastIndex(whole))).toBe(0);
  });
});

describe('the file of a shoreline with regions', () => {
  const bytes = encodeShoreline(worldShoreline(seededRandom(4)), REGIONS);

  it('has equal bytes after decoding, and cuts long lines', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(1000, 1_000_000), (seed, stepsPerDegree) => {
        const shoreline = worldShoreline(seededRandom(seed));
        const first = encodeShoreline(shoreline, { ...REGIONS, stepsPerDegree });
        const decoded = decodeShoreline(first);
        expect(Buffer.compare(encodeShoreline(decoded, { ...REGIONS, stepsPerDegree }), first)).toBe(0);
        expect(decoded.lineStarts.length).toBeGreaterThan(shoreline.lineStarts.length);
        const segments = (layers: Uint16Array) => layers.reduce((sum, mask) => sum + Number(mask !== 0), 0);
        const lastLayers = (lines: Shoreline) => {
          const layers = lines.layers.slice();
          for (const start of lines.lineStarts.slice(1)) layers[start - 1] = 0;
          return layers;
        };
        expect(segments(lastLayers(decoded))).toBe(segments(lastLayers(shoreline)));
      }),
      { numRuns: testVolume(20) },
    );
  });

  it('is rejected if any byte is damaged or missing', () => {
    const random = seededRandom(5);
    const codes = new Set<string>();
    for (let round = 0; round < testVolume(2_000); round++) {
      const bad = bytes.slice(0, random() < 0.1 ? Math.floor(random() * bytes.length) : bytes.length);
      if (bad.length === bytes.length) bad[Math.floor(random() * bad.length)]! ^= 1 << Math.floor(random() * 8);
      try {
        openCoastData(bad, 'world');
        codes.add('none');
      } catch (error) {
        codes.add(error instanceof CoastError ? error.code : 'other');
      }
    }
    expect([...codes].sort()).toEqual(expect.arrayContaining(['corrupt_file', 'truncated_file']));
    expect(codes).not.toContain('none');
    expect(codes).not.toContain('other');
  });

  it('is rejected when a region is opened whose bytes were changed in memory', () => {
    const shared = bytes.slice();
    const index = openCoastData(shared, 'world');
    shared.fill(0x81, shared.length >> 1, (shared.length >> 1) + 512);
    expect(() => index.openAll()).toThrow(CoastError);
  });
});
