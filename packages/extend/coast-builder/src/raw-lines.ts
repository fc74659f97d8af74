import type { Position } from 'geojson';

/** A line of a file. */
export interface RawLine {
  /** Longitude, latitude pairs; a third number (height) is ignored. */
  readonly positions: readonly Position[];
  readonly water: 'left' | 'right' | 'unknown';
}

/** The area that polygons enclose. */
export type PolygonMeaning = 'land' | 'water';
