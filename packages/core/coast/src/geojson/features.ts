/** GeoJSON (RFC 7946) as far as answers are drawn with it; whatever takes a `FeatureCollection` takes this. */
export interface CoastFeatures {
  type: 'FeatureCollection';
  features: CoastFeature[];
}

/** GeoJSON feature. */
export interface CoastFeature {
  type: 'Feature';
  geometry: CoastGeometry;
  properties: Record<string, unknown>;
}

/** Longitude, latitude in degrees. */
export type CoastPosition = number[];

/** GeoJSON geometry; positions are longitude, latitude in degrees. */
export type CoastGeometry =
  | { type: 'Point'; coordinates: CoastPosition }
  | { type: 'LineString'; coordinates: CoastPosition[] }
  | { type: 'MultiLineString' | 'Polygon'; coordinates: CoastPosition[][] };
