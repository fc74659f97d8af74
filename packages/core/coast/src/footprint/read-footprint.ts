import { CoastError } from '../coast-error.ts';
import { checkPoint, showValue } from '../earth/geographic-point.ts';
import { type PointInput, toPoint } from '../earth/point-input.ts';
import type { Footprint, Position } from './footprint.ts';

/** Ground of a building, as GeoJSON. */
export type GeoJsonArea =
  | { readonly type: 'Polygon'; readonly coordinates: readonly (readonly Position[])[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly (readonly Position[])[])[] }
  | { readonly type: 'Feature'; readonly geometry: GeoJsonArea };

const EXPECTED = 'a GeoJSON Polygon, MultiPolygon or Feature of one, or { kind: "polygons" } or { kind: "disc" }';

/** Each position is a query. */
const MAX_POSITIONS = 10_000;
/** Nearer to a pole, a plane with degrees as axes is distorted. */
const MAX_LATITUDE = 89;

/** Throws `invalid_footprint` or `invalid_point`. */
export function readFootprint(value: Footprint | GeoJsonArea): Footprint {
  const source = asRecord(value);
  if (source['kind'] === 'disc') {
    const { center, radiusMeters } = source as { center: PointInput; radiusMeters?: unknown };
    const point = toPoint(center);
    checkLatitude(point.latitude);
    if (typeof radiusMeters === 'number' && radiusMeters >= 0 && Number.isFinite(radiusMeters)) {
      return { kind: 'disc', center: point, radiusMeters };
    }
    throw invalid(`radiusMeters is ${showValue(radiusMeters)}; give meters from 0`);
  }
  if (source['kind'] === 'polygons') return { kind: 'polygons', polygons: polygonsOf(source['polygons'], 'polygons') };
  switch (source['type']) {
    case 'Polygon':
      return { kind: 'polygons', polygons: polygonsOf([source['coordinates']], 'coordinates') };
    case 'MultiPolygon':
      return { kind: 'polygons', polygons: polygonsOf(source['coordinates'], 'coordinates') };
    case 'Feature':
      if (asRecord(source['geometry'])['type'] === 'Feature') throw invalid('the geometry of a Feature is a Feature');
      return readFootprint(source['geometry'] as GeoJsonArea);
    default:
      throw invalid(`its type is ${showValue(source['type'] ?? source['kind']).slice(0, 60)}; give ${EXPECTED}`);
  }
}

function polygonsOf(polygons: unknown, where: string): readonly (readonly (readonly Position[])[])[] {
  if (!isFilledList(polygons)) throw invalid(`${where} has to be a list of polygons; give ${EXPECTED}`);
  let count = 0;
  for (const polygon of polygons) {
    if (!isFilledList(polygon)) throw invalid(`a polygon of its ${where} has no rings: each is a list of positions`);
    for (const ring of polygon) {
      if (!isFilledList(ring)) throw invalid('a ring has no positions: each is [longitude, latitude]');
      count += ring.length;
      if (count > MAX_POSITIONS) {
        throw invalid(`it has ${count} positions or more; simplify it to at most ${MAX_POSITIONS}`);
      }
      for (const position of ring) checkPosition(position);
    }
  }
  return polygons as readonly (readonly (readonly Position[])[])[];
}

function checkPosition(position: unknown): void {
  const [longitude, latitude] = Array.isArray(position) ? (position as unknown[]) : [];
  if (typeof longitude !== 'number' || typeof latitude !== 'number') {
    throw invalid(`a position is ${showValue(position).slice(0, 60)}; give [longitude, latitude] in degrees`);
  }
  checkPoint({ latitude, longitude });
  checkLatitude(latitude);
}

function checkLatitude(latitude: number): void {
  if (Math.abs(latitude) <= MAX_LATITUDE) return;
  throw invalid(`latitude ${latitude} is too near a pole; give latitudes from -${MAX_LATITUDE} to ${MAX_LATITUDE}`);
}

function isFilledList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw invalid(`it is ${showValue(value).slice(0, 60)}; give ${EXPECTED}`);
}

function invalid(what: string): CoastError {
  return new CoastError('invalid_footprint', `the footprint cannot be read: ${what}`);
}
