/** A GeoJSON FeatureCollection (RFC 7946). */
export interface CoastFeatures {
  type: 'FeatureCollection';
  features: CoastFeature[];
}

/** A GeoJSON feature. */
export interface CoastFeature {
  type: 'Feature';
  geometry: CoastGeometry;
  properties: Record<string, unknown>;
}

/** Longitude, latitude in degrees. */
export type CoastPosition = number[];

/** A GeoJSON geometry. */
export type CoastGeometry =
  | { type: 'Point'; coordinates: CoastPosition }
  | { type: 'LineString'; coordinates: CoastPosition[] }
  | { type: 'MultiLineString' | 'Polygon'; coordinates: CoastPosition[][] };
