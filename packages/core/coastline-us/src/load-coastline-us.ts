import { type Coast, CoastError, type CoastIndex, openCoastData, type TidalWaters } from '@leeward/coast';
import { combineIndexes } from './create-coastline-us.ts';
import {
  type CoastlineUsSource,
  coastlineUsFiles,
  TIDAL_WATERS_OF_OSM,
  type TidalWaterSource,
  tidalWaterFiles,
} from './data-files.ts';
import { readTidalWaters } from './tidal-waters.ts';

/** Which of the two shipped works answer. Default both. */
export interface LoadCoastlineUsOptions {
  /** Which of the shipped works to use: both by default, `['gshhg']` for whoever will not have the ODbL. */
  readonly sources?: readonly CoastlineUsSource[];
  /**
   * Whether answers to `tidal` know of rivers and gauges beyond the shores: by default they do. Without OSM among the sources these
   * are the gauges alone.
   */
  readonly tidalWaters?: boolean;
}

/**
 * The coast of the United States from the files of this package: Node only (reads them synchronously, about 3 MB, and
 * builds their indexes in a few tenths of a second). Elsewhere fetch `coastlineUsFiles` and call `createCoastlineUs`.
 * Each file is opened once in a process: several coasts share its index and its tidal waters, which stay until the process ends.
 */
export function loadCoastlineUs(options: LoadCoastlineUsOptions = {}): Coast {
  const sources = options.sources ?? ['gshhg', 'osm'];
  if (sources.length === 0) throw new CoastError('invalid_option', 'sources is empty: name gshhg, osm or both');
  const indexes: { -readonly [Source in CoastlineUsSource]?: CoastIndex } = {};
  for (const source of sources) {
    if (!Object.hasOwn(coastlineUsFiles, source)) {
      throw new CoastError('invalid_option', `sources: no ${JSON.stringify(source)}; this package has gshhg and osm`);
    }
    indexes[source] = openSource(source);
  }
  return combineIndexes(indexes, options.tidalWaters === false ? undefined : openTidalWaters(sources.includes('osm')));
}

const opened = new Map<CoastlineUsSource, CoastIndex>();
const openedWaters = new Map<boolean, TidalWaters | undefined>();

function openTidalWaters(withOsm: boolean): TidalWaters | undefined {
  if (!openedWaters.has(withOsm)) {
    const wanted = (Object.keys(tidalWaterFiles) as TidalWaterSource[]).filter(
      (source) => withOsm || !TIDAL_WATERS_OF_OSM.includes(source),
    );
    const bytes = Object.fromEntries(
      wanted.map((source) => [source, nodeFiles().readFileSync(tidalWaterFiles[source])]),
    );
    openedWaters.set(withOsm, readTidalWaters(bytes));
  }
  return openedWaters.get(withOsm);
}

function openSource(source: CoastlineUsSource): CoastIndex {
  const known = opened.get(source);
  if (known !== undefined) return known;
  const index = openCoastData(nodeFiles().readFileSync(coastlineUsFiles[source]), source);
  opened.set(source, index);
  return index;
}

/** Asked for when needed, not imported: the rest of the package runs in browsers, which have no files. */
function nodeFiles(): typeof import('node:fs') {
  const files = globalThis.process?.getBuiltinModule?.('node:fs');
  if (files === undefined) {
    throw new CoastError(
      'invalid_option',
      'no files here: fetch coastlineUsFiles and pass their bytes to createCoastlineUs',
    );
  }
  return files;
}
