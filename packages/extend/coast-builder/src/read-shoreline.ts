import {
  CoastError,
  type CoverageBox,
  checkShorelineHeader,
  isCovered,
  type Shoreline,
  type ShorelineHeader,
} from '@leeward/coast';
import { feature, merge } from 'topojson-client';
import type { GeometryObject, Topology } from 'topojson-specification';
import { checkAxes } from './check-axes.ts';
import { checkBytes } from './check-bytes.ts';
import { type CleanOptions, cleanLines } from './clean-lines.ts';
import { joinLines } from './join-lines.ts';
import { checkGeoJson, linesOfGeoJson } from './lines-of-geojson.ts';
import { isShapefile, linesOfShapefile } from './lines-of-shapefile.ts';
import type { PolygonMeaning, RawLine } from './raw-lines.ts';
import { measureShoreline, type ShorelineReport } from './shoreline-report.ts';

/** GeoJSON, TopoJSON or a `.shp`, recognized by its content. */
export interface ShorelineFile {
  /** For messages, usually the file's name. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The `.prj` of a `.shp`. @default degrees on WGS84 */
  readonly projection?: Uint8Array;
  /** @default ['tidal'] */
  readonly layers?: readonly string[];
  /** @default 'coast' */
  readonly shore?: string;
  /** Area that its polygons enclose. @default 'land' */
  readonly polygons?: PolygonMeaning;
  /** Side of its lines; polygons do not need it. @default unknown */
  readonly water?: 'left' | 'right';
  /** In a topology. @default its only object */
  readonly object?: string;
}

/** Header of the shoreline, and cleaning of its lines. */
export interface ReadShorelineOptions extends CleanOptions {
  readonly name: string;
  /** @default '1' */
  readonly version?: string;
  /** @default '' */
  readonly attribution?: string;
  /** Radius (95 %) in meters, by layer. @default 0 for each layer */
  readonly accuracyMeters?: Readonly<Record<string, number>>;
  /** @default 'not measured' */
  readonly accuracyMethod?: string;
  /** Boxes in which the files are complete. @default unlimited */
  readonly coverage?: readonly CoverageBox[];
}

/**
 * Reads, cleans and joins files of shore. @throws CoastError `invalid_shoreline` or `invalid_option`.
 * @example
 * const { shoreline, report } = await readShoreline([{ name: 'bay.geojson', bytes }], { name: 'bay' });
 */
export async function readShoreline(
  files: readonly ShorelineFile[],
  options: ReadShorelineOptions,
): Promise<{ readonly shoreline: Shoreline; readonly report: ShorelineReport }> {
  if (files.length === 0) throw new CoastError('invalid_option', 'files is empty: give at least one file of shore');
  const layered: LayeredLines[] = [];
  const fileReports: ShorelineReport['files'][number][] = [];
  const readFiles: { readonly file: ShorelineFile; readonly name: string; readonly lines: RawLine[] }[] = [];
  for (const file of files) readFiles.push({ file, name: file.name, lines: await linesOfFile(file) });
  checkAxes(readFiles, options.coverage ?? []);
  for (const { file, lines: read } of readFiles) {
    const { lines, dropped, maxSegmentMeters } = cleanLines(read, options);
    const joined = joinLines(lines);
    layered.push({ lines: joined, layers: file.layers ?? ['tidal'], shore: file.shore ?? 'coast' });
    fileReports.push({
      name: file.name,
      linesRead: read.length,
      linesKept: joined.length,
      dropped,
      maxSegmentMeters,
    });
  }
  const layerNames = [...new Set(layered.flatMap(({ layers }) => layers))];
  const accuracy = options.accuracyMeters ?? {};
  for (const layer of Object.keys(accuracy)) {
    if (layerNames.includes(layer)) continue;
    throw new CoastError(
      'invalid_option',
      `accuracyMeters names the layer ${layer}; the files have ${layerNames.join(', ')}`,
    );
  }
  const header = checkShorelineHeader({
    name: options.name,
    version: options.version ?? '1',
    attribution: options.attribution ?? '',
    layerNames,
    shoreNames: [...new Set(layered.map(({ shore }) => shore))],
    water: 'unknown',
    accuracy: {
      radiusMeters: layerNames.map((layer) => (Object.hasOwn(accuracy, layer) ? accuracy[layer] : 0)),
      method: options.accuracyMethod ?? 'not measured',
    },
    coverage: options.coverage ?? [],
  });
  const shoreline = assembleShoreline(header, layered);
  checkCoverage(shoreline);
  let report: ShorelineReport | undefined;
  return {
    shoreline,
    // On first use: measuring takes longer than reading the files.
    get report() {
      report ??= measureShoreline(shoreline, fileReports);
      return report;
    },
  };
}

