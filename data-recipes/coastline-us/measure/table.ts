/**
 * The table of the package's README: coverage, width, error and decided share of the tidal answer at places of shores that are not
 * shipped, and how often its probabilities hold.
 *
 *     node --conditions=@leeward/source data-recipes/coastline-us/measure/table.ts <folder of truths> [shipped]
 *
 * Each region is held out: its accuracy classes are fitted on the others. `shipped` measures the package unchanged.
 */
import type { Coast } from '@leeward/coast';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { readTruths, type TruthRegion } from './truth-shores.ts';

const LIMITS: readonly (readonly [name: string, meters: number])[] = [
  ['1,000 ft', 304.8],
  ['2,000 ft', 609.6],
  ['1 mi', 1_609.344],
  ['2 mi', 3_218.688],
  ['5 mi', 8_046.72],
];
const BUCKETS = [0, 0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95, 1.0001];

interface Row {
  readonly trueMeters: number;
  readonly distanceMeters: number;
  readonly minMeters: number;
  readonly maxMeters: number;
  readonly source: string;
  readonly probabilities: readonly number[];
}

const [folder, mode] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder of truths.');
const regions = readTruths(folder);
const coastOf = mode === 'shipped' ? () => loadCoastlineUs() : await heldOutCoasts(regions);

console.log(
  `| region | places | by OSM | interval holds | width, median | error, median / 90 / 95 % | decided at ${LIMITS.map(([name]) => name).join(' | ')} | wrong at 1,000 ft |`,
);
console.log('|---|---|---|---|---|---|---|---|---|---|---|---|');
const all: Row[] = [];
for (const region of regions) {
  const rows = measure(coastOf(region.name), region);
  printRow(region.name, rows);
  all.push(...rows);
}
printRow('all', all);
if (all[0]!.probabilities.length > 0) printReliability(all);

/** Lazily: the program also measures versions of the package without conflation. */
async function heldOutCoasts(truths: readonly TruthRegion[]): Promise<(region: string) => Coast> {
  const { collectErrors, fitClasses, readShores, readWaterBytes } = await import('../conflate/fit-classes.ts');
  const { conflate } = await import('../conflate/make-conflation.ts');
  const { createCoastlineUs } = await import('@leeward/coastline-us');
  const shores = readShores();
  const errors = collectErrors(shores, truths);
  const waters = readWaterBytes();
  return (region) =>
    createCoastlineUs({ ...shores.bytes, conflation: conflate(shores, fitClasses(errors, region)) }, waters);
}

function measure(coast: Coast, { places }: TruthRegion): Row[] {
  return places.map(({ point, trueMeters }) => {
    const answer = coast.nearest(point);
    const { distanceMeters, minMeters, maxMeters, dataset } = answer;
    const probabilities =
      'probabilityWithin' in answer ? LIMITS.map(([, meters]) => answer.probabilityWithin(meters)) : [];
    return { trueMeters, distanceMeters, minMeters, maxMeters, source: dataset.name, probabilities };
  });
}

function printRow(name: string, rows: readonly Row[]): void {
  const share = (of: readonly Row[], is: (row: Row) => boolean, digits = 0) =>
    `${((100 * of.filter(is).length) / of.length).toFixed(digits)} %`;
  const errors = rows.map(({ trueMeters, distanceMeters }) => Math.abs(trueMeters - distanceMeters));
  const widths = rows.map(({ minMeters, maxMeters }) => maxMeters - minMeters);
  const decided = LIMITS.map(([, meters]) =>
    share(
      rows.filter(({ trueMeters }) => trueMeters <= 2 * meters),
      (row) => row.maxMeters <= meters || row.minMeters > meters,
    ),
  );
  const isWrong = ({ minMeters, maxMeters, trueMeters }: Row) =>
    trueMeters <= LIMITS[0]![1] ? minMeters > LIMITS[0]![1] : maxMeters <= LIMITS[0]![1];
  console.log(
    `| ${[
      name,
      rows.length,
      share(rows, ({ source }) => source.startsWith('osm')),
      share(rows, ({ minMeters, maxMeters, trueMeters }) => minMeters <= trueMeters && trueMeters <= maxMeters),
      `${quantile(widths, 0.5)} m`,
      `${quantile(errors, 0.5)} / ${quantile(errors, 0.9)} / ${quantile(errors, 0.95)} m`,
      ...decided,
      share(rows, isWrong, 1),
    ].join(' | ')} |`,
  );
}

function printReliability(rows: readonly Row[]): void {
  console.log('\n| probability | answers | mean | within the limit |\n|---|---|---|---|');
  for (let bucket = 1; bucket < BUCKETS.length; bucket++) {
    const [from, to] = [BUCKETS[bucket - 1]!, BUCKETS[bucket]!];
    const answers = rows.flatMap(({ probabilities, trueMeters }) =>
      LIMITS.slice(0, 3).map(([, meters], limit) => ({ probability: probabilities[limit]!, is: trueMeters <= meters })),
    );
    const own = answers.filter(({ probability }) => probability >= from && probability < to);
    if (own.length === 0) continue;
    const mean = own.reduce((sum, { probability }) => sum + probability, 0) / own.length;
    const within = own.filter(({ is }) => is).length / own.length;
    console.log(`| ${from}–${Math.min(to, 1)} | ${own.length} | ${mean.toFixed(3)} | ${within.toFixed(3)} |`);
  }
}

function quantile(values: readonly number[], share: number): string {
  return values.toSorted((one, other) => one - other)[Math.floor(share * (values.length - 1))]!.toFixed(0);
}
