import { CoastError } from '@leeward/coast';
import { coordEach, flattenEach } from '@turf/meta';
import { rewind } from '@turf/rewind';
import type { GeoJSON, Geometry, Polygon, Position } from 'geojson';
import { checkCrs } from './check-projection.ts';
import type { PolygonMeaning, RawLine } from './raw-lines.ts';

/** Line strings unchanged; rings with the enclosed area on their left. Ignores points. */
export function linesOfGeoJson(geojson: GeoJSON, polygons: PolygonMeaning = 'land'): RawLine[] {
  const lines: RawLine[] = [];
  flattenEach(geojson as Parameters<typeof flattenEach>[0], (feature) => {
    const geometry = feature.geometry as Geometry | null;
    if (geometry?.type === 'LineString') lines.push({ positions: geometry.coordinates, water: 'unknown' });
    if (geometry?.type !== 'Polygon') return;
    // RFC 7946: outer rings counterclockwise, holes clockwise. The parsed object may change: only this function uses it.
    const wound = rewind(geometry, { reverse: false, mutate: true }) as Polygon;
    for (const ring of wound.coordinates) {
      lines.push({ positions: ring, water: polygons === 'land' ? 'right' : 'left' });
    }
  });
  return lines;
}

const GEOJSON_TYPES = new Set([
  'FeatureCollection',
  'Feature',
  'GeometryCollection',
  'Point',
  'MultiPoint',
  'LineString',
  'MultiLineString',
  'Polygon',
  'MultiPolygon',
]);

/** Throws `invalid_shoreline` unless it is GeoJSON in degrees. */
export function checkGeoJson(parsed: unknown, name: string): asserts parsed is GeoJSON {
  const type = typeof parsed === 'object' && parsed !== null ? (parsed as { type?: unknown }).type : undefined;
  if (typeof type !== 'string' || !GEOJSON_TYPES.has(type)) {
    throw new CoastError(
      'invalid_shoreline',
      `${name}: neither GeoJSON nor TopoJSON (its type is ${JSON.stringify(type) ?? 'missing'})`,
    );
  }
  checkCrs((parsed as { crs?: unknown }).crs, name);
  checkNode(parsed as Record<string, unknown>, name, '', 0);
  checkBbox((parsed as { bbox?: unknown }).bbox, parsed as GeoJSON, name);
}

/** Nesting of collections. */
const MAX_DEPTH = 32;

function checkNode(node: unknown, name: string, path: string, depth: number): void {
  const invalid = (what: string): CoastError => new CoastError('invalid_shoreline', `${name}: ${path || '/'} ${what}`);
  if (typeof node !== 'object' || node === null) throw invalid('is not a GeoJSON object');
  if (depth > MAX_DEPTH) throw invalid('is nested too deeply');
  const { type, features, geometry, geometries, coordinates } = node as Record<string, unknown>;
  if (typeof type !== 'string' || !GEOJSON_TYPES.has(type))
    throw invalid(`has type ${JSON.stringify(type) ?? 'missing'}`);
  if (type === 'Feature') {
    if (geometry !== null && geometry !== undefined) checkNode(geometry, name, `${path}/geometry`, depth + 1);
    return;
  }
  const members = type === 'FeatureCollection' ? features : type === 'GeometryCollection' ? geometries : undefined;
  if (type === 'FeatureCollection' || type === 'GeometryCollection') {
    const key = type === 'FeatureCollection' ? 'features' : 'geometries';
    if (!Array.isArray(members)) throw invalid(`has no list of ${key}`);
    members.forEach((member, index) => {
      checkNode(member, name, `${path}/${key}/${index}`, depth + 1);
    });
    return;
  }
  const levels =
    type === 'Point' ? 0 : type === 'MultiPoint' || type === 'LineString' ? 1 : type === 'MultiPolygon' ? 3 : 2;
  checkCoordinates(coordinates, levels, `${path}/coordinates`, name);
  if (type === 'Polygon') checkRings(coordinates as Position[][], `${path}/coordinates`, name);
  if (type !== 'MultiPolygon') return;
  (coordinates as Position[][][]).forEach((polygon, index) => {
    checkRings(polygon, `${path}/coordinates/${index}`, name);
  });
}

/** An open ring would lack a piece of shore. */
function checkRings(rings: readonly (readonly Position[])[], path: string, name: string): void {
  rings.forEach((ring, index) => {
    const first = ring[0];
    const last = ring.at(-1);
    if (first !== undefined && last !== undefined && first[0] === last[0] && first[1] === last[1]) return;
    throw new CoastError(
      'invalid_shoreline',
      `${name}: ${path}/${index} is not a closed ring: it begins at ${JSON.stringify(first) ?? 'nothing'} and ends at ${JSON.stringify(last) ?? 'nothing'}; repeat the first position at the end`,
    );
  });
}

/** Rounding of a `bbox`. */
const BBOX_DEGREES = 0.01;

/** A bbox beyond which there are positions contradicts them: its axes, or theirs, may be swapped. */
function checkBbox(bbox: unknown, geojson: GeoJSON, name: string): void {
  if (!Array.isArray(bbox) || (bbox.length !== 4 && bbox.length !== 6)) return;
  const sides = (bbox.length === 4 ? bbox : [bbox[0], bbox[1], bbox[3], bbox[4]]) as [number, number, number, number];
  const [west, south, east, north] = sides;
  // Across 180 degrees, west is greater than east.
  if (!sides.every(Number.isFinite) || west > east) return;
  coordEach(geojson as Parameters<typeof coordEach>[0], ([longitude = 0, latitude = 0]) => {
    const isInside =
      longitude >= west - BBOX_DEGREES &&
      longitude <= east + BBOX_DEGREES &&
      latitude >= south - BBOX_DEGREES &&
      latitude <= north + BBOX_DEGREES;
    if (isInside) return;
    throw new CoastError(
      'invalid_shoreline',
      `${name}: its bbox ${JSON.stringify(bbox)} does not contain the position ${JSON.stringify([longitude, latitude])}; correct or remove the bbox`,
    );
  });
}

/** Builds the path only for a fault: building it per position took most of the time. */
function checkCoordinates(value: unknown, levels: number, path: string, name: string): void {
  if (!Array.isArray(value)) throw new CoastError('invalid_shoreline', `${name}: ${path} is not a list`);
  if (levels > 0) {
    for (let index = 0; index < value.length; index++) {
      if (levels > 1 || !isPosition(value[index])) checkCoordinates(value[index], levels - 1, `${path}/${index}`, name);
    }
    return;
  }
  if (isPosition(value)) return;
  throw new CoastError(
    'invalid_shoreline',
    `${name}: ${path} is ${JSON.stringify(value, showNumber)?.slice(0, 80)}; expected longitude and latitude in degrees on WGS84${isSwapped(value) ? ': the axes look swapped, write longitude before latitude' : ''}`,
  );
}

/** JSON has no NaN. */
function showNumber(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

function isSwapped(value: readonly unknown[]): boolean {
  return value.length === 2 && isPosition([value[1], value[0]]);
}

/** Up to ±540, wrapped later; larger numbers are meters of a projection. */
function isPosition(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const longitude: unknown = value[0];
  const latitude: unknown = value[1];
  return (
    typeof longitude === 'number' &&
    typeof latitude === 'number' &&
    Math.abs(longitude) <= 540 &&
    Math.abs(latitude) <= 90
  );
}
