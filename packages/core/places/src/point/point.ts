/** Degrees, WGS 84. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** Mean radius (IUGG). */
const EARTH_RADIUS_METERS = 6_371_008.8;
const radians = Math.PI / 180;

/**
 * Computes the great-circle distance by the haversine formula: within 0.6 % of the ellipsoid.
 * @example
 * sphericalDistanceMeters({ latitude: 25.79, longitude: -80.13 }, { latitude: 25.8, longitude: -80.13 }); // 1112 m, rounded
 */
export function sphericalDistanceMeters(a: Point, b: Point): number {
  const halfLatitude = Math.sin(((b.latitude - a.latitude) * radians) / 2);
  const halfLongitude = Math.sin(((b.longitude - a.longitude) * radians) / 2);
  const haversine =
    halfLatitude ** 2 + Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians) * halfLongitude ** 2;
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(haversine)));
}
