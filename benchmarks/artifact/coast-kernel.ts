import { gzipSync } from 'node:zlib';
import { coastKernelBytes, compileCoast, createCoastKernel, type PointColumns } from '@leeward/artifact';
import { createCoastBatch } from '@leeward/coast';
import { seededHomes } from '@leeward/coast-builder/compare';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { homeVocabulary } from '@leeward/engine';
import { measurePoints } from '@leeward/http';
import { coastFiles } from '../../test/support/coast-files.ts';
import { createRandom } from '../../test/support/random.ts';
import type { Row } from '../report.ts';

const FIELDS = {
  tidal: 'distance_to_tidal_water_meters',
  ocean: 'distance_to_ocean_meters',
  mean_high_water: 'distance_to_mean_high_water_meters',
} as const;
const CERTAINTIES = [0.9];

/** Measures the coast kernel and `measurePoints` on equal points: three distances with their ranges, and a certainty. */
export function measureCoastKernel(
  count: number,
  rounds: number,
): { readonly rows: Row[]; readonly largestDifference: number } {
  const rows: Row[] = [];
  const row = (name: string, value: number, unit: string) => rows.push({ name, median: value, unit });
  const { data } = compileCoast(coastFiles());
  row('coast kernel, module', coastKernelBytes().length, 'bytes');
  row('coast data, in memory', data.length, 'bytes');
  row('coast data, in the artifact', gzipSync(data, { level: 9 }).length, 'bytes');
  row('coast kernel, open', least(rounds, () => createCoastKernel(data)) / 1000, 'ms');
  const kernel = createCoastKernel(data);
  const coast = loadCoastlineUs();
  let largestDifference = 0;
  for (const [name, points] of Object.entries({
    'near the coast': nearCoast(count),
    inland: inland(count),
  })) {
    const query = { ...points, counties: new Int32Array(count), distances: new Map(), certainties: CERTAINTIES };
    const bySearch = () => measurePoints(query, homeVocabulary, { coast })!;
    row(`${name}: search, first pass`, least(1, bySearch) / count, 'µs a home');
    row(`${name}: search, warm`, least(rounds, bySearch) / count, 'µs a home');
    row(`${name}: kernel`, least(rounds, () => kernel.measure(points, CERTAINTIES)) / count, 'µs a home');
    const { distances, bounds } = kernel.measure(points, CERTAINTIES);
    const { ranges, rangesByCertainty } = bySearch();
    const batch = createCoastBatch(count);
    for (const layer of ['tidal', 'ocean', 'mean_high_water'] as const) {
      const field = FIELDS[layer];
      const pairs = [
        [distances[layer].minima, ranges.get(field)!.minima],
        [distances[layer].maxima, ranges.get(field)!.maxima],
      ];
      if (layer !== 'mean_high_water') {
        const expected = rangesByCertainty!.get(CERTAINTIES[0]!)!.get(field)!;
        pairs.push([bounds.get(CERTAINTIES[0]!)![layer].minima, expected.minima]);
        pairs.push([bounds.get(CERTAINTIES[0]!)![layer].maxima, expected.maxima]);
        coast.nearestMany(points, { batch, definition: layer, unanswered: 'mark' });
        pairs.push([distances[layer].meters, batch.distancesMeters]);
      }
      for (const [got, expected] of pairs)
        largestDifference = Math.max(largestDifference, differenceOf(got!, expected!));
    }
  }
  row('largest difference of all numbers', largestDifference, 'm');
  return { rows, largestDifference };
}

function nearCoast(count: number): PointColumns {
  const homes = seededHomes(loadCoastlineUs({ tidalWaters: false }), { count, seed: 46 });
  return {
    latitudes: Float64Array.from(homes, ({ latitude }) => latitude),
    longitudes: Float64Array.from(homes, ({ longitude }) => longitude),
  };
}

function inland(count: number): PointColumns {
  const random = createRandom(46);
  const latitudes = Float64Array.from({ length: count }, () => 32 + 16 * random());
  return { latitudes, longitudes: Float64Array.from(latitudes, () => -118 + 36 * random()) };
}

/** Infinity if only one of two is a number. */
function differenceOf(got: Float64Array, expected: Float64Array): number {
  return got.reduce((largest, number, at) => {
    const difference = Math.abs(number - expected[at]!);
    if (Number.isNaN(difference))
      return Number.isNaN(number) === Number.isNaN(expected[at]!) ? largest : Number.POSITIVE_INFINITY;
    return Math.max(largest, difference);
  }, 0);
}

/** Processor time in µs: other work on the machine hardly changes it. */
function least(rounds: number, work: () => unknown): number {
  return Math.min(
    ...Array.from({ length: rounds }, () => {
      const { user, system } = process.cpuUsage();
      work();
      const used = process.cpuUsage({ user, system });
      return used.user + used.system;
    }),
  );
}
