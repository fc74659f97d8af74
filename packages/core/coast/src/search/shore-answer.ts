import { arcTangent, arcTangentAhead } from '../earth/arc-tangent.ts';
import {
  EQUATORIAL_RADIUS_METERS,
  FRAME_LENGTH,
  POLAR_RADIUS_METERS,
  RADIANS_PER_DEGREE,
  SECOND_ECCENTRICITY_SQUARED,
  UNITS_PER_METER,
} from '../earth/ellipsoid.ts';
import { geodesicBetween } from '../earth/geodesic.ts';
import { SERIES_LIMIT_METERS, surfaceArcMeters } from '../earth/surface-arc.ts';
import { ANSWER_NUMBERS, CHUNK, type FoundChunk, NOT_ASKED, type PointChunk } from './point-chunk.ts';
import { segmentFraction } from './segment-distance.ts';

const METERS_PER_UNIT = 1 / UNITS_PER_METER;
const DEGREES_PER_RADIAN = 1 / RADIANS_PER_DEGREE;
const INVERSE_A2 = 1 / (EQUATORIAL_RADIUS_METERS * EQUATORIAL_RADIUS_METERS);
const INVERSE_B2 = 1 / (POLAR_RADIUS_METERS * POLAR_RADIUS_METERS);
const AXES_RATIO_SQUARED = (EQUATORIAL_RADIUS_METERS / POLAR_RADIUS_METERS) ** 2;

/** Keeps a distance of zero from dividing by it. */
const TINY = 1e-300;

/** The feet of a chunk: earth-centred metres on the ellipsoid. */
const feet = new Float64Array(CHUNK * 3);
/** Added to an azimuth: by whether it is negative. */
const FULL_TURN = Float64Array.of(0, 360);

/**
 * Writes the answers that the segments found give for the points of a chunk. Latitude and longitude of the foot are the point's
 * own plus an angle; the distance is `surfaceArcMeters`; the azimuth is that of the normal section, turned to the geodesic's by
 * e'² (s/a)² cos φ sin α (s/a sin φ / 24 − cos φ cos α / 6): 1.4e-5° off at most at 1,500 km. Beyond that, both are Karney's.
 */
export function writeAnswers(vertices: Int32Array, points: PointChunk, found: FoundChunk, count: number): void {
  for (let at = 0; at < count; at++) {
    const vertex = found.vertices[at]!;
    if (vertex !== NOT_ASKED) writeFoot(vertices, vertex, points.frames, at * FRAME_LENGTH, at * 3);
  }
  writeAnswersOfFeet(points, found, count);
}

/** Finds the point of a segment nearest to a frame's and lifts it to the ellipsoid, along the radius: by 5 mm at most. */
function writeFoot(vertices: Int32Array, vertex: number, frames: Float64Array, frame: number, foot: number): void {
  const at = vertex * 3;
  const ax = vertices[at]!;
  const ay = vertices[at + 1]!;
  const az = vertices[at + 2]!;
  const fraction = segmentFraction(vertices, vertex, frames[frame]!, frames[frame + 1]!, frames[frame + 2]!);
  const x = (ax + (vertices[at + 3]! - ax) * fraction) * METERS_PER_UNIT;
  const y = (ay + (vertices[at + 4]! - ay) * fraction) * METERS_PER_UNIT;
  const z = (az + (vertices[at + 5]! - az) * fraction) * METERS_PER_UNIT;
  // 1/√(1 − d) for a depth of parts in 1e9: the first term leaves out less than 1e-17.
  const lift = 1.5 - 0.5 * ((x * x + y * y) * INVERSE_A2 + z * z * INVERSE_B2);
  feet[foot] = x * lift;
  feet[foot + 1] = y * lift;
  feet[foot + 2] = z * lift;
}

