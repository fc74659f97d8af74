import { basename } from 'node:path';
import type { CoverageBox, Shoreline } from '@leeward/coast';
import {
  buildNationalShoreline,
  cuspShoreline,
  everyFeature,
  type FeatureMap,
  formatShorelineReport,
  isArchive,
  type MappedFile,
  nhdShoreline,
  readArchive,
  readShoreline,
  recognizeNationalFile,
  type ShorelineFile,
  stateAccuracy,
  tigerAreaWater,
  tigerCoastline,
} from '@leeward/coast-builder';
import { loadTideStations } from '@leeward/coastline-us';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import { describeMeasure } from './describe-measure.ts';
import { bytesOf } from './open-coast.ts';

export interface BuildOptions {
  readonly name: string;
  readonly kind: string;
  readonly layer: string;
  readonly shore: string;
  readonly tidalStreams?: string;
  readonly coverage: readonly CoverageBox[];
  readonly accuracyMeters?: number;
  readonly attribution?: string;
  readonly dataVersion?: string;
}

interface NamedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly attributes?: Uint8Array;
  readonly projection?: Uint8Array;
}

/** Attribute schemes. `land` and `water` are the inside of polygons. */
const KINDS = ['tiger-coastline', 'tiger-areawater', 'cusp', 'nhd', 'land', 'water'] as const;
type Kind = (typeof KINDS)[number];

/** Reads shore files and measures them at tide stations. Reports skipped parts on standard error. */
export async function buildShoreline(
  paths: readonly string[],
  options: BuildOptions,
  terminal: Terminal,
): Promise<Shoreline> {
  const files = paths.flatMap((file) => filesOf(file, terminal)).map((file) => ({ file, kind: kindOf(file, options) }));
  const stations = loadTideStations();
  const header = {
    name: options.name,
    coverage: options.coverage,
    ...(options.dataVersion === undefined ? {} : { version: options.dataVersion }),
    ...(options.attribution === undefined ? {} : { attribution: options.attribution }),
  };
  const { accuracyMeters } = options;
  // GeoJSON, TopoJSON or bare shapefiles of land have no attributes.
  if (files.every(({ kind }) => kind === 'land')) {
    const plain = files.map(
      ({ file }): ShorelineFile => ({ ...file, layers: [options.layer], shore: options.shore, polygons: 'land' }),
    );
    const { shoreline: lines, report } = await readShoreline(plain, header);
    terminal.writeError(`${formatShorelineReport(report)}\n`);
    const description =
      accuracyMeters === undefined
        ? undefined
        : { meters: accuracyMeters, method: 'as stated by the builder of this file' };
    const { shoreline, measure } = stateAccuracy(lines, stations, description);
    for (const line of describeMeasure(measure, shoreline)) terminal.writeError(`${line}\n`);
    return shoreline;
  }
  const mapped = files.map(({ file, kind }): MappedFile => ({ ...file, map: mapOf(kind, options) }));
  const { shoreline, report, ignored, measure } = await buildNationalShoreline(mapped, {
    ...header,
    stations,
    ...(accuracyMeters === undefined ? {} : { accuracyMeters }),
  });
  terminal.writeError(`${formatShorelineReport(report)}\n`);
  for (const [reason, count] of Object.entries(ignored)) terminal.writeError(`left out: ${count} ${reason}\n`);
  for (const line of describeMeasure(measure, shoreline)) terminal.writeError(`${line}\n`);
  return shoreline;
}

function kindOf({ name }: NamedFile, { kind }: BuildOptions): Kind {
  if (kind === 'auto') return recognizeNationalFile(name) ?? 'land';
  const knownKind = KINDS.find((each) => each === kind);
  if (knownKind !== undefined) return knownKind;
  throw new CommandError(`--kind is ${JSON.stringify(kind)}; give auto, ${KINDS.join(', ')}.`);
}

function mapOf(kind: Kind, { shore, layer, tidalStreams }: BuildOptions): FeatureMap {
  const streams = { tidalStreams: (tidalStreams ?? '').split(',').filter((name) => name.trim() !== '') };
  switch (kind) {
    case 'tiger-coastline':
      return tigerCoastline;
    case 'tiger-areawater':
      return tigerAreaWater({ shore, ...streams });
    case 'cusp':
      return cuspShoreline;
    case 'nhd':
      return nhdShoreline({ shore, ...streams });
    case 'land':
    case 'water':
      return everyFeature({ layers: [layer], shore, polygons: kind });
  }
}

/** A file (with the `.dbf` and `.prj` of a `.shp`), or shapefiles of an archive. */
function filesOf(file: string, terminal: Terminal): NamedFile[] {
  const bytes = bytesOf(file, terminal);
  if (isArchive(bytes)) return readArchive(bytes, basename(file));
  const name = basename(file);
  if (!/\.shp$/i.test(file)) return [{ name, bytes }];
  const attributes = companionOf(file, 'dbf', terminal);
  const projection = companionOf(file, 'prj', terminal);
  return [{ name, bytes, ...(attributes && { attributes }), ...(projection && { projection }) }];
}

function companionOf(file: string, extension: string, terminal: Terminal): Uint8Array | undefined {
  try {
    return bytesOf(file.replace(/\.shp$/i, `.${extension}`), terminal);
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}
