import { wrapDegrees } from '../request/property-location.ts';

/** A plane around a position: its origin, in degrees, and meters per degree there. */
export interface Plane {
  readonly longitude: number;
  readonly latitude: number;
  readonly eastMeters: number;
  readonly northMeters: number;
}

/** WGS 84: half of the longer axis in meters, and the square of the eccentricity. */
const SEMI_AXIS = 6_378_137;
const ECCENTRICITY2 = 0.006_694_379_990_14;
const RADIANS = Math.PI / 180;

/** @param middleLongitude the origin's longitude is within 180 degrees of it */
export function planeAround(latitude: number, longitude: number, middleLongitude: number): Plane {
  const sine = Math.sin(latitude * RADIANS);
  const root = Math.sqrt(1 - ECCENTRICITY2 * sine * sine);
  return {
    longitude: middleLongitude + wrapDegrees(longitude - middleLongitude),
    latitude,
    eastMeters: (SEMI_AXIS / root) * Math.cos(latitude * RADIANS) * RADIANS,
    northMeters: ((SEMI_AXIS * (1 - ECCENTRICITY2)) / (root * root * root)) * RADIANS,
  };
}

/** Squared distance of the position (x, y) from the edge between (ax, ay) and (bx, by). */
export function edgeDistance2(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length2 = dx * dx + dy * dy;
  const along = length2 === 0 ? 0 : ((x - ax) * dx + (y - ay) * dy) / length2;
  const nearest = along <= 0 ? 0 : along >= 1 ? 1 : along;
  const [east, north] = [ax + nearest * dx - x, ay + nearest * dy - y];
  return east * east + north * north;
}
