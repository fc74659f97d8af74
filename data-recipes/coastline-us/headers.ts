import type { CoverageBox, ShorelineHeader } from '@leeward/coast';
import { LAYER_NAMES } from './layers.ts';
import { SHORE_NAMES } from './shore-names.ts';

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
export const GSHHG_HEADER: ShorelineHeader = {
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

export const OSM_HEADER: ShorelineHeader = {
  name: 'osm-us',
  version: '2017 (earth-coastlines-1m 0.6.0)',
  attribution:
    '© OpenStreetMap contributors, ODbL-1.0, by way of @geo-maps/earth-coastlines-1m 0.6.0 (Simone Primarosa); cleaned and classed by Leeward.',
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