/** A loop of its own, so that all it calls fits into it. */
function writeAnswersOfFeet(points: PointChunk, { vertices, answers }: FoundChunk, count: number): void {
  const { frames, latitudes, longitudes } = points;
  for (let at = 0; at < count; at++) {
    if (vertices[at] === NOT_ASKED) continue;
    const frame = at * FRAME_LENGTH;
    const px = frames[frame]! * METERS_PER_UNIT;
    const py = frames[frame + 1]! * METERS_PER_UNIT;
    const pz = frames[frame + 2]! * METERS_PER_UNIT;
    const qx = feet[at * 3]!;
    const qy = feet[at * 3 + 1]!;
    const qz = feet[at * 3 + 2]!;
    const sinLatitude = frames[frame + 3]!;
    const cosLatitude = frames[frame + 4]!;
    const sinLongitude = frames[frame + 5]!;
    const cosLongitude = frames[frame + 6]!;
    const polar = qz * AXES_RATIO_SQUARED;
    const equatorial = Math.sqrt(qx * qx + qy * qy);
    const northing = arcTangentAhead(
      polar * cosLatitude - equatorial * sinLatitude,
      equatorial * cosLatitude + polar * sinLatitude,
    );
    const eastward = cosLongitude * qy - sinLongitude * qx;
    const easting = arcTangentAhead(eastward, cosLongitude * qx + sinLongitude * qy);
    const longitude = longitudes[at]! + easting * DEGREES_PER_RADIAN;
    answers[at * ANSWER_NUMBERS] = latitudes[at]! + northing * DEGREES_PER_RADIAN;
    answers[at * ANSWER_NUMBERS + 1] =
      longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude;
    const vx = qx - px;
    const vy = qy - py;
    const vz = qz - pz;
    const distance = surfaceArcMeters(vx, vy, vz, qx + px, qy + py, qz + pz);
    if (distance > SERIES_LIMIT_METERS) {
      writeGeodesic(points, at, answers);
      continue;
    }
    answers[at * ANSWER_NUMBERS + 2] = distance;
    const north = cosLatitude * vz - sinLatitude * (cosLongitude * vx + sinLongitude * vy);
    const arc = distance / EQUATORIAL_RADIUS_METERS;
    // sin α is eastward / level, cos α is north / level, and level differs from the distance too little to matter here.
    const turn =
      (SECOND_ECCENTRICITY_SQUARED *
        arc *
        arc *
        cosLatitude *
        eastward *
        ((arc * distance * sinLatitude) / 24 - (cosLatitude * north) / 6)) /
      (eastward * eastward + north * north + TINY);
    answers[at * ANSWER_NUMBERS + 3] = compassDegrees((arcTangent(eastward, north) + turn) * DEGREES_PER_RADIAN);
  }
}

/** Replaces distance and azimuth by those of the geodesic to the foot that stands in the answer. */
function writeGeodesic({ latitudes, longitudes }: PointChunk, at: number, answers: Float64Array): void {
  const answer = at * ANSWER_NUMBERS;
  const geodesic = geodesicBetween(latitudes[at]!, longitudes[at]!, answers[answer]!, answers[answer + 1]!);
  answers[answer + 2] = geodesic.distanceMeters;
  answers[answer + 3] = compassDegrees(geodesic.azimuthDegrees);
}

/** An azimuth of [-180, 180] in [0, 360). */
function compassDegrees(degrees: number): number {
  const turned = degrees + FULL_TURN[Number(degrees < 0)]!;
  return turned < 360 ? turned : 0;
}

/** The distance along the surface, in metres, to the point of a segment that is nearest by the chord; by the series alone. */
export function arcToSegment(vertices: Int32Array, vertex: number, frames: Float64Array, frame: number): number {
  writeFoot(vertices, vertex, frames, frame, 0);
  const px = frames[frame]! * METERS_PER_UNIT;
  const py = frames[frame + 1]! * METERS_PER_UNIT;
  const pz = frames[frame + 2]! * METERS_PER_UNIT;
  return surfaceArcMeters(feet[0]! - px, feet[1]! - py, feet[2]! - pz, feet[0]! + px, feet[1]! + py, feet[2]! + pz);
}
