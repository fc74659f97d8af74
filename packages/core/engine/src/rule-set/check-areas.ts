/**
 * Reads and checks the areas of a rule set: GeoJSON polygons, lines and points with `within_miles`, and lists of ZIP codes.
 *
 * The order of positions (winding) is free, because evenness decides what is inside. Faults name the area, the position and the way out.
 */
import {
  didYouMean,
  type Fault,
  isObject,
  METERS_PER_MILE,
  own,
  pointer,
  quoteValue,
  type Warning,
} from '@leeward/terms';
import type { Area, Position } from '../area/area.ts';
import { findCrossing } from '../area/find-crossing.ts';
import { findRingFault, type PlacedRing } from '../area/find-ring-fault.ts';
import { isNearState } from '../area/state-boxes.ts';
import { wrapDegrees } from '../request/property-location.ts';
import { factIndex } from '../vocabulary/fact-index.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { sha256OfJson } from './canonical.ts';

/** Limits on the areas of one file. */
export interface AreaLimits {
  readonly maxAreas: number;
  /** Positions in all areas together. */
  readonly maxPositions: number;
  /** Rings or lines in one area. */
  readonly maxRings: number;
  /** Maximum number of pairs of edges that are compared. */
  readonly maxPairs: number;
}

export const strangerAreaLimits: AreaLimits = {
  maxAreas: 100,
  maxPositions: 10_000,
  maxRings: 500,
  maxPairs: 20_000_000,
};
export const operatorAreaLimits: AreaLimits = {
  maxAreas: 2_000,
  maxPositions: 500_000,
  maxRings: 5_000,
  maxPairs: 500_000_000,
};

/** Largest `within_miles`. */
export const MAX_WITHIN_MILES = 500;

/** An area that tests may name. `invalid`: its faults are reported. */
export type NamedArea =
  | { readonly kind: 'shape'; readonly area: Area }
  | { readonly kind: 'zipcodes'; readonly zipcodes: readonly string[] }
  | { readonly kind: 'invalid' };

/** Use of an area by a rule. */
export type AreaUse = 'within' | 'miles_to';

/** The areas of a file, and how its rules use them. */
export interface FileAreas {
  readonly byName: ReadonlyMap<string, NamedArea>;
  readonly uses: Map<string, Set<AreaUse>>;
}

interface AreaContext {
  readonly vocabulary: Vocabulary;
  readonly limits: AreaLimits;
  readonly faults: Fault[];
  readonly budget: { positions: number; pairs: number };
}

export const geometryTypes = [
  'Polygon',
  'MultiPolygon',
  'LineString',
  'MultiLineString',
  'Point',
  'MultiPoint',
] as const;
type GeometryType = (typeof geometryTypes)[number];
const nesting: Readonly<Record<GeometryType, number>> = {
  Polygon: 2,
  MultiPolygon: 3,
  LineString: 1,
  MultiLineString: 2,
  Point: 0,
  MultiPoint: 1,
};
const areaKeys = [
  'type',
  'coordinates',
  'geometry',
  'properties',
  'id',
  'bbox',
  'within_miles',
  'zipcodes',
  '$comment',
];

/** Reads the areas of a file. Later, `areaUseFaults` checks where they lie, by their uses. */
export function readAreas(source: unknown, vocabulary: Vocabulary, limits: AreaLimits, faults: Fault[]): FileAreas {
  const byName = new Map<string, NamedArea>();
  const uses: FileAreas['uses'] = new Map();
  if (!isObject(source)) return { byName, uses };
  const names = Object.keys(source).filter((name) => name !== '$comment');
  if (names.length > limits.maxAreas) {
    const message = `${names.length} areas; at most ${limits.maxAreas} are accepted.`;
    faults.push({ path: '/areas', code: 'too_many_areas', message });
  }
  const budget = { positions: limits.maxPositions, pairs: limits.maxPairs };
  for (const name of names) {
    const path = `/areas${pointer(name)}`;
    const before = faults.length;
    const area = readNamed(name, source[name], path, { vocabulary, limits, faults, budget });
    byName.set(name, faults.length === before && area ? area : { kind: 'invalid' });
    if (budget.positions < 0) break;
  }
  return { byName, uses };
}

