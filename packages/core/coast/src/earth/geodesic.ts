import geographiclib from 'geographiclib-geodesic';

const wgs84 = geographiclib.Geodesic.WGS84;

/** Azimuth at the first point, clockwise from north in [-180, 180]. */
export interface Geodesic {
  readonly distanceMeters: number;
  readonly azimuthDegrees: number;
}

/**
 * Computes the geodesic between two points in degrees on WGS84 (Karney, Algorithms for geodesics, J. Geodesy 87, 2013).
 * @example
 * geodesicBetween(27.95, -82.46, 27.77, -82.64).distanceMeters; // about 26,700
 */
export function geodesicBetween(
  latitude1: number,
  longitude1: number,
  latitude2: number,
  longitude2: number,
): Geodesic {
  const line = wgs84.Inverse(latitude1, longitude1, latitude2, longitude2);
  return { distanceMeters: line.s12 ?? 0, azimuthDegrees: line.azi1 ?? 0 };
}

/** Latitude, longitude pairs of `count` equidistant points, without the ends. */
export function geodesicSteps(
  latitude1: number,
  longitude1: number,
  latitude2: number,
  longitude2: number,
  count: number,
): Float64Array {
  const line = wgs84.InverseLine(latitude1, longitude1, latitude2, longitude2);
  const steps = new Float64Array(count * 2);
  for (let step = 0; step < count; step++) {
    const at = line.Position((line.s13 * (step + 1)) / (count + 1));
    steps[step * 2] = at.lat2 ?? latitude1;
    steps[step * 2 + 1] = at.lon2 ?? longitude1;
  }
  return steps;
}

export function geodesicEnd(
  latitude: number,
  longitude: number,
  azimuthDegrees: number,
  distanceMeters: number,
): { readonly latitude: number; readonly longitude: number } {
  const line = wgs84.Direct(latitude, longitude, azimuthDegrees, distanceMeters);
  return { latitude: line.lat2 ?? latitude, longitude: line.lon2 ?? longitude };
}
