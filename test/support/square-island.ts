import { buildCoastIndex, createCoast, type Shoreline } from '@leeward/coast';
import type { FoundPlace } from '@leeward/http/distance';
import { loadZipGazetteer } from '@leeward/places/zips';

/** A square island off Georgia, the water on the right of its line. */
export const island: Shoreline = {
  name: 'island & co',
  version: '1 <b>',
  attribution: '"somebody"',
  positions: Float64Array.of(-80.9, 31.4, -80.8, 31.4, -80.8, 31.5, -80.9, 31.5, -80.9, 31.4),
  lineStarts: Uint32Array.of(0, 5),
  layerNames: ['tidal'],
  layers: new Uint16Array(5).fill(1),
  shoreNames: ['Atlantic'],
  shores: new Uint8Array(5),
  water: 'right',
  accuracy: { radiusMeters: [200], method: '' },
  coverage: [],
};
export const coast = createCoast(buildCoastIndex(island));

/** A home on it. */
export const place: FoundPlace = {
  latitude: 31.45,
  longitude: -80.82,
  source: 'coordinates',
  precision: 'exact',
  method: 'coordinates',
  errorRadiusMeters: 300,
  warnings: [],
};
export const gazetteer = await loadZipGazetteer();
export const answer = coast.nearest(place, 'tidal');
