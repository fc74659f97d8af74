import {
  type Coast,
  CoastError,
  type CoastIndex,
  type CombinedSources,
  createCoast,
  openCoastData,
  type TidalWaters,
} from '@leeward/coast';
import { openConflated } from './create-coastline-us.ts';
import {
  type CoastlineUsSource,
  coastlineUsFiles,
  conflationFile,
  TIDAL_WATERS_OF_OSM,
  type TidalWaterSource,
  tidalWaterFiles,
} from './data-files.ts';
import { readTidalWaters } from './tidal-waters.ts';

/** Options of `loadCoastlineUs`. */
export interface LoadCoastlineUsOptions {
  /** `['gshhg']` avoids the ODbL. @default ['gshhg', 'osm'] */
  readonly sources?: readonly CoastlineUsSource[];
  /** Includes rivers and gauges in `tidal`; without OSM only gauges. @default true */
  readonly tidalWaters?: boolean;
}

/**
 * Loads the coast of the United States. Requires Node: reads about 5 MB synchronously. Regions are indexed when a point first needs them.
 * Elsewhere fetch `coastlineUsFiles` and call `createCoastlineUs`. Each file is opened once per process; coasts share it.
 * @example
 * const { distanceMeters } = loadCoastlineUs().nearest({ latitude: 27.95, longitude: -82.46 });
 */
export function loadCoastlineUs(options: LoadCoastlineUsOptions = {}): Coast {
  const sources = options.sources ?? ['gshhg', 'osm'];
  if (sources.length === 0) throw new CoastError('invalid_option', 'sources is empty: name gshhg, osm or both');
  for (const source of sources) {
    if (Object.hasOwn(coastlineUsFiles, source)) continue;
    throw new CoastError('invalid_option', `sources: no ${JSON.stringify(source)}; this package has gshhg and osm`);
  }
  const hasBoth = new Set(sources).size === 2;
  const waters = options.tidalWaters === false ? undefined : openTidalWaters(sources.includes('osm'));
  return createCoast(hasBoth ? openBoth() : openSource(sources[0]!), waters);
}

const indexCache = new Map<CoastlineUsSource, CoastIndex>();
const watersCache = new Map<boolean, TidalWaters | undefined>();

function openTidalWaters(withOsm: boolean): TidalWaters | undefined {
  if (!watersCache.has(withOsm)) {
    const sources = (Object.keys(tidalWaterFiles) as TidalWaterSource[]).filter(
      (source) => withOsm || !TIDAL_WATERS_OF_OSM.includes(source),
    );
    const bytes = Object.fromEntries(
      sources.map((source) => [source, nodeFiles().readFileSync(tidalWaterFiles[source])]),
    );
    watersCache.set(withOsm, readTidalWaters(bytes));
  }
  return watersCache.get(withOsm);
}

function openSource(source: CoastlineUsSource): CoastIndex {
  const cached = indexCache.get(source);
  if (cached !== undefined) return cached;
  const index = openCoastData(nodeFiles().readFileSync(coastlineUsFiles[source]), source);
  indexCache.set(source, index);
  return index;
}

let bothSources: CombinedSources | undefined;

function openBoth(): CombinedSources {
  if (bothSources !== undefined) return bothSources;
  const read = (url: URL): Uint8Array => nodeFiles().readFileSync(url);
  const { gshhg, osm } = coastlineUsFiles;
  const bytes = { gshhg: read(gshhg), osm: read(osm), conflation: read(conflationFile) };
  bothSources = openConflated(bytes, () => openSource('gshhg'));
  return bothSources;
}

/** Not an import: the other modules also run in browsers. */
function nodeFiles(): typeof import('node:fs') {
  const files = globalThis.process?.getBuiltinModule?.('node:fs');
  if (files === undefined) {
    throw new CoastError(
      'invalid_option',
      'files need Node: fetch coastlineUsFiles and pass their bytes to createCoastlineUs',
    );
  }
  return files;
}
