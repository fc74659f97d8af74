/**
 * Makes and measures the tidal evidence of this package: see ../README.md.
 *
 *     node --conditions=@leeward/source --max-old-space-size=3500 data-recipes/coastline-us/rivers/make-rivers.ts \
 *       <map.geo.json of @geo-maps/earth-rivers-1m 0.6.0> <folder of @neaps/tide-database> [folder]
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { readAtlas } from '../atlas.ts';
import { type LineSet, LineSetBuilder } from '../line-set.ts';
import { americanVertices } from '../owners.ts';
import { readOsmGeoJson } from '../read-osm-geojson.ts';
import { shoreOf } from './known-shore.ts';
import { createRiverNetwork } from './river-network.ts';
import { gatherEvidence } from './tidal-evidence.ts';
import { tidalReport } from './tidal-report.ts';
import { readTideStations } from './tide-stations.ts';
import { evidenceFiles } from './write-evidence.ts';

const [riversPath, stationsFolder, folder = join(import.meta.dirname, '../../../packages/core/coastline-us/data')] =
  process.argv.slice(2);
if (riversPath === undefined || stationsFolder === undefined) {
  throw new Error('Name the map.geo.json of @geo-maps/earth-rivers-1m and the folder of @neaps/tide-database.');
}
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const started = performance.now();
const log = (message: string): void => {
  console.error(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${message}`);
};

const shore = shoreOf(loadCoastlineUs({ tidalWaters: false }));
const plainShore = shoreOf(loadCoastlineUs({ sources: ['osm'], tidalWaters: false }));
const rivers = readRivers(riversPath);
const stations = await readTideStations(stationsFolder, shore);
const { version } = JSON.parse(readFileSync(join(stationsFolder, 'package.json'), 'utf8')) as { version: string };
log(`${rivers.positions.length / 2} vertices of rivers, ${stations.length} stations`);
const network = createRiverNetwork(rivers, shore);
const evidence = gatherEvidence(network, stations, plainShore);
const files = evidenceFiles(rivers, evidence, `earth-rivers-1m 0.6.0, tide-database ${version}`);
for (const [path, bytes] of Object.entries(files)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), bytes);
}
log('written; measuring');
const report = {
  riversSha256: sha256(readFileSync(riversPath)),
  tideDatabase: version,
  files: Object.fromEntries(
    Object.entries(files).map(([path, bytes]) => [path, { bytes: bytes.length, sha256: sha256(bytes) }]),
  ),
  ...(await tidalReport({ network, stations, shore, plainShore, evidence }, log)),
};
writeFileSync(join(folder, 'tidal-report.json'), `${JSON.stringify(report, null, 2)}\n`);
log(JSON.stringify(report, null, 2));

/** River areas of `@geo-maps/earth-rivers-1m`: rings, the water on their left. */
function readRivers(path: string): LineSet {
  const rings = readOsmGeoJson(path, inBoxes);
  const { unitedStates, others } = readAtlas();
  const american = americanVertices(rings, unitedStates, others);
  const kept = new LineSetBuilder();
  const { positions, lineStarts } = rings;
  for (let line = 0; line + 1 < lineStarts.length; line++) {
    if (!american.subarray(lineStarts[line]!, lineStarts[line + 1]!).includes(1)) continue;
    for (let vertex = lineStarts[line]!; vertex < lineStarts[line + 1]!; vertex++) {
      kept.addVertex(positions[2 * vertex]!, positions[2 * vertex + 1]!);
    }
    kept.endLine();
  }
  return kept.finish();
}

function inBoxes(longitude: number, latitude: number): boolean {
  return (
    (longitude <= -60 && latitude >= 15 && latitude <= 72) || (longitude >= 140 && latitude >= 10 && latitude <= 60)
  );
}