function readNamed(name: string, source: unknown, path: string, context: AreaContext): NamedArea | undefined {
  const { faults } = context;
  const fault = (at: string, code: string, message: string): undefined => void faults.push({ path: at, code, message });
  if (name.trim() === '' || name.length > 100)
    fault(path, 'invalid_name', 'The name of an area has 1 to 100 characters.');
  if (!isObject(source)) {
    return fault(
      path,
      'invalid_area',
      `An area is a GeoJSON geometry or { "zipcodes": [ … ] }, not ${quoteValue(source)}.`,
    );
  }
  if (Object.hasOwn(source, 'file')) {
    const message =
      'This area names a file next to the rule file. Only files that are read from a folder can do so; write the geometry here.';
    return fault(`${path}/file`, 'area_file_not_read', message);
  }
  for (const key of Object.keys(source)) {
    if (areaKeys.includes(key)) continue;
    const message = `${quoteValue(key)} is not a key of an area; use one of: ${areaKeys.join(', ')}.${didYouMean(key, areaKeys)}`;
    fault(`${path}${pointer(key)}`, 'unknown_key', message);
  }
  if (Object.hasOwn(source, 'zipcodes')) return readZipcodes(source, path, context);
  const isFeature = source['type'] === 'Feature';
  const geometry = isFeature ? own(source, 'geometry') : source;
  const at = isFeature ? `${path}/geometry` : path;
  const type = isObject(geometry) ? own(geometry, 'type') : undefined;
  if (!isObject(geometry) || !geometryTypes.includes(type as GeometryType)) {
    const hint = typeof type === 'string' ? didYouMean(type, [...geometryTypes, 'Feature']) : '';
    const message = `${quoteValue(type)} is not a type of an area; use one of: ${geometryTypes.join(', ')}, Feature.${hint}`;
    return fault(`${at}/type`, 'invalid_area', message);
  }
  const lines = readPositions(geometry['coordinates'], nesting[type as GeometryType], `${at}/coordinates`, context);
  const isFilled = type === 'Polygon' || type === 'MultiPolygon';
  const bufferMeters = readBuffer(source, isFilled, path, faults);
  if (!lines || bufferMeters === undefined) return undefined;
  const parts = lines.map(({ positions }) => positions);
  // No line joins the points of a MultiPoint.
  const apart = type === 'MultiPoint' ? parts.flat().map((position) => [position]) : parts;
  const shape = isFilled ? { rings: parts, lines: [] } : { rings: [], lines: apart };
  if (!checkShape(lines, isFilled, at, context)) return undefined;
  const sha256 = sha256OfJson({ ...shape, bufferMeters });
  return { kind: 'shape', area: { name, sha256, ...shape, bufferMeters } };
}

function readBuffer(
  source: Readonly<Record<string, unknown>>,
  isFilled: boolean,
  path: string,
  faults: Fault[],
): number | undefined {
  const miles = own(source, 'within_miles');
  if (miles === undefined && isFilled) return 0;
  if (typeof miles === 'number' && miles > 0 && miles <= MAX_WITHIN_MILES) return miles * METERS_PER_MILE;
  const message =
    miles === undefined
      ? 'A line or a point is not an area; add "within_miles": how far the area reaches around it.'
      : `within_miles is ${quoteValue(miles)}; give miles above 0, at most ${MAX_WITHIN_MILES}.`;
  faults.push({
    path: miles === undefined ? path : `${path}/within_miles`,
    code: miles === undefined ? 'missing_key' : 'invalid_value',
    message,
  });
  return undefined;
}

