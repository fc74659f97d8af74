/**
 * Makes and measures the tidal evidence of this package: see ../README.md.
 *
 *     node --conditions=@leeward/source --max-old-space-size=3500 data-recipes/coastline-us/rivers/make-rivers.ts \
 *       <map.geo.json of @geo-maps/earth-rivers-1m 0.6.0> <that of earth-coastlines-1m 0.6.0> <folder of @neaps/tide-database> [folder]
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { decodeShoreline } from '@leeward/coast';
import { coastlineUsFiles, loadCoastlineUs } from '@leeward/coastline-us';
import { calibrateWaters, type HeldOut } from './calibrate-waters.ts';
import { shoreOf } from './known-shore.ts';
import { readWaters } from './read-waters.ts';
import { createRiverNetwork } from './river-network.ts';
import { gatherEvidence } from './tidal-evidence.ts';
import { tidalReport } from './tidal-report.ts';
import { readTideStations } from './tide-stations.ts';
import { evidenceFiles } from './write-evidence.ts';

const [
  riversPath,
  coastlinesPath,
  stationsFolder,
  folder = join(import.meta.dirname, '../../../packages/core/coastline-us/data'),
] = process.argv.slice(2);
if (riversPath === undefined || coastlinesPath === undefined || stationsFolder === undefined) {
  throw new Error(
    'Name the map.geo.json of @geo-maps/earth-rivers-1m and of earth-coastlines-1m, and the folder of @neaps/tide-database.',
  );
}
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const started = performance.now();
const log = (message: string): void => {
  console.error(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${message}`);
};

const gshhg = loadCoastlineUs({ sources: ['gshhg'], tidalWaters: false });
const shore = shoreOf(loadCoastlineUs({ tidalWaters: false }), gshhg);
const plainShore = shoreOf(loadCoastlineUs({ sources: ['osm'], tidalWaters: false }), gshhg);
const rivers = readWaters(riversPath, coastlinesPath, plainShore);
const stations = await readTideStations(stationsFolder, shore);
const { version } = JSON.parse(readFileSync(join(stationsFolder, 'package.json'), 'utf8')) as { version: string };
log(`${rivers.positions.length / 2} vertices of rivers, ${stations.length} stations`);
const network = createRiverNetwork(rivers, shore);
const evidence = gatherEvidence(network, stations, shore, plainShore);
log('evidence of all stations');
const heldOut: HeldOut = new Map(
  [...new Set(stations.map(({ state }) => state))].map((state) => [
    state,
    gatherEvidence(
      network,
      stations.filter((station) => station.state !== state),
      shore,
      plainShore,
    ),
  ]),
);
log('evidence without each state');
const drawn = decodeShoreline(readFileSync(coastlineUsFiles.osm));
const [tidal, neighbour] = ['tidal', 'neighbour'].map((name) => 1 << drawn.layerNames.indexOf(name));
const isTidal = (vertex: number): boolean =>
  (drawn.layers[vertex]! & tidal!) !== 0 && (drawn.layers[vertex]! & neighbour!) === 0;
const calibration = calibrateWaters(network, stations, heldOut, evidence, { ...drawn, isTidal }, shore, plainShore);
log(JSON.stringify(calibration));
const files = evidenceFiles(rivers, evidence, calibration, `OSM of 2017, tide-database ${version}`);
for (const [path, bytes] of Object.entries(files)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), bytes);
}
log('written; measuring');
const report = {
  riversSha256: sha256(readFileSync(riversPath)),
  coastlinesSha256: sha256(readFileSync(coastlinesPath)),
  tideDatabase: version,
  files: Object.fromEntries(
    Object.entries(files).map(([path, bytes]) => [path, { bytes: bytes.length, sha256: sha256(bytes) }]),
  ),
  calibration,
  ...(await tidalReport({ network, stations, shore, plainShore, files, heldOut, calibration }, log)),
};
// The formatter of the repository keeps lists of numbers on one line.
const text = JSON.stringify(report, null, 2).replace(/\[[\d.,\s]+\]/g, (list) =>
  list.replace(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']'),
);
writeFileSync(join(folder, 'tidal-report.json'), `${text}\n`);
log(text);
