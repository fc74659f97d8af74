import { CoastError, type CoverageBox, checkShorelineHeader, type Shoreline } from '@leeward/coast';
import { assembleShoreline, type LayeredLines } from './assemble-shoreline.ts';
import { type CleanOptions, cleanLines } from './clean-lines.ts';
import { joinLines } from './join-lines.ts';
import { checkGeoJson, linesOfGeoJson } from './lines-of-geojson.ts';
import { isShapefile, linesOfShapefile } from './lines-of-shapefile.ts';
import { isTopology, linesOfTopoJson } from './lines-of-topojson.ts';
import type { PolygonMeaning, RawLine } from './raw-lines.ts';
import { measureShoreline, type ShorelineReport } from './shoreline-report.ts';

/** A file of shore: GeoJSON, TopoJSON or the `.shp` of a shapefile, told apart by what they hold. */
export interface ShorelineFile {
  /** For messages: usually the file's name. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The layers to which its lines belong; by default `tidal`. */
  readonly layers?: readonly string[];
  /** The name of its shore; by default `coast`. */
  readonly shore?: string;
  /** What its polygons enclose; by default land. */
  readonly polygons?: PolygonMeaning;
  /** On which side of its lines the water lies. Rings of polygons know it themselves. */
  readonly water?: 'left' | 'right';
  /** Which object of a topology to take, if it has several. */
  readonly object?: string;
}

/** What the shoreline that is read is called, and how its lines are mended. */
export interface ReadShorelineOptions extends CleanOptions {
  readonly name: string;
  readonly version?: string;
  readonly attribution?: string;
  /** The radius of accuracy in metres, by layer; 0 where it is not given. */
  readonly accuracyMeters?: Readonly<Record<string, number>>;
  readonly accuracyMethod?: string;
  readonly coverage?: readonly CoverageBox[];
}

/** Reads, cleans and joins files of shore. Nothing is read from disk: the caller brings the bytes. */
export async function readShoreline(
  files: readonly ShorelineFile[],
  options: ReadShorelineOptions,
): Promise<{ readonly shoreline: Shoreline; readonly report: ShorelineReport }> {
  if (files.length === 0) throw new CoastError('invalid_option', 'no file of shore was given: name at least one');
  const layered: LayeredLines[] = [];
  const measured: ShorelineReport['files'][number][] = [];
  for (const file of files) {
    const read = await linesOfFile(file);
    const { lines, dropped, longestSegmentMeters } = cleanLines(read, options);
    const joined = joinLines(lines);
    layered.push({ lines: joined, layers: file.layers ?? ['tidal'], shore: file.shore ?? 'coast' });
    measured.push({
      name: file.name,
      linesRead: read.length,
      linesKept: joined.length,
      dropped,
      longestSegmentMeters,
    });
  }
  const layerNames = [...new Set(layered.flatMap(({ layers }) => layers))];
  const accuracy = options.accuracyMeters ?? {};
  for (const layer of Object.keys(accuracy)) {
    if (layerNames.includes(layer)) continue;
    throw new CoastError(
      'invalid_option',
      `an accuracy for ${layer}, which no file has: layers are ${layerNames.join(', ')}`,
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
  let report: ShorelineReport | undefined;
  return {
    shoreline,
    // To measure every segment takes longer than to read them all: done where somebody asks for it.
    get report() {
      report ??= measureShoreline(shoreline, measured);
      return report;
    },
  };
}

async function linesOfFile(file: ShorelineFile): Promise<RawLine[]> {
  const lines = isShapefile(file.bytes)
    ? await linesOfShapefile(file.bytes, file.name, file.polygons)
    : linesOfJson(file);
  if (lines.length === 0) throw new CoastError('invalid_shoreline', `${file.name} holds no line and no polygon`);
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
