/**
 * Makes the data of this package from its sources: see README.md.
 *
 *     node --conditions=@leeward/source data-recipes/coastline-us/make.ts <map.geo.json of @geo-maps/earth-coastlines-1m 0.6.0> [folder]
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeShoreline, type ShorelineHeader } from '@leeward/coast';
import type { ClassedLines } from './assemble.ts';
import { buildSources } from './build-sources.ts';
import { GSHHG_HEADER, OSM_HEADER } from './headers.ts';
import { gmtVersion } from './read-gshhg.ts';

/** One step is up to 1.1 m: a hundredth of the error of either source. */
const STEPS_PER_DEGREE = 100_000;

/** `map.geo.json` as published on npm. */
const OSM_SHA256 = '811b121d570a2d71e77605175f54ab227d75ee62f716b867707564004929325f';

const [osmPath, folder = join(import.meta.dirname, '../../packages/core/coastline-us/data')] = process.argv.slice(2);
if (osmPath === undefined) throw new Error('Name the map.geo.json of @geo-maps/earth-coastlines-1m 0.6.0.');
const osmSha256 = sha256(readFileSync(osmPath));
if (osmSha256 !== OSM_SHA256) throw new Error(`${osmPath} has SHA-256 ${osmSha256}, not that of version 0.6.0.`);

const started = performance.now();
const { gshhg, osm, reports } = buildSources(osmPath, (message) =>
  console.error(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${message}`),
);
const report = {
  gmt: gmtVersion(),
  gshhg: { ...reports.gshhg, ...write('gshhg', GSHHG_HEADER, gshhg) },
  osm: { ...reports.osm, ...write('osm', OSM_HEADER, osm) },
  atlasSha256: reports.atlasSha256,
};
writeFileSync(join(folder, 'recipe-report.json'), `${JSON.stringify(report, null, 2)}\n`);
console.error(JSON.stringify(report, null, 2));

function write(source: string, header: ShorelineHeader, lines: ClassedLines): { bytes: number; sha256: string } {
  const bytes = encodeShoreline({ ...header, ...lines }, { stepsPerDegree: STEPS_PER_DEGREE });
  mkdirSync(join(folder, source), { recursive: true });
  writeFileSync(join(folder, source, 'us.shoreline'), bytes);
  return { bytes: bytes.length, sha256: sha256(bytes) };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
