/** The shipped shorelines: independent works under different licences, each with its notice beside it. */
export type CoastlineUsSource = 'gshhg' | 'osm';

/** Tidal waters beyond both shores: gauges, rivers, the ways between gauges. Each file is under the licence beside it. */
export type TidalWaterSource = 'noaaGauges' | 'ticonGauges' | 'tidalRivers' | 'possibleRivers' | 'gaugeLinks';

/** Of the tidal waters, those made of OpenStreetMap (ODbL-1.0); gauges are NOAA's (public domain) and TICON-4's (CC BY 4.0). */
export const TIDAL_WATERS_OF_OSM: readonly TidalWaterSource[] = ['tidalRivers', 'possibleRivers', 'gaugeLinks'];

/**
 * Where the data lies, for hosts that load the bytes themselves: a browser fetches these, a bundler copies them.
 * GSHHG is under the LGPL-3 (about 2 MB), OSM under the ODbL-1.0 (about 1 MB).
 */
export const coastlineUsFiles: Readonly<Record<CoastlineUsSource, URL>> = {
  gshhg: new URL('../data/gshhg/us.shoreline', import.meta.url),
  osm: new URL('../data/osm/us.shoreline', import.meta.url),
};

/** As `coastlineUsFiles`, of the tidal waters (about 0.2 MB). */
export const tidalWaterFiles: Readonly<Record<TidalWaterSource, URL>> = {
  noaaGauges: new URL('../data/noaa/gauges.shoreline', import.meta.url),
  ticonGauges: new URL('../data/ticon/gauges.shoreline', import.meta.url),
  tidalRivers: new URL('../data/osm/tidal-rivers.shoreline', import.meta.url),
  possibleRivers: new URL('../data/osm/possible-rivers.shoreline', import.meta.url),
  gaugeLinks: new URL('../data/osm/gauge-links.shoreline', import.meta.url),
};
