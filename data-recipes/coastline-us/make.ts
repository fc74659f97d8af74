/**
 * Makes the data of this package from its sources: see README.md. `gshhg` or `osm` as a third word makes only that file.
 *
 *     node --conditions=@leeward/source data-recipes/coastline-us/make.ts <file of extract-osm.py> [folder] [source]
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CoverageBox, encodeShoreline, type ShorelineHeader } from '@leeward/coast';
import { type BuiltSource, buildGshhg, buildOsm, hashAtlas, STEPS_PER_DEGREE } from './build-sources.ts';
import { LAYER_NAMES } from './layers.ts';
import { gmtVersion } from './read-gshhg.ts';
import { SHORE_NAMES } from './shore-names.ts';

/** The MultiPolygon of roaring-landmask 0.11.0. */
const OSM_SHA256 = '728e740b6e56f6eb9996aafba6c2602ca3f01c40d1be2b620b9775e31ce6dbf1';

/** Area in which the nearest shore here is the nearest shore. Neighbours' shores are complete within 350 km of the country. */
const COVERAGE: readonly CoverageBox[] = [
  { west: -125, south: 15, east: -63, north: 52 },
  { west: -180, south: 15, east: -125, north: 59 },
  { west: -176, south: 59, east: -125, north: 73 },
  { west: 170, south: 48, east: 180, north: 59 },
  { west: 142, south: 11, east: 149, north: 23 },
  { west: -174, south: -15.5, east: -166, north: -8 },
];

/** Radii (95 %) of one source alone, in the order of the layers; the README has their basis. */
const GSHHG_HEADER: ShorelineHeader = {
  name: 'gshhg-us',
  version: '2.3.7',
  attribution:
    'GSHHG 2.3.7, Paul Wessel (SOEST, University of Hawaii) and Walter H. F. Smith (NOAA), LGPL-3.0-or-later; thinned and classed by Leeward.',
  layerNames: LAYER_NAMES,
  shoreNames: SHORE_NAMES,
  water: 'right',
  accuracy: {
    radiusMeters: [600, 5_500, 5_500, 3_500, 1_600, 600],
    method:
      '95 %: tidal and Great Lakes at 6,935 and 820 corners of the Census outline (us-atlas); oceans against OSM at 5,000 homes within ten miles',
  },
  coverage: COVERAGE,
};

const OSM_HEADER: ShorelineHeader = {
  name: 'osm-us',
  version: '2024 (roaring-landmask 0.11.0)',
  attribution:
    '© OpenStreetMap contributors, ODbL-1.0, by way of roaring-landmask 0.11.0 (Gaute Hope), simplified at 0.0005°; cut and classed by Leeward.',
  layerNames: LAYER_NAMES,
  shoreNames: SHORE_NAMES,
  water: 'right',
  accuracy: {
    radiusMeters: [16_000, 5_500, 5_500, 3_500, 16_000, 16_000],
    method:
      '95 %, against GSHHG at 5,000 homes within ten miles: alone it lacks whole bays (Pamlico, Pontchartrain, the upper Chesapeake, Laguna Madre)',
  },
  coverage: COVERAGE,
};

const [osmPath, folder = join(import.meta.dirname, '../../packages/core/coastline-us/data'), only] =
  process.argv.slice(2);
if (osmPath === undefined) throw new Error('Name the file of extract-osm.py.');
if (only !== undefined && only !== 'gshhg' && only !== 'osm') throw new Error(`${only}: expected gshhg or osm.`);
const osmWkb = readFileSync(osmPath);
const osmSha256 = sha256(osmWkb);
if (osmSha256 !== OSM_SHA256)
  throw new Error(`${osmPath} has SHA-256 ${osmSha256}, not that of roaring-landmask 0.11.0.`);

const started = performance.now();
const log = (message: string): void =>
  console.error(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${message}`);
const reportPath = join(folder, 'recipe-report.json');
const before = existsSync(reportPath) ? (JSON.parse(readFileSync(reportPath, 'utf8')) as Record<string, unknown>) : {};
const report = {
  gmt: only === 'osm' ? before['gmt'] : gmtVersion(),
  gshhg: only === 'osm' ? before['gshhg'] : write('gshhg', GSHHG_HEADER, buildGshhg(log)),
  osm: only === 'gshhg' ? before['osm'] : write('osm', OSM_HEADER, buildOsm(osmWkb, log)),
  atlasSha256: hashAtlas(),
};
writeFileSync(reportPath, `${JSON.stringify(report, null, 2)}\n`);
console.error(JSON.stringify(report, null, 2));

function write(source: string, header: ShorelineHeader, built: BuiltSource): object {
  const bytes = encodeShoreline({ ...header, ...built.lines }, { stepsPerDegree: STEPS_PER_DEGREE });
  mkdirSync(join(folder, source), { recursive: true });
  writeFileSync(join(folder, source, 'us.shoreline'), bytes);
  log(`${source}: written`);
  return { ...built.report, bytes: bytes.length, sha256: sha256(bytes) };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
