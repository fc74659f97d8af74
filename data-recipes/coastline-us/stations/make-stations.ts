/**
 * Writes NOAA's tide stations, which measure a custom coastline: see ../README.md.
 *
 *     node --conditions=@leeward/source data-recipes/coastline-us/stations/make-stations.ts <folder of @neaps/tide-database> [folder]
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeShoreline } from '@leeward/coast';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { shoreOf } from '../rivers/known-shore.ts';
import { readTideStations } from '../rivers/tide-stations.ts';

const [stationsFolder, folder = join(import.meta.dirname, '../../../packages/core/coastline-us/data')] =
  process.argv.slice(2);
if (stationsFolder === undefined) throw new Error('Name the folder of @neaps/tide-database.');
const { version } = JSON.parse(readFileSync(join(stationsFolder, 'package.json'), 'utf8')) as { version: string };
const gshhg = loadCoastlineUs({ sources: ['gshhg'], tidalWaters: false });
const all = await readTideStations(stationsFolder, shoreOf(loadCoastlineUs({ tidalWaters: false }), gshhg));
const stations = all
  .filter(({ kind }) => kind === 'noaa_tide')
  .sort((a, b) => a.longitude - b.longitude || a.latitude - b.latitude);
const radii = [...new Set(stations.map(({ errorMeters }) => Math.ceil(errorMeters)))].sort((a, b) => a - b);
// A station is a line of length zero, like a tidal gauge: the radius of its layer is the error of its coordinates.
const bytes = encodeShoreline(
  {
    name: 'noaa-tide-stations',
    version: `tide-database ${version}`,
    attribution: 'NOAA tide stations (public domain), by way of @neaps/tide-database',
    layerNames: radii.map((radius) => `within_${radius}`),
    shoreNames: ['tide station'],
    water: 'unknown',
    accuracy: { radiusMeters: radii, method: 'as coarse as the coordinates are written down' },
    coverage: [],
    positions: Float64Array.from(
      stations.flatMap(({ longitude, latitude }) => [longitude, latitude, longitude, latitude]),
    ),
    lineStarts: Uint32Array.from({ length: stations.length + 1 }, (_, line) => 2 * line),
    layers: Uint16Array.from(
      stations.flatMap(({ errorMeters }) => {
        const layer = 1 << radii.indexOf(Math.ceil(errorMeters));
        return [layer, layer];
      }),
    ),
    shores: new Uint8Array(2 * stations.length),
  },
  { stepsPerDegree: 100_000 },
);
mkdirSync(join(folder, 'noaa'), { recursive: true });
writeFileSync(join(folder, 'noaa/tide-stations.shoreline'), bytes);
console.error(`${stations.length} stations, ${bytes.length} bytes, errors of ${radii.join(', ')} m`);
