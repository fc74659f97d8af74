/** The shipped shorelines: independent works under different licences, each with its notice beside it. */
export type CoastlineUsSource = 'gshhg' | 'osm';

/**
 * Where the data lies, for hosts that load the bytes themselves: a browser fetches these, a bundler copies them.
 * GSHHG is under the LGPL-3 (about 2 MB), OSM under the ODbL-1.0 (about 1 MB).
 */
export const coastlineUsFiles: Readonly<Record<CoastlineUsSource, URL>> = {
  gshhg: new URL('../data/gshhg/us.shoreline', import.meta.url),
  osm: new URL('../data/osm/us.shoreline', import.meta.url),
};
