/**
 * Measures the shipped coast against an independent shoreline: on land within a reach of it, the error of each source and of their
 * combination, and the coverage of the stated radius.
 *
 *     node --conditions=@leeward/source data-recipes/coastline-us/measure/against-shoreline.ts <lines.geojson> [reach in metres]
 * [places]
 */
import { readFileSync } from 'node:fs';
import { buildCoastIndex, createCoast, type GeographicPoint } from '@leeward/coast';
import { readShoreline } from '@leeward/coast-builder';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { createRandom } from '../../../test/support/random.ts';

const [path, reachText = '8000', countText = '5000'] = process.argv.slice(2);
if (path === undefined) throw new Error('Name a GeoJSON file of shore lines or land polygons, in degrees.');
const reach = Number(reachText);
const { shoreline, report } = await readShoreline([{ name: path, bytes: readFileSync(path) }], {
  name: 'truth',
  maxSegmentMeters: false,
});
const truth = createCoast(buildCoastIndex(shoreline));
const both = loadCoastlineUs();
const gshhg = loadCoastlineUs({ sources: ['gshhg'] });

const random = createRandom(7);
const rows: { truth: number; combined: number; radius: number; gshhg: number; osm: number; byGshhg: boolean }[] = [];
for (let tries = 0; rows.length < Number(countText) && tries < 1_000_000; tries++) {
  const { west, south, east, north } = report.bounds;
  const point: GeographicPoint = {
    latitude: south + random() * (north - south),
    longitude: west + random() * (east - west),
  };
  const exact = truth.nearest(point);
  // By the independent polygons, else by GSHHG.
  const side = exact.side === 'unknown' ? gshhg.nearest(point).side : exact.side;
  if (side !== 'land' || exact.distanceMeters > reach) continue;
  const answer = both.nearest(point);
  const by = (dataset: string): number =>
    answer.sources.find((source) => source.dataset === dataset)?.distanceMeters ?? Number.NaN;
  rows.push({
    truth: exact.distanceMeters,
    combined: answer.distanceMeters,
    radius: answer.accuracyMeters,
    gshhg: by('gshhg-us'),
    osm: by('osm-us'),
    byGshhg: answer.dataset.name === 'gshhg-us',
  });
}

const quantile = (numbers: number[], share: number): string =>
  (numbers.sort((a, b) => a - b)[Math.floor(share * (numbers.length - 1))] ?? Number.NaN).toFixed(0);
const errors = (of: (row: (typeof rows)[number]) => number): string => {
  const all = rows.map((row) => Math.abs(of(row) - row.truth));
  return `median ${quantile(all, 0.5)} m, 95 % ${quantile(all, 0.95)} m`;
};
const covered = rows.filter((row) => Math.abs(row.combined - row.truth) <= row.radius).length / rows.length;
console.log(`${rows.length} places within ${reach} m of ${path}`);
console.log(`both:  ${errors((row) => row.combined)}`);
console.log(`GSHHG: ${errors((row) => row.gshhg)}`);
console.log(`OSM:   ${errors((row) => row.osm)}`);
console.log(
  `radius: covers ${(100 * covered).toFixed(1)} %, median ${quantile(
    rows.map((row) => row.radius),
    0.5,
  )} m`,
);
console.log(`answered by GSHHG: ${((100 * rows.filter((row) => row.byGshhg).length) / rows.length).toFixed(1)} %`);
