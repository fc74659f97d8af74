import { CoastError } from '../coast-error.ts';
import { checkPoint, type GeographicPoint, isPoint, showValue } from './geographic-point.ts';

/** Longitude, latitude in degrees, as in GeoJSON. Further numbers, such as the altitude, are ignored. */
export type LngLat = readonly number[];

/** A place: GeoJSON (a position, a Point, or a Feature of a Point), or an object with its keys. */
export type PointInput = GeographicPoint | LngLat | GeoJsonPoint | GeoJsonPointFeature;

/** A GeoJSON Point. */
export interface GeoJsonPoint {
  readonly type: 'Point';
  readonly coordinates: LngLat;
}

/** A GeoJSON Feature of a Point. */
export interface GeoJsonPointFeature {
  readonly type: 'Feature';
  readonly geometry: GeoJsonPoint;
}

const EXPECTED = 'give { latitude, longitude }, [longitude, latitude], or a GeoJSON Point or Feature of one';

/**
 * Reads a place. @throws CoastError `invalid_point`, with the received value and the expected forms.
 * @example
 * toPoint([-82.46, 27.95]).latitude; // 27.95
 */
export function toPoint(input: PointInput): GeographicPoint {
  const { latitude, longitude } = (input ?? {}) as Partial<GeographicPoint>;
  if (typeof latitude === 'number' && typeof longitude === 'number' && isPoint(latitude, longitude)) {
    return input as GeographicPoint;
  }
  const point = readPoint(input, false);
  checkPoint(point);
  return point;
}

function readPoint(input: unknown, isGeometry: boolean): GeographicPoint {
  if (Array.isArray(input) || ArrayBuffer.isView(input)) return readPosition(input);
  const fields = (typeof input === 'object' && input !== null ? input : {}) as Readonly<Record<string, unknown>>;
  if ('latitude' in fields && 'longitude' in fields) return fields as unknown as GeographicPoint;
  if (fields['type'] === 'Point') return readPosition(fields['coordinates']);
  if (fields['type'] === 'Feature' && !isGeometry) return readPoint(fields['geometry'], true);
  throw new CoastError('invalid_point', `the point is ${describe(input, fields)}; ${EXPECTED}${hintFor(fields)}`);
}

function readPosition(position: unknown): GeographicPoint {
  const list = position as ArrayLike<unknown>;
  const isList = Array.isArray(position) || (ArrayBuffer.isView(position) && 'length' in position);
  if (isList && list.length >= 2 && list.length <= 4 && typeof list[0] === 'number' && typeof list[1] === 'number') {
    return { longitude: list[0], latitude: list[1] };
  }
  const isShort = !isList || (list.length <= 4 && Array.from(list).every((each) => typeof each !== 'object'));
  const received = isShort ? showValue(position).slice(0, 80) : `a list of ${list.length}`;
  throw new CoastError('invalid_point', `the position of the point is ${received}; ${EXPECTED}`);
}

/** Names the keys or the type: a whole GeoJSON file would not fit a message. */
function describe(input: unknown, fields: Readonly<Record<string, unknown>>): string {
  if (typeof fields['type'] === 'string') return `a GeoJSON ${fields['type'].slice(0, 40)}`;
  if (typeof input !== 'object' || input === null) return showValue(input).slice(0, 80);
  const keys = Object.keys(fields);
  if (keys.length === 0) return 'an object without keys';
  return `an object with the keys ${keys.slice(0, 8).join(', ').slice(0, 80)}`;
}

const SHORT_KEYS = ['lat', 'lng', 'lon', 'long', 'x', 'y'];

function hintFor(fields: Readonly<Record<string, unknown>>): string {
  if (fields['type'] === 'FeatureCollection') return ': pass one of its features';
  const short = Object.keys(fields).filter((key) => SHORT_KEYS.includes(key.toLowerCase()));
  return short.length === 0 ? '' : `: rename ${short.join(' and ')}`;
}
