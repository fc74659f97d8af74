import { around } from 'geokdbush';
import KDBush from 'kdbush';
import { CoastError } from '../coast-error.ts';
import { normalizeBearing } from '../earth/compass-point.ts';
import { geodesicBetween } from '../earth/geodesic.ts';
import { type GeographicPoint, isPoint } from '../earth/geographic-point.ts';
import { type PointInput, toPoint } from '../earth/point-input.ts';

/** A point of the index and its geodesic. */
export interface NearPoint {
  readonly number: number;
  readonly distanceMeters: number;
  /** At the query, clockwise from north in [0, 360); 0 if the distance is 0. */
  readonly azimuthDegrees: number;
}

/** Points such as fire stations, hydrants or tide gauges. Returns numbers of points; the caller keeps the records. */
export interface PointIndex {
  readonly count: number;
  /** Nearest first. @param count defaults to 1. */
  nearest(point: PointInput, count?: number): NearPoint[];
  /** Nearest first. */
  within(point: PointInput, radiusMeters: number): NearPoint[];
}

/** Maximum ratio of distances on geokdbush's sphere (6371 km) and on WGS84 (radii of curvature 6335 … 6400 km). */
const SPHERE_RATIO = 1.0058;
const METERS_PER_KILOMETER = 1000;
const HALF_EARTH_KILOMETERS = 20_015;

/**
 * Indexes points for exact nearest-point queries: geokdbush finds points on a sphere, and all that could be nearer on the ellipsoid are
 * ordered by Karney's geodesic. @param positions are longitude, latitude pairs in degrees. @throws CoastError `invalid_shoreline`,
 * naming the first point that is out of range.
 * @example
 * const index = createPointIndex(Float64Array.of(-97.7431, 30.2672, -97.7937, 30.2471));
 * index.nearest({ latitude: 30.26, longitude: -97.77 })[0]?.number; // 1
 */
export function createPointIndex(positions: Float64Array): PointIndex {
  if (positions.length % 2 !== 0) {
    throw new CoastError(
      'invalid_shoreline',
      `${positions.length} numbers are not longitude, latitude pairs: give as many of each`,
    );
  }
  const count = positions.length / 2;
  for (let number = 0; number < count; number++) {
    if (isPoint(positions[number * 2 + 1]!, positions[number * 2]!)) continue;
    throw new CoastError(
      'invalid_shoreline',
      `point ${number} at longitude ${positions[number * 2]}, latitude ${positions[number * 2 + 1]} is not on the earth`,
    );
  }
  return new KdPointIndex(positions);
}

class KdPointIndex implements PointIndex {
  readonly count: number;
  readonly #positions: Float64Array;
  readonly #tree: KDBush | undefined;

  constructor(positions: Float64Array) {
    this.#positions = positions;
    this.count = positions.length / 2;
    if (this.count === 0) return;
    const tree = new KDBush(this.count);
    for (let at = 0; at < positions.length; at += 2) tree.add(positions[at]!, positions[at + 1]!);
    this.#tree = tree.finish();
  }

  nearest(input: PointInput, count = 1): NearPoint[] {
    if (!Number.isInteger(count) || count < 1) {
      throw new CoastError('invalid_option', `the ${count} nearest: expected a whole number, one or more`);
    }
    const point = toPoint(input);
    if (this.#tree === undefined) return [];
    const rough = around(this.#tree, point.longitude, point.latitude, count);
    const farthest = Math.max(...rough.map((number) => this.#find(point, number).distanceMeters));
    return this.within(point, farthest).slice(0, count);
  }

  within(input: PointInput, radiusMeters: number): NearPoint[] {
    if (!(radiusMeters >= 0 && radiusMeters < Number.POSITIVE_INFINITY)) {
      throw new CoastError('invalid_option', `a radius of ${radiusMeters} metres: expected zero or more`);
    }
    const point = toPoint(input);
    if (this.#tree === undefined) return [];
    const reach = Math.min((radiusMeters * SPHERE_RATIO) / METERS_PER_KILOMETER + 1e-6, HALF_EARTH_KILOMETERS);
    return around(this.#tree, point.longitude, point.latitude, Number.POSITIVE_INFINITY, reach)
      .map((number) => this.#find(point, number))
      .filter((find) => find.distanceMeters <= radiusMeters)
      .sort((one, other) => one.distanceMeters - other.distanceMeters || one.number - other.number);
  }

  #find({ latitude, longitude }: GeographicPoint, number: number): NearPoint {
    const [toLongitude, toLatitude] = [this.#positions[number * 2]!, this.#positions[number * 2 + 1]!];
    const { distanceMeters, azimuthDegrees } = geodesicBetween(latitude, longitude, toLatitude, toLongitude);
    return { number, distanceMeters, azimuthDegrees: distanceMeters === 0 ? 0 : normalizeBearing(azimuthDegrees) };
  }
}
