/**
 * Measures the shipped coast, rivers included, against cities' outlines of land, at places spread evenly within a reach of its shore.
 *
 *     node --conditions=@leeward/source data-recipes/coastline-us/measure/outlines.ts <public/data of click_that_hood>
 */
import { join } from 'node:path';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { createRandom } from '../../../test/support/random.ts';
import { LandOutline } from './land-outline.ts';

interface KnownOutline {
  readonly name: string;
  /** In the repository click_that_hood (Code for Germany), from the city. */
  readonly file: string;
  /** Areas that are islands: all of their outline is shore. @default all areas */
  readonly areas?: readonly string[];
  /** Box and reach in which no land border is nearer than the shore. */
  readonly box?: { readonly west: number; readonly south: number; readonly east: number; readonly north: number };
  readonly reachMeters: number;
}

const OUTLINES: readonly KnownOutline[] = [
  {
    name: 'Manhattan and Staten Island (NYC Planning, boroughs)',
    file: 'new-york-city-boroughs.geojson',
    areas: ['Manhattan', 'Staten Island'],
    reachMeters: 8_000,
  },
  {
    name: 'Seattle (city, neighbourhoods)',
    file: 'seattle.geojson',
    box: { west: -122.5, south: 47.56, east: -122.35, north: 47.69 },
    reachMeters: 2_500,
  },
];

const PLACES = 5_000;
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder public/data of click_that_hood.');
const coast = loadCoastlineUs();
console.log(
  '| outline | edges of shore | places | within the interval | error, median / 95 % | median radius | called water |',
);
console.log('|---|---|---|---|---|---|---|');
for (const { name, file, areas, box, reachMeters } of OUTLINES) {
  const outline = new LandOutline(join(folder, file), areas);
  const { west, south, east, north } = box ?? outline.bounds;
  const random = createRandom(18);
  const errors: number[] = [];
  const radii: number[] = [];
  let covered = 0;
  let water = 0;
  for (let tries = 0; errors.length < PLACES && tries < 400_000; tries++) {
    const place = { latitude: south + random() * (north - south), longitude: west + random() * (east - west) };
    if (!outline.holds(place)) continue;
    const truth = outline.shore.nearest(place).distanceMeters;
    if (truth > reachMeters) continue;
    const answer = coast.nearest(place);
    errors.push(Math.abs(answer.distanceMeters - truth));
    radii.push((answer.maxMeters - answer.minMeters) / 2);
    covered += Number(answer.minMeters <= truth && truth <= answer.maxMeters);
    water += Number(answer.side === 'water');
  }
  const quantile = (numbers: number[], share: number): string =>
    numbers.sort((one, other) => one - other)[Math.floor(share * (numbers.length - 1))]!.toFixed(0);
  console.log(
    `| ${name} | ${outline.edges} | ${errors.length} | ${((100 * covered) / errors.length).toFixed(1)} % | ${quantile(errors, 0.5)} / ${quantile(errors, 0.95)} m | ${quantile(radii, 0.5)} m | ${water} |`,
  );
}
