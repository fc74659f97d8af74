import { arcTangent } from './arc-tangent.ts';
import {
  EQUATORIAL_RADIUS_METERS,
  POLAR_RADIUS_METERS,
  RADIANS_PER_DEGREE,
  SECOND_ECCENTRICITY_SQUARED,
  UNITS_PER_METER,
} from './ellipsoid.ts';
import { geodesicBetween } from './geodesic.ts';
import { SERIES_LIMIT_METERS, surfaceArcMeters } from './surface-arc.ts';

const METERS_PER_UNIT = 1 / UNITS_PER_METER;
const DEGREES_PER_RADIAN = 1 / RADIANS_PER_DEGREE;
const INVERSE_A2 = 1 / (EQUATORIAL_RADIUS_METERS * EQUATORIAL_RADIUS_METERS);
const INVERSE_B2 = 1 / (POLAR_RADIUS_METERS * POLAR_RADIUS_METERS);
const AXES_RATIO_SQUARED = (EQUATORIAL_RADIUS_METERS / POLAR_RADIUS_METERS) ** 2;

/** The last foot found, earth-centred metres on the ellipsoid. */
const foot = new Float64Array(3);

/** Finds the point of a segment nearest to the frame's and lifts it to the ellipsoid, along the radius: by 5 mm at most. */
function findFoot(vertices: Int32Array, vertex: number, frame: Float64Array): void {
  const at = vertex * 3;
  const ax = vertices[at]!;
  const ay = vertices[at + 1]!;
  const az = vertices[at + 2]!;
  const ux = vertices[at + 3]! - ax;
  const uy = vertices[at + 4]! - ay;
  const uz = vertices[at + 5]! - az;
  const along = (frame[0]! - ax) * ux + (frame[1]! - ay) * uy + (frame[2]! - az) * uz;
  const length2 = ux * ux + uy * uy + uz * uz;
  const fraction = along <= 0 ? 0 : along >= length2 ? 1 : along / length2;
  const x = (ax + ux * fraction) * METERS_PER_UNIT;
  const y = (ay + uy * fraction) * METERS_PER_UNIT;
  const z = (az + uz * fraction) * METERS_PER_UNIT;
  // 1/√(1 − d) for a depth of parts in 1e9: the first term leaves out less than 1e-17.
  const lift = 1.5 - 0.5 * ((x * x + y * y) * INVERSE_A2 + z * z * INVERSE_B2);
  foot[0] = x * lift;
  foot[1] = y * lift;
  foot[2] = z * lift;
}

/** The distance along the surface, in metres, to the point of a segment that is nearest by the chord; by the series alone. */
export function arcToSegment(vertices: Int32Array, vertex: number, frame: Float64Array): number {
  findFoot(vertices, vertex, frame);
  const px = frame[0]! * METERS_PER_UNIT;
  const py = frame[1]! * METERS_PER_UNIT;
  const pz = frame[2]! * METERS_PER_UNIT;
  return surfaceArcMeters(foot[0]! - px, foot[1]! - py, foot[2]! - pz, foot[0]! + px, foot[1]! + py, foot[2]! + pz);
}

/** What `writeAnswer` leaves in `out`: latitude, longitude (degrees), distance (metres), azimuth (degrees in [0, 360)). */
export const ANSWER_NUMBERS = 4;

/**
 * Writes the answer of a found segment to `out[offset … offset + 3]`. Latitude and longitude of the foot are the point's own
 * plus an angle; the distance is `surfaceArcMeters`; the azimuth is that of the normal section, turned to the geodesic's by
 * e'² (s/a)² cos φ sin α (s/a sin φ / 24 − cos φ cos α / 6): 1.4e-5° off at most at 1,500 km. Beyond that, both are Karney's.
 */
export function writeAnswer(
  vertices: Int32Array,
  vertex: number,
  frame: Float64Array,
  latitude: number,
  longitude: number,
  out: Float64Array,
  offset: number,
): void {
  findFoot(vertices, vertex, frame);
  const qx = foot[0]!;
  const qy = foot[1]!;
  const qz = foot[2]!;
  const px = frame[0]! * METERS_PER_UNIT;
  const py = frame[1]! * METERS_PER_UNIT;
  const pz = frame[2]! * METERS_PER_UNIT;
  const sinLatitude = frame[3]!;
  const cosLatitude = frame[4]!;
  const sinLongitude = frame[5]!;
  const cosLongitude = frame[6]!;

  const outward = cosLongitude * qx + sinLongitude * qy;
  const eastward = cosLongitude * qy - sinLongitude * qx;
  const equatorial = Math.sqrt(qx * qx + qy * qy);
  const polar = qz * AXES_RATIO_SQUARED;
  const northing = arcTangent(
    polar * cosLatitude - equatorial * sinLatitude,
    equatorial * cosLatitude + polar * sinLatitude,
  );
  let footLongitude = longitude + arcTangent(eastward, outward) * DEGREES_PER_RADIAN;
  if (footLongitude > 180) footLongitude -= 360;
  else if (footLongitude < -180) footLongitude += 360;
  out[offset] = latitude + northing * DEGREES_PER_RADIAN;
  out[offset + 1] = footLongitude;

  const vx = qx - px;
  const vy = qy - py;
  const vz = qz - pz;
  const distance = surfaceArcMeters(vx, vy, vz, qx + px, qy + py, qz + pz);
  let azimuth: number;
  if (distance > SERIES_LIMIT_METERS) {
    const geodesic = geodesicBetween(latitude, longitude, out[offset]!, footLongitude);
    out[offset + 2] = geodesic.distanceMeters;
    azimuth = geodesic.azimuthDegrees;
  } else {
    out[offset + 2] = distance;
    const north = cosLatitude * vz - sinLatitude * (cosLongitude * vx + sinLongitude * vy);
    let turn = 0;
    // Nearer than this the turn is below 1e-7°.
    if (distance > 10_000) {
      const arc = distance / EQUATORIAL_RADIUS_METERS;
      // sin α is eastward / level, cos α is north / level, and level differs from the distance too little to matter here.
      const level2 = eastward * eastward + north * north;
      turn =
        (SECOND_ECCENTRICITY_SQUARED *
          arc *
          arc *
          cosLatitude *
          eastward *
          ((arc * distance * sinLatitude) / 24 - (cosLatitude * north) / 6)) /
        level2;
    }
    azimuth = (arcTangent(eastward, north) + turn) * DEGREES_PER_RADIAN;
  }
  if (azimuth < 0) azimuth += 360;
  out[offset + 3] = azimuth < 360 ? azimuth : 0;
}
