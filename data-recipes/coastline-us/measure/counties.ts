/**
 * Prints the share of undecided land at 1,000 feet per county: with all tidal waters, without links, without possible rivers, and with
 * the shores alone. Places are random, on land by OSM and not in GSHHG's water, within 2 km of a shore. The last column is the coverage of
 * tide stations in the report, with the county's state held out.
 *
 *     node --conditions=@leeward/source data-recipes/coastline-us/measure/counties.ts [places]
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Coast, type GeographicPoint, METERS_PER_FOOT } from '@leeward/coast';
import {
  coastlineUsFiles,
  conflationFile,
  createCoastlineUs,
  loadCoastlineUs,
  type TidalWaterSource,
  tidalWaterFiles,
} from '@leeward/coastline-us';
import { createRandom } from '../../../test/support/random.ts';
import { type CountyArea, readCountyAreas } from './county-areas.ts';

/** In the first eight OSM is the shore; in the others mostly GSHHG. */
const COUNTIES = [
  ['Ocean', 'NJ', '34029'],
  ['Miami-Dade', 'FL', '12086'],
  ['Broward', 'FL', '12011'],
  ['Hillsborough', 'FL', '12057'],
  ['Alameda', 'CA', '06001'],
  ['Suffolk', 'NY', '36103'],
  ['Galveston', 'TX', '48167'],
  ['Dare', 'NC', '37055'],
  ['Charleston', 'SC', '45019'],
  ['King', 'WA', '53033'],
  ['Anne Arundel', 'MD', '24003'],
  ['Orleans', 'LA', '22071'],
  ['Beaufort', 'SC', '45013'],
] as const;

const LIMIT_METERS = 1_000 * METERS_PER_FOOT;
const NEAR_METERS = 2_000;
const SEED = 45;

const [countText = '1000'] = process.argv.slice(2);
const count = Number(countText);
if (!Number.isInteger(count) || count < 1) throw new Error(`${countText} is no number of places: write 1000.`);
const shores = loadCoastlineUs({ tidalWaters: false });
const osm = loadCoastlineUs({ sources: ['osm'], tidalWaters: false });
const gshhg = loadCoastlineUs({ sources: ['gshhg'], tidalWaters: false });
const coasts: readonly (readonly [name: string, coast: Coast])[] = [
  ['all', loadCoastlineUs()],
  ['without links', coastWithout('gaugeLinks')],
  ['without possible rivers', coastWithout('possibleRivers')],
  ['without both', coastWithout('gaugeLinks', 'possibleRivers')],
  ['shores alone', shores],
];
const { stateHeldOut } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../packages/core/coastline-us/data/tidal-report.json'), 'utf8'),
) as { readonly stateHeldOut: Readonly<Record<string, { readonly min: number } | undefined>> };
const areaOf = readCountyAreas();

console.log(
  `| county | places | ${coasts.map(([name]) => name).join(' | ')} | OSM is the shore | stations of the state, held out |`,
);
console.log(`|---|---|${coasts.map(() => '---|').join('')}---|---|`);
for (const [county, state, fips] of COUNTIES) {
  const places = landPlaces(areaOf(fips));
  const percent = (accepts: (place: GeographicPoint) => boolean): string =>
    `${((100 * places.filter(accepts).length) / places.length).toFixed(0)} %`;
  const shares = coasts.map(([, coast]) =>
    percent((place) => {
      const { minMeters, maxMeters } = coast.nearest(place);
      return minMeters < LIMIT_METERS && maxMeters >= LIMIT_METERS;
    }),
  );
  const byOsm = percent((place) => shores.nearest(place).dataset.name === osm.datasets[0]!.name);
  console.log(
    `| ${county} ${state} | ${places.length} | ${shares.join(' | ')} | ${byOsm} | ${stateHeldOut[state]?.min ?? ''} |`,
  );
}

function coastWithout(...left: readonly TidalWaterSource[]): Coast {
  const read = (files: Readonly<Record<string, URL>>): Record<string, Uint8Array> =>
    Object.fromEntries(
      Object.entries(files)
        .filter(([source]) => !left.some((other) => other === source))
        .map(([source, url]) => [source, readFileSync(url)]),
    );
  return createCoastlineUs(read({ ...coastlineUsFiles, conflation: conflationFile }), read(tidalWaterFiles));
}

function landPlaces(area: CountyArea): GeographicPoint[] {
  const { west, south, east, north } = area.bounds;
  const random = createRandom(SEED);
  const places: GeographicPoint[] = [];
  while (places.length < count) {
    const place = { longitude: west + random() * (east - west), latitude: south + random() * (north - south) };
    if (!area.holds(place) || shores.nearest(place).distanceMeters > NEAR_METERS) continue;
    if (osm.nearest(place).side === 'land' && gshhg.nearest(place).side !== 'water') places.push(place);
  }
  return places;
}
