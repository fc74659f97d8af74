import { describeJsonFault, type Fault, isObject, own, pointer, quoteValue } from '@leeward/terms';
import { union } from '@turf/union';

/** A rule set file with its areas inline, and the faults of the files that it names. */
export interface InlinedAreas {
  /** The input itself if no area names a file. */
  readonly file: unknown;
  readonly faults: readonly Fault[];
}

type Position = readonly number[];
type PolygonCoordinates = readonly (readonly Position[])[];

/** Largest file of an area, in characters. */
const MAX_CHARACTERS = 50_000_000;
const keys = ['file', 'within_miles', '$comment'];

/**
 * Replaces areas that name files (`{ "file": "areas/bay.geojson" }`) by the geometry of the files, so that it is part of the hash of the
 * rule set. Several polygons of one file become one area: overlaps and common borders are merged.
 *
 * @param readText returns the text of a file, by its path relative to the rule set file; undefined if there is none
 * @example
 * const { file, faults } = inlineAreas(ruleSetFile, (path) => readFileSync(join(folder, path), 'utf8'));
 */
export function inlineAreas(source: unknown, readText: (path: string) => string | undefined): InlinedAreas {
  const areas = isObject(source) ? own(source, 'areas') : undefined;
  if (!isObject(source) || !isObject(areas)) return { file: source, faults: [] };
  const faults: Fault[] = [];
  const inlined: Record<string, unknown> = {};
  for (const [name, area] of Object.entries(areas)) {
    if (!isObject(area) || !Object.hasOwn(area, 'file')) continue;
    const path = `/areas${pointer(name)}`;
    for (const key of Object.keys(area)) {
      if (keys.includes(key)) continue;
      const message = `An area of a file has no ${quoteValue(key)}; leave it out, or write the geometry here.`;
      faults.push({ path: `${path}${pointer(key)}`, code: 'misplaced_key', message });
    }
    const geometry = readGeometry(area['file'], readText);
    if (typeof geometry === 'string')
      faults.push({ path: `${path}/file`, code: 'invalid_area_file', message: geometry });
    else {
      const { file: _, ...rest } = area;
      inlined[name] = { ...rest, ...geometry };
    }
  }
  if (Object.keys(inlined).length === 0) return { file: source, faults };
  const all = Object.entries(areas).map(([name, area]) => [name, inlined[name] ?? area]);
  return { file: { ...source, areas: Object.fromEntries(all) }, faults };
}

/** The geometry of a file, or a sentence that describes the fault. */
function readGeometry(
  file: unknown,
  readText: (path: string) => string | undefined,
): Readonly<Record<string, unknown>> | string {
  const isBelow =
    typeof file === 'string' && /^[^/\\:]+(\/[^/\\:]+)*$/.test(file) && !file.split('/').some((part) => part === '..');
  if (!isBelow) {
    return `${quoteValue(file)} is not a file next to the rule file; give a relative path such as "areas/bay.geojson".`;
  }
  const text = readText(file);
  if (text === undefined) return `There is no file ${file} next to the rule file.`;
  if (text.length > MAX_CHARACTERS) return `${file} has more than ${MAX_CHARACTERS} characters; simplify its outlines.`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `${file} is ${describeJsonFault(text)}.`;
  }
  const geometries = geometriesOf(value);
  const types = new Set(geometries.map(({ type }) => type));
  const [type] = types;
  if (types.size !== 1 || type === undefined) {
    const content = types.size === 0 ? 'no geometry' : [...types].join(' and ');
    return `${file} has ${content}; give GeoJSON with polygons, or with lines, or with points.`;
  }
  const lists = geometries.flatMap(({ coordinates }) => coordinates) as never[];
  if (type !== 'Polygon') return { type: `Multi${type}`, coordinates: lists };
  return mergePolygons(lists);
}

interface PlainGeometry {
  readonly type: 'Polygon' | 'LineString' | 'Point';
  /** One entry for each polygon, line or point. */
  readonly coordinates: readonly unknown[];
}

/** Flattens features and collections. Other content is left out. */
function geometriesOf(value: unknown, depth = 0): readonly PlainGeometry[] {
  if (!isObject(value) || depth > 8) return [];
  const { type } = value;
  if (type === 'FeatureCollection' || type === 'GeometryCollection') {
    const list = own(value, type === 'FeatureCollection' ? 'features' : 'geometries');
    return Array.isArray(list) ? list.flatMap((each) => geometriesOf(each, depth + 1)) : [];
  }
  if (type === 'Feature') return geometriesOf(own(value, 'geometry'), depth + 1);
  const { coordinates } = value;
  if (type === 'Polygon' || type === 'LineString' || type === 'Point')
    return [{ type, coordinates: [flat(coordinates)] }];
  if (!Array.isArray(coordinates)) return [];
  if (type === 'MultiPolygon') return [{ type: 'Polygon', coordinates: flat(coordinates) as unknown[] }];
  if (type === 'MultiLineString') return [{ type: 'LineString', coordinates: flat(coordinates) as unknown[] }];
  return type === 'MultiPoint' ? [{ type: 'Point', coordinates: flat(coordinates) as unknown[] }] : [];
}

/** Removes heights from positions. */
function flat(coordinates: unknown): unknown {
  if (!Array.isArray(coordinates)) return coordinates;
  if (coordinates.length > 2 && coordinates.every((each) => typeof each === 'number')) return coordinates.slice(0, 2);
  return coordinates.map(flat);
}

function mergePolygons(polygons: readonly PolygonCoordinates[]): Readonly<Record<string, unknown>> {
  const whole = { type: 'MultiPolygon', coordinates: polygons };
  if (polygons.length === 1) return { type: 'Polygon', coordinates: polygons[0] };
  try {
    const features = polygons.map((coordinates) => ({
      type: 'Feature',
      properties: {},
      geometry: { type: 'Polygon', coordinates },
    }));
    const merged = union({ type: 'FeatureCollection', features } as never)?.geometry;
    return merged ? { type: merged.type, coordinates: merged.coordinates } : whole;
  } catch {
    // Polygons that cross themselves cannot be merged; the check of the rule set reports the fault.
    return whole;
  }
}
