/** The shipped shorelines: independent, with different licences (see `NOTICE.md` in their folders). */
export type CoastlineUsSource = 'gshhg' | 'osm';

/** Gauges, rivers, and links between gauges. */
export type TidalWaterSource = 'noaaGauges' | 'ticonGauges' | 'tidalRivers' | 'possibleRivers' | 'gaugeLinks';

/** ODbL-1.0. Gauges are NOAA's (public domain) and TICON-4's (CC BY 4.0). */
export const TIDAL_WATERS_OF_OSM: readonly TidalWaterSource[] = ['tidalRivers', 'possibleRivers', 'gaugeLinks'];

/** URLs of the shorelines, for hosts that load the bytes, such as browsers. GSHHG is about 2 MB (LGPL-3), OSM about 1 MB (ODbL-1.0). */
export const coastlineUsFiles: Readonly<Record<CoastlineUsSource, URL>> = {
  gshhg: new URL('../data/gshhg/us.shoreline', import.meta.url),
  osm: new URL('../data/osm/us.shoreline', import.meta.url),
};

/** URL of the conflation: accuracy classes of both shorelines, and the segments that OSM draws better (ODbL-1.0). */
export const conflationFile: URL = new URL('../data/osm/us.conflation', import.meta.url);

/** URLs of the tidal waters, about 0.2 MB. */
export const tidalWaterFiles: Readonly<Record<TidalWaterSource, URL>> = {
  noaaGauges: new URL('../data/noaa/gauges.shoreline', import.meta.url),
  ticonGauges: new URL('../data/ticon/gauges.shoreline', import.meta.url),
  tidalRivers: new URL('../data/osm/tidal-rivers.shoreline', import.meta.url),
  possibleRivers: new URL('../data/osm/possible-rivers.shoreline', import.meta.url),
  gaugeLinks: new URL('../data/osm/gauge-links.shoreline', import.meta.url),
};
