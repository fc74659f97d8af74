import type { Position } from 'geojson';

/** A line as it was read, with what its source says of it. */
export interface RawLine {
  /** Longitude, latitude pairs; a third number (height) is ignored. */
  readonly positions: readonly Position[];
  /** On which side of the line the water lies. */
  readonly water: 'left' | 'right' | 'unknown';
}

/** What the polygons of a file enclose. */
export type PolygonMeaning = 'land' | 'water';
