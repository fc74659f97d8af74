import geographiclib from 'geographiclib-geodesic';

const wgs84 = geographiclib.Geodesic.WGS84;

/** A distance along the ellipsoid and the direction in which it sets out, clockwise from north in [-180, 180]. */
export interface Geodesic {
  readonly distanceMeters: number;
  readonly azimuthDegrees: number;
}

/** The shortest line on WGS84 between two points in degrees (Karney, Algorithms for geodesics, J. Geodesy 87, 2013). */
export function geodesicBetween(
  latitude1: number,
  longitude1: number,
  latitude2: number,
  longitude2: number,
): Geodesic {
  const line = wgs84.Inverse(latitude1, longitude1, latitude2, longitude2);
  return { distanceMeters: line.s12 ?? 0, azimuthDegrees: line.azi1 ?? 0 };
}

/** `count` points in equal steps along the geodesic between two points, both ends left out: latitude, longitude pairs. */
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

/** The point reached from another after `distanceMeters` in a direction: latitude and longitude. */
export function geodesicEnd(
  latitude: number,
  longitude: number,
  azimuthDegrees: number,
  distanceMeters: number,
): { readonly latitude: number; readonly longitude: number } {
  const line = wgs84.Direct(latitude, longitude, azimuthDegrees, distanceMeters);
  return { latitude: line.lat2 ?? latitude, longitude: line.lon2 ?? longitude };
}