function readZipcodes(
  source: Readonly<Record<string, unknown>>,
  path: string,
  { vocabulary, faults }: AreaContext,
): NamedArea | undefined {
  const reference = factIndex(vocabulary).find('zipcode');
  const range = reference?.kind === 'field' ? reference.field.form?.range : undefined;
  const list = source['zipcodes'];
  if (!range) {
    const message = `The line ${vocabulary.line} has no zipcode; give the area as a polygon.`;
    faults.push({ path: `${path}/zipcodes`, code: 'unknown_fact', message });
    return undefined;
  }
  for (const key of Object.keys(source)) {
    if (key === 'zipcodes' || key === '$comment' || !areaKeys.includes(key)) continue;
    const message = `A list of ZIP codes has no ${key}; make it a separate area, or leave it out.`;
    faults.push({ path: `${path}/${key}`, code: 'misplaced_key', message });
  }
  if (!Array.isArray(list) || list.length === 0) {
    faults.push({ path: `${path}/zipcodes`, code: 'empty_area', message: `Give a list of ${range.words}.` });
    return undefined;
  }
  list.forEach((each: unknown, index) => {
    if (range.read(each)) return;
    const message = `zipcodes has ${range.words}, not ${quoteValue(each)}.`;
    faults.push({ path: `${path}/zipcodes/${index}`, code: 'value_wrong_type', message });
  });
  return { kind: 'zipcodes', zipcodes: list as readonly string[] };
}

/** Reads nested lists of positions. `depth` is 0 for a position, 1 for a line, 2 for lines, 3 for polygons. */
function readPositions(source: unknown, depth: number, path: string, context: AreaContext): PlacedRing[] | undefined {
  const lines: PlacedRing[] = [];
  const fault = (at: string, code: string, message: string): void =>
    void context.faults.push({ path: at, code, message });
  const readLine = (line: readonly unknown[], at: string, polygon: number, isHole: boolean): boolean => {
    context.budget.positions -= line.length;
    if (context.budget.positions < 0) {
      const { maxPositions } = context.limits;
      fault(path, 'area_too_large', `The areas have more than ${maxPositions} positions; simplify their outlines.`);
      return false;
    }
    const positions: Position[] = [];
    for (const [index, position] of line.entries()) {
      const message = positionFault(position);
      if (message !== undefined) {
        fault(`${at}/${index}`, 'invalid_position', message);
        return false;
      }
      positions.push([(position as number[])[0]!, (position as number[])[1]!]);
    }
    lines.push({ positions, path: at, polygon, isHole });
    return true;
  };
  const visit = (list: unknown, level: number, at: string, polygon: number, isHole: boolean): boolean => {
    if (level === 0) return readLine([list], at, polygon, isHole);
    if (!Array.isArray(list) || list.length === 0) {
      const what = level === 1 ? 'positions [longitude, latitude]' : level === 2 ? 'lines or rings' : 'polygons';
      const problem = Array.isArray(list) ? 'This list is empty' : `${quoteValue(list)} is not a list`;
      fault(at, 'empty_area', `${problem}; give ${what}.`);
      return false;
    }
    if (level === 1) return readLine(list, at, polygon, isHole);
    return list.every((each, index) =>
      visit(each, level - 1, `${at}/${index}`, level === 3 ? index : polygon, level === 2 && index > 0),
    );
  };
  return visit(source, depth, path, 0, false) ? lines : undefined;
}

function positionFault(position: unknown): string | undefined {
  const isPosition =
    Array.isArray(position) &&
    position.length >= 2 &&
    position.length <= 4 &&
    position.every((each) => typeof each === 'number' && Number.isFinite(each));
  if (!isPosition) return `${quoteValue(position)} is not a position; give [longitude, latitude] in degrees.`;
  const [longitude, latitude] = position as [number, number];
  if (Math.abs(latitude) > 90) {
    const isSwapped = Math.abs(longitude) <= 90 && Math.abs(latitude) <= 180;
    const hint = isSwapped ? ` Longitude comes first: [${latitude}, ${longitude}]?` : '';
    return `The latitude of [${longitude}, ${latitude}] is beyond 90 degrees.${hint}`;
  }
  return Math.abs(longitude) > 180 ? `The longitude of [${longitude}, ${latitude}] is beyond 180 degrees.` : undefined;
}

