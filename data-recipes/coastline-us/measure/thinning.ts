/**
 * Cost of thinning GSHHG: distances from the corners of OSM's shore (exact to a few meters) to GSHHG's, for several tolerances.
 *
 *     node --conditions=@leeward/source data-recipes/coastline-us/measure/thinning.ts <file of extract-osm.py>
 */
import { readFileSync } from 'node:fs';
import { STEPS_PER_DEGREE } from '../build-sources.ts';
import { dropFalseSeas, moveDisplacedIslands } from '../gshhg-corrections.ts';
import { readGshhgOcean } from '../read-gshhg.ts';
import { readOsm } from '../read-osm.ts';
import { SegmentGrid } from '../segment-grid.ts';
import { thinLines } from '../thin-lines.ts';

const REGIONS = {
  Hawaii: [-160.3, 18.8, -154.7, 22.3],
  'Puget Sound': [-123.3, 47, -122, 49],
  Maine: [-70.8, 43, -67, 45],
  'Southeast Alaska': [-136, 55, -131, 58.5],
  'Southwest Florida': [-83, 26, -81.7, 28.2],
} as const;

const [osmPath] = process.argv.slice(2);
if (osmPath === undefined) throw new Error('Name the file of extract-osm.py.');
const osm = readOsm(readFileSync(osmPath), STEPS_PER_DEGREE, (longitude) => longitude < -60);
const gshhg = dropFalseSeas(moveDisplacedIslands(readGshhgOcean())).lines;
for (const tolerance of [0, 20, 30, 40, 50, 60, 80]) {
  const lines = tolerance === 0 ? gshhg : thinLines(gshhg, () => tolerance);
  const grid = new SegmentGrid(lines, 0.02);
  const parts = Object.entries(REGIONS).map(([name, [west, south, east, north]]) => {
    const distances: number[] = [];
    for (let i = 0; i < osm.positions.length; i += 2) {
      const longitude = osm.positions[i]!;
      const latitude = osm.positions[i + 1]!;
      if (longitude < west || longitude > east || latitude < south || latitude > north) continue;
      const { distanceMeters } = grid.nearest(longitude, latitude, 1_500);
      if (distanceMeters < 1_500) distances.push(distanceMeters);
    }
    distances.sort((a, b) => a - b);
    const quantile = (share: number): string => distances[Math.floor(share * (distances.length - 1))]!.toFixed(0);
    return `${name} ${quantile(0.5)} / ${quantile(0.95)}`;
  });
  console.log(`${tolerance} m: ${lines.positions.length / 2} vertices; ${parts.join('; ')}`);
}
