import { coastKernelBytes, compileCoast, createCoastKernel } from '@leeward/artifact';
import { isCovered } from '@leeward/coast';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { homeVocabulary } from '@leeward/engine';
import { measurePoints } from '@leeward/http';
import { describe, expect, it } from 'vitest';
import { coastFiles } from './support/coast-files.ts';
import { createRandom } from './support/random.ts';
import { testVolume } from './support/test-volume.ts';

const { data, sources } = compileCoast(coastFiles());
const coast = loadCoastlineUs();
const kernel = createCoastKernel(data);
const CERTAINTIES = [0.9, 0.95];

/** South, west, north, east: states, islands, and both sides of 180°. */
const BOXES = [
  [24, -125, 49, -66],
  [29, -98, 31, -88],
  [36, -77.5, 41, -73],
  [51, -180, 72, -129],
  [51, 172, 54, 180],
  [51, -180, 54, -172],
  [18.4, -161, 23, -154],
  [17.1, -68.5, 19, -64],
  [13, 144, 21, 146.6],
  [-15, -171.5, -10.5, -167.5],
] as const;

/** A third anywhere, a third within a few kilometers of a shore, a third within a few meters of a vertex. */
function pointsOf(count: number, seed: number) {
  const random = createRandom(seed);
  const latitudes = new Float64Array(count);
  const longitudes = new Float64Array(count);
  for (let row = 0; row < count; row++) {
    const [south, west, north, east] = BOXES[row % BOXES.length]!;
    let latitude = south + (north - south) * random();
    let longitude = west + (east - west) * random();
    const degrees = [0, 0.1, 0.0001][row % 3]!;
    if (degrees > 0 && isCovered(coast.datasets[0]!.coverage, latitude, longitude)) {
      const { coast: shore } = coast.nearest({ latitude, longitude });
      latitude = shore.latitude + degrees * (random() - 0.5);
      longitude = Math.min(180, Math.max(-180, shore.longitude + degrees * (random() - 0.5)));
    }
    latitudes[row] = latitude;
    longitudes[row] = longitude;
  }
  return { latitudes, longitudes };
}

const FIELDS = {
  tidal: 'distance_to_tidal_water_meters',
  ocean: 'distance_to_ocean_meters',
  mean_high_water: 'distance_to_mean_high_water_meters',
} as const;

describe('the coast kernel', () => {
  it('measures exactly what the search measures, near the shore, inland, at sea, and across 180°', () => {
    const points = pointsOf(testVolume(4_000), 46);
    const { distances, bounds, statuses } = kernel.measure(points, CERTAINTIES);
    const counties = new Int32Array(statuses.length);
    const options = { ...points, counties, distances: new Map(), certainties: CERTAINTIES };
    const { ranges, rangesByCertainty } = measurePoints(options, homeVocabulary, { coast })!;
    for (const [layer, field] of Object.entries(FIELDS) as [keyof typeof FIELDS, string][]) {
      expect(differences(distances[layer].minima, ranges.get(field)!.minima)).toEqual([]);
      expect(differences(distances[layer].maxima, ranges.get(field)!.maxima)).toEqual([]);
      if (layer === 'mean_high_water') continue;
      const batch = coast.nearestMany(points, { definition: layer, unanswered: 'mark' });
      expect(differences(distances[layer].meters, batch.distancesMeters)).toEqual([]);
      expect(
        differences(
          distances[layer].sources.map((source, row) => (statuses[row] === 0 ? source : 0)),
          batch.sources.map((source, row) => (statuses[row] === 0 ? source : 0)),
        ),
      ).toEqual([]);
      expect(
        differences(
          statuses,
          batch.statuses.map((status) => (status === 0 ? 0 : 3)),
        ),
      ).toEqual([]);
      for (const certainty of CERTAINTIES) {
        const { minima, maxima } = rangesByCertainty!.get(certainty)!.get(field)!;
        // Both are found to the centimeter by halving, so that exponential functions of other libraries hardly matter.
        expect(differences(bounds.get(certainty)![layer].minima, minima)).toEqual([]);
        expect(differences(bounds.get(certainty)![layer].maxima, maxima)).toEqual([]);
      }
      if (layer === 'tidal')
        expect(batch.tidalRivers.filter((isPossible) => isPossible === 1).length).toBeGreaterThan(50);
    }
    // The sample has points of all kinds.
    expect(new Set(statuses)).toEqual(new Set([0, 3]));
    expect(new Set(distances.tidal.sources).size).toBeGreaterThan(3);
  });

  it('answers a row alone as among others, and marks rows without an answer', () => {
    const latitudes = Float64Array.of(27.95, Number.NaN, 91, 60, 27.95, 25.79);
    const longitudes = Float64Array.of(-82.46, -80, 0, 10, Number.NaN, -80.13);
    const { statuses, distances } = kernel.measure({ latitudes, longitudes });
    expect([...statuses]).toEqual([0, 1, 2, 3, 1, 0]);
    const alone = kernel.measure({ latitudes: latitudes.slice(5), longitudes: longitudes.slice(5) });
    expect(alone.distances.tidal.minima[0]).toBe(distances.tidal.minima[5]);
    expect([...distances.ocean.meters].map(Number.isNaN)).toEqual([false, true, true, true, true, false]);
    expect(() => kernel.measure({ latitudes, longitudes: longitudes.slice(1) })).toThrow(
      '6 latitudes and 5 longitudes',
    );
  });

  it('names its sources with their licences', () => {
    expect(sources.map(({ name }) => name)).toEqual([
      ...coast.datasets.map(({ name }) => name),
      ...coast.tidalWaters.map(({ name }) => name),
    ]);
    expect(sources[0]!.attribution).toContain('ODbL');
    expect(sources[1]!.attribution).toContain('GSHHG');
    expect(Buffer.from(coastKernelBytes().subarray(0, 4)).toString()).toBe('\0asm');
  });

  it.each([
    ['of something else', (bytes: Uint8Array) => bytes.fill(0, 0, 4), 'not the data of a coast'],
    ['of a newer version', (bytes: Uint8Array) => bytes.fill(9, 4, 5), 'newer version'],
    ['cut short', (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 8), 'is damaged'],
    ['empty', (bytes: Uint8Array) => bytes.subarray(0, 0), 'not the data of a coast'],
    ['without a shore', (bytes: Uint8Array) => bytes.fill(0, 64, 128), 'is damaged'],
  ] as const)('refuses data %s', (_, change, message) => {
    expect(() => createCoastKernel(change(data.slice()))).toThrow(message);
  });

  it('refuses damaged data or measures with it, without a trap', () => {
    const random = createRandom(3);
    const points = pointsOf(20, 5);
    let refused = 0;
    for (let time = 0; time < testVolume(8); time++) {
      const bytes = data.slice();
      // Half of the changes are in the header and the tables behind it.
      for (let change = 0; change < 4; change++) {
        bytes[12 + Math.floor(random() * (time % 2 === 0 ? 2_400 : bytes.length - 12))] = Math.floor(random() * 256);
      }
      try {
        createCoastKernel(bytes).measure(points, [0.9]);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
        expect((error as Error).message).toContain('damaged');
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(0);
  });
});

/** The first rows with another number, and both numbers. */
function differences(got: ArrayLike<number>, expected: ArrayLike<number>): string[] {
  return Array.from(expected, (number, row) => (Object.is(got[row], number) ? '' : `${row}: ${got[row]} for ${number}`))
    .filter((text) => text !== '')
    .slice(0, 5);
}
