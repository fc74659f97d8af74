import type { FeatureMap } from './feature-role.ts';

/** How files without codes are read: their layers, the shore's name, and what their polygons are. */
export interface PlainMapOptions {
  readonly layers?: readonly string[];
  readonly shore?: string;
  /** What polygons enclose: land by default. */
  readonly polygons?: 'land' | 'water';
}

/** Takes every feature of a file for a shore: for a national GeoJSON that holds nothing else. */
export function everyFeature({
  layers = ['tidal'],
  shore = 'coast',
  polygons = 'land',
}: PlainMapOptions = {}): FeatureMap {
  return () => ({ role: 'shore', layers, shore, polygons });
}
