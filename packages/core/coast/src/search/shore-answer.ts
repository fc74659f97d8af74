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
import { ANSWER_NUMBERS, type AnswerChunk, CHUNK, type PointChunk, SKIPPED } from './point-chunk.ts';
import { segmentFraction } from './segment-distance.ts';

const METERS_PER_UNIT = 1 / UNITS_PER_METER;
const DEGREES_PER_RADIAN = 1 / RADIANS_PER_DEGREE;
const INVERSE_A2 = 1 / (EQUATORIAL_RADIUS_METERS * EQUATORIAL_RADIUS_METERS);
const INVERSE_B2 = 1 / (POLAR_RADIUS_METERS * POLAR_RADIUS_METERS);
const AXES_RATIO_SQUARED = (EQUATORIAL_RADIUS_METERS / POLAR_RADIUS_METERS) ** 2;

const TINY = 1e-300;

const nearestPoints = new Float64Array(CHUNK * 3);
const FULL_TURN = Float64Array.of(0, 360);

/**
 * Writes the answers of nearest segments to the points of a chunk. Latitude and longitude are the point's plus an angle. The distance is
 * `surfaceArcMeters`. The azimuth is that of the normal section, plus a correction:
 *
 *     e'² (s/a)² cos φ sin α (s/a sin φ / 24 − cos φ cos α / 6)
 *
 * Its error is up to 1e-6° at 500 km, 1.4e-5° at 1,500 km, 3.4e-5° at 2,000 km. Beyond the limit of the series Karney's algorithm computes both.
 */
export function writeAnswers(vertices: Int32Array, points: PointChunk, chunk: AnswerChunk, count: number): void {
  for (let at = 0; at < count; at++) {
    const vertex = chunk.vertices[at]!;
    if (vertex !== SKIPPED) writeNearestPoint(vertices, vertex, points.frames, at * FRAME_LENGTH, at * 3);
  }
  writeAnswersOfNearestPoints(points, chunk, count);
}

function writeNearestPoint(
  vertices: Int32Array,
  vertex: number,
  frames: Float64Array,
  frame: number,
  to: number,
): void {
  const at = vertex * 3;
  const ax = vertices[at]!;
  const ay = vertices[at + 1]!;
  const az = vertices[at + 2]!;
  const fraction = segmentFraction(vertices, vertex, frames[frame]!, frames[frame + 1]!, frames[frame + 2]!);
  const x = (ax + (vertices[at + 3]! - ax) * fraction) * METERS_PER_UNIT;
  const y = (ay + (vertices[at + 4]! - ay) * fraction) * METERS_PER_UNIT;
  const z = (az + (vertices[at + 5]! - az) * fraction) * METERS_PER_UNIT;
  // 1/√(1 − d) for a relative depth below 1e-8: omitted terms are below 1e-17.
  const lift = 1.5 - 0.5 * ((x * x + y * y) * INVERSE_A2 + z * z * INVERSE_B2);
  nearestPoints[to] = x * lift;
  nearestPoints[to + 1] = y * lift;
  nearestPoints[to + 2] = z * lift;
}

/** A separate loop, small enough for inlining. */
function writeAnswersOfNearestPoints(points: PointChunk, { vertices, answers }: AnswerChunk, count: number): void {
  const { frames, latitudes, longitudes } = points;
  for (let at = 0; at < count; at++) {
    if (vertices[at] === SKIPPED) continue;
    const frame = at * FRAME_LENGTH;
    const px = frames[frame]! * METERS_PER_UNIT;
    const py = frames[frame + 1]! * METERS_PER_UNIT;
    const pz = frames[frame + 2]! * METERS_PER_UNIT;
    const qx = nearestPoints[at * 3]!;
    const qy = nearestPoints[at * 3 + 1]!;
    const qz = nearestPoints[at * 3 + 2]!;
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
    // sin α is eastward / level, cos α is north / level; level and distance hardly differ here.
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

function writeGeodesic({ latitudes, longitudes }: PointChunk, at: number, answers: Float64Array): void {
  const answer = at * ANSWER_NUMBERS;
  const geodesic = geodesicBetween(latitudes[at]!, longitudes[at]!, answers[answer]!, answers[answer + 1]!);
  answers[answer + 2] = geodesic.distanceMeters;
  answers[answer + 3] = compassDegrees(geodesic.azimuthDegrees);
}

function compassDegrees(degrees: number): number {
  const turned = degrees + FULL_TURN[Number(degrees < 0)]!;
  return turned < 360 ? turned : 0;
}

/** In meters, to the point that is nearest by the chord; only by the series. */
export function arcToSegment(vertices: Int32Array, vertex: number, frames: Float64Array, frame: number): number {
  writeNearestPoint(vertices, vertex, frames, frame, 0);
  const px = frames[frame]! * METERS_PER_UNIT;
  const py = frames[frame + 1]! * METERS_PER_UNIT;
  const pz = frames[frame + 2]! * METERS_PER_UNIT;
  return surfaceArcMeters(
    nearestPoints[0]! - px,
    nearestPoints[1]! - py,
    nearestPoints[2]! - pz,
    nearestPoints[0]! + px,
    nearestPoints[1]! + py,
    nearestPoints[2]! + pz,
  );
}