/** Checks that the geometry is an area: rings that are closed, do not cross, and do not lie within each other. */
function checkShape(lines: readonly PlacedRing[], isFilled: boolean, path: string, context: AreaContext): boolean {
  const { faults, limits, budget } = context;
  const refuse = (at: string, code: string, message: string): false => {
    faults.push({ path: at, code, message });
    return false;
  };
  if (lines.length > limits.maxRings) {
    return refuse(path, 'area_too_large', `${lines.length} rings or lines; at most ${limits.maxRings} are accepted.`);
  }
  const first = lines[0]!.positions[0]![0];
  const place = (longitude: number) => first + wrapDegrees(longitude - first);
  let [west, east] = [first, first];
  const edges: number[] = [];
  for (const { positions, path: at } of lines) {
    for (const [longitude] of positions) {
      west = Math.min(west, place(longitude));
      east = Math.max(east, place(longitude));
    }
    if (isFilled) {
      const [start, end] = [positions[0]!, positions.at(-1)!];
      if (start[0] !== end[0] || start[1] !== end[1]) {
        const message = `The ring begins at [${start.join(', ')}] and ends at [${end.join(', ')}]; repeat the first position at the end.`;
        return refuse(at, 'ring_not_closed', message);
      }
      if (new Set(positions.map(([x, y]) => `${x} ${y}`)).size < 3) {
        return refuse(at, 'empty_area', 'A ring has three different corners or more.');
      }
    }
    for (let index = 1; index < positions.length; index++) {
      const [a, b] = [positions[index - 1]!, positions[index]!];
      edges.push(place(a[0]), a[1], place(b[0]), b[1]);
    }
  }
  if (east - west >= 180)
    return refuse(path, 'area_too_large', 'The area spans more than half of the Earth; divide it.');
  if (!isFilled) return true;
  const crossing = findCrossing(Float64Array.from(edges), budget);
  if (crossing.kind === 'crossing') {
    const near = `[${round(wrapDegrees(crossing.x))}, ${round(crossing.y)}]`;
    return refuse(path, 'crossing_edges', `The outline crosses itself near ${near}; draw it without crossings.`);
  }
  if (crossing.kind === 'too complex') {
    return refuse(
      path,
      'area_too_large',
      'The edges of this area are too entangled to be checked; simplify its outline.',
    );
  }
  const ring = findRingFault(lines);
  return ring ? refuse(ring.path, ring.code, ring.message) : true;
}

function round(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}

/** Degrees around the written states in which a tested area may lie, and one that is only measured to. */
const MARGIN_DEGREES = 0.5;
const MEASURED_MARGIN_DEGREES = 10;

/** Reports areas that lie elsewhere than the programs, and warns about unused ones. */
export function areaUseFaults(
  { byName, uses }: FileAreas,
  states: readonly string[],
  faults: Fault[],
  warnings: Warning[],
): void {
  for (const [name, named] of byName) {
    const path = `/areas${pointer(name)}`;
    const used = uses.get(name);
    if (!used) {
      const message = `No rule uses the area ${quoteValue(name)}; test it with { "fact": "location", "operator": "within", "value": ${quoteValue(name)} }, or remove it.`;
      warnings.push({ path, code: 'unused_area', message });
    }
    if (named.kind !== 'shape' || states.length === 0) continue;
    const { area } = named;
    const margin =
      (used && !used.has('within') ? MEASURED_MARGIN_DEGREES : MARGIN_DEGREES) + area.bufferMeters / 100_000;
    const positions = (area.rings.length > 0 ? area.rings : area.lines).flat();
    if (states.some((state) => isNearState(positions, state, margin))) continue;
    const [longitude, latitude] = positions[0]!;
    const swapped = positions.flatMap(([x, y]): Position[] => (Math.abs(x) <= 90 ? [[y, x]] : []));
    const mirrored = positions.map(([x, y]): Position => [-x, y]);
    const isNear = (others: readonly Position[]) =>
      others.length === positions.length && states.some((state) => isNearState(others, state, margin));
    const hint = isNear(swapped)
      ? ` Longitude comes first: [${latitude}, ${longitude}]?`
      : isNear(mirrored)
        ? ` Western longitudes are negative: [${-longitude}, ${latitude}]?`
        : '';
    const message = `The area ${quoteValue(name)} lies around [${longitude}, ${latitude}], outside of every state of the programs (${states.join(', ')}).${hint}`;
    faults.push({ path, code: 'area_elsewhere', message });
  }
}
