import type { Position } from 'geojson';

export interface RawLine {
  /** Longitude, latitude; a height is ignored. */
  readonly positions: readonly Position[];
  readonly water: 'left' | 'right' | 'unknown';
}

/** Area that polygons enclose. */
export type PolygonMeaning = 'land' | 'water';
