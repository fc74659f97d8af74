import { CoastError } from '../coast-error.ts';
import { showValue } from '../earth/geographic-point.ts';
import { type PointInput, toPoint } from '../earth/point-input.ts';

/**
 * Many points: columns by name, a list of points, or longitude and latitude in turn (GeoJSON order) in one `Float64Array`. All in degrees.
 */
export type CoastPoints = CoastPointColumns | Float64Array | readonly PointInput[];

/** Two columns of the same length. */
export interface CoastPointColumns {
  readonly latitudes: Float64Array | readonly number[];
  readonly longitudes: Float64Array | readonly number[];
}

export interface PointColumns {
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  /** Why a point of a list was not read, by number. */
  readonly faults: ReadonlyMap<number, CoastError>;
}

const NO_FAULTS: ReadonlyMap<number, CoastError> = new Map();

/** Copies only if it must. Points that cannot be read are NaN. Throws `invalid_option` for anything else. */
export function readPoints(points: CoastPoints): PointColumns {
  if (points instanceof Float64Array) return readPairs(points);
  if (Array.isArray(points)) return readList(points as readonly PointInput[]);
  const { latitudes, longitudes } = (points ?? {}) as CoastPointColumns;
  if (!isColumn(latitudes) || !isColumn(longitudes)) throw noPoints(points);
  if (latitudes.length !== longitudes.length) {
    throw new CoastError(
      'invalid_option',
      `${latitudes.length} latitudes and ${longitudes.length} longitudes: give as many of each`,
    );
  }
  return { latitudes: toColumn(latitudes), longitudes: toColumn(longitudes), faults: NO_FAULTS };
}

function readPairs(pairs: Float64Array): PointColumns {
  if (pairs.length % 2 !== 0) {
    throw new CoastError(
      'invalid_option',
      `${pairs.length} numbers are not pairs of longitude and latitude: give as many of each`,
    );
  }
  const count = pairs.length / 2;
  const latitudes = new Float64Array(count);
  const longitudes = new Float64Array(count);
  for (let at = 0; at < count; at++) {
    longitudes[at] = pairs[at * 2]!;
    latitudes[at] = pairs[at * 2 + 1]!;
  }
  return { latitudes, longitudes, faults: NO_FAULTS };
}

function readList(points: readonly PointInput[]): PointColumns {
  if (typeof points[0] === 'number') throw noPoints(points);
  const latitudes = new Float64Array(points.length);
  const longitudes = new Float64Array(points.length);
  const faults = new Map<number, CoastError>();
  points.forEach((input, at) => {
    try {
      const { latitude, longitude } = toPoint(input);
      latitudes[at] = latitude;
      longitudes[at] = longitude;
    } catch (error) {
      if (!(error instanceof CoastError)) throw error;
      faults.set(at, error);
      latitudes[at] = longitudes[at] = Number.NaN;
    }
  });
  return { latitudes, longitudes, faults };
}

function isColumn(value: unknown): value is Float64Array | readonly number[] {
  return value instanceof Float64Array || Array.isArray(value);
}

function toColumn(column: Float64Array | readonly number[]): Float64Array {
  return column instanceof Float64Array ? column : Float64Array.from(column);
}

function noPoints(received: unknown): CoastError {
  const keys = typeof received === 'object' && received !== null ? Object.keys(received) : [];
  const description = Array.isArray(received)
    ? `a list of ${received.length} numbers`
    : ArrayBuffer.isView(received)
      ? `a ${received.constructor.name}`
      : keys.length > 0
        ? `an object with the keys ${keys.slice(0, 8).join(', ').slice(0, 80)}`
        : showValue(received).slice(0, 80);
  return new CoastError(
    'invalid_option',
    `the points are ${description}; give { latitudes, longitudes } as Float64Arrays or lists, a list of points, or a Float64Array of longitude and latitude in turn`,
  );
}