/** Throws `invalid_option` if no vertex is in the coverage: nothing could be answered. */
function checkCoverage({ name, positions, coverage }: Shoreline): void {
  if (coverage.length === 0) return;
  for (let at = 0; at < positions.length; at += 2) {
    if (isCovered(coverage, positions[at + 1]!, positions[at]!)) return;
  }
  throw new CoastError(
    'invalid_option',
    `${name}: none of the lines is in the coverage; the first is at longitude ${positions[0]}, latitude ${positions[1]}`,
  );
}

async function linesOfFile(file: ShorelineFile): Promise<RawLine[]> {
  checkBytes(file);
  const lines = isShapefile(file.bytes)
    ? await linesOfShapefile(file.bytes, file.name, file.polygons)
    : linesOfJson(file);
  if (lines.length === 0) throw new CoastError('invalid_shoreline', `${file.name} has neither lines nor polygons`);
  const { water } = file;
  return water === undefined ? lines : lines.map((line) => (line.water === 'unknown' ? { ...line, water } : line));
}

function linesOfJson({ name, bytes, object, polygons }: ShorelineFile): RawLine[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new CoastError(
      'invalid_shoreline',
      `${name}: neither JSON nor a shapefile (${error instanceof Error ? error.message : error})`,
    );
  }
  if (isTopology(parsed)) return linesOfTopoJson(parsed, name, object, polygons);
  checkGeoJson(parsed, name);
  return linesOfGeoJson(parsed, polygons);
}

type PolygonObject = Extract<GeometryObject, { type: 'Polygon' | 'MultiPolygon' }>;

/** The name may be omitted for a single object. A collection of polygons, such as states, is merged to remove inner borders. */
function linesOfTopoJson(
  topology: Topology,
  name: string,
  objectName: string | undefined,
  polygons: PolygonMeaning = 'land',
): RawLine[] {
  const names = Object.keys(topology.objects ?? {});
  const chosen = objectName ?? (names.length === 1 ? names[0] : undefined);
  if (chosen === undefined || !names.includes(chosen)) {
    throw new CoastError(
      'invalid_shoreline',
      `${name}: ${objectName === undefined ? 'name the object to take' : `no object ${JSON.stringify(objectName)}`}: it has ${names.join(', ')}`,
    );
  }
  const object = topology.objects[chosen]!;
  const parts = object.type === 'GeometryCollection' ? object.geometries : [object];
  const areas = parts.filter((part): part is PolygonObject => part.type === 'Polygon' || part.type === 'MultiPolygon');
  const geojson =
    areas.length === parts.length && areas.length > 1 ? merge(topology, areas) : feature(topology, object);
  checkGeoJson(geojson, `${name} (${chosen})`);
  return linesOfGeoJson(geojson, polygons);
}

function isTopology(parsed: unknown): parsed is Topology {
  return typeof parsed === 'object' && parsed !== null && (parsed as { type?: unknown }).type === 'Topology';
}

interface LayeredLines {
  readonly lines: readonly RawLine[];
  readonly layers: readonly string[];
  readonly shore: string;
}

/** Reverses lines with the water on their left, so that it is on the right of all. One unknown side makes the shoreline's side unknown. */
function assembleShoreline(header: ShorelineHeader, layered: readonly LayeredLines[]): Shoreline {
  const all = layered.flatMap(({ lines }) => lines);
  const vertices = all.reduce((sum, line) => sum + line.positions.length, 0);
  if (vertices === 0) {
    throw new CoastError('invalid_shoreline', `${header.name}: all lines were dropped; see the report for the reasons`);
  }
  const isSideKnown = all.every((line) => line.water !== 'unknown');
  const positions = new Float64Array(vertices * 2);
  const lineStarts = new Uint32Array(all.length + 1);
  const layers = new Uint16Array(vertices);
  const shores = new Uint8Array(vertices);
  let vertex = 0;
  let number = 0;
  for (const { lines, layers: names, shore } of layered) {
    const mask = names.reduce((sum, name) => sum | (1 << header.layerNames.indexOf(name)), 0);
    const shoreNumber = header.shoreNames.indexOf(shore);
    for (const line of lines) {
      const ordered = isSideKnown && line.water === 'left' ? line.positions.toReversed() : line.positions;
      for (const [longitude = 0, latitude = 0] of ordered) {
        positions[vertex * 2] = longitude;
        positions[vertex * 2 + 1] = latitude;
        layers[vertex] = mask;
        shores[vertex] = shoreNumber;
        vertex++;
      }
      lineStarts[++number] = vertex;
    }
  }
  return { ...header, water: isSideKnown ? 'right' : 'unknown', positions, lineStarts, layers, shores };
}
