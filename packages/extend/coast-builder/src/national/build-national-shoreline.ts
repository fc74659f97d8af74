import { CoastError, type CoverageBox, type Shoreline } from '@leeward/coast';
import type { Feature, Position } from 'geojson';
import type { StationMeasure, StationPoint } from '../measure-at-stations.ts';
import { readShoreline, type ShorelineFile } from '../read-shoreline.ts';
import type { ShorelineReport } from '../shoreline-report.ts';
import { stateAccuracy } from '../state-accuracy.ts';
import { type FeatureFile, readFeatures } from './feature-file.ts';
import type { FeatureMap, FeatureRole } from './feature-role.ts';
import { WaterSeams } from './water-seams.ts';

/** A file and how to read its attributes. */
export interface MappedFile extends FeatureFile {
  readonly map: FeatureMap;
}

/** What a shoreline of national files is called, and whom its licence wants named. */
export interface NationalShorelineOptions {
  readonly name: string;
  readonly version?: string;
  readonly attribution?: string;
  /**
   * How far, in metres, these lines may lie from the shore (95 %). May be left out where the files say it of themselves (`HOR_ACC` of
   * CUSP): their 95th percentile is then taken; and where enough tide stations are given.
   */
  readonly accuracyMeters?: number;
  /** Tide stations to measure the lines at: what they tell stands in the header, and is the accuracy where nothing else says it. */
  readonly stations?: readonly StationPoint[];
  readonly accuracyMethod?: string;
  readonly coverage?: readonly CoverageBox[];
  readonly longestSegmentMeters?: number | false;
}

/** The shoreline, what was done to make it, and how many features of each kind were left out. */
export interface NationalShoreline {
  readonly shoreline: Shoreline;
  readonly report: ShorelineReport;
  /** Features left out, by reason. */
  readonly ignored: Readonly<Record<string, number>>;
  /** Undefined where no tide station stands there, or none was given. */
  readonly measure: StationMeasure | undefined;
}

type Shore = Extract<FeatureRole, { role: 'shore' }>;

/**
 * Builds one shoreline of files with attributes: TIGER/Line COASTLINE and AREAWATER, NOAA CUSP, any national file of
 * one's own mapping. Throws a `CoastError` if a file cannot be read, none holds a shore, or nothing tells the accuracy.
 */
export async function buildNationalShoreline(
  files: readonly MappedFile[],
  options: NationalShorelineOptions,
): Promise<NationalShoreline> {
  const seams = new WaterSeams();
  const shores: { feature: Feature; shore: Shore }[] = [];
  const ignored: Record<string, number> = Object.create(null) as Record<string, number>;
  for (const file of files) {
    for (const feature of await readFeatures(file)) {
      const role = file.map(feature.properties);
      if (role.role === 'ignored') ignored[role.reason] = (ignored[role.reason] ?? 0) + 1;
      else {
        if (role.role === 'open water' || role.polygons === 'water') for (const ring of rings(feature)) seams.add(ring);
        if (role.role === 'shore') shores.push({ feature, shore: role });
      }
    }
  }
  if (shores.length === 0) {
    throw new CoastError(
      'invalid_shoreline',
      `${options.name}: no feature of ${files.length} files is a shore; ${reasons(ignored)}`,
    );
  }
  const { shoreline, report } = await readShoreline(groupFiles(shores, seams), {
    name: options.name,
    ...(options.version !== undefined && { version: options.version }),
    ...(options.attribution !== undefined && { attribution: options.attribution }),
    ...(options.coverage !== undefined && { coverage: options.coverage }),
    ...(options.longestSegmentMeters !== undefined && { longestSegmentMeters: options.longestSegmentMeters }),
  });
  const stated = stateAccuracy(shoreline, options.stations ?? [], accuracyOf(shores, options));
  return { ...stated, report, ignored };
}

/** One GeoJSON for each combination of layers, water and meaning: what the builder of shorelines reads. */
function groupFiles(shores: readonly { feature: Feature; shore: Shore }[], seams: WaterSeams): ShorelineFile[] {
  const groups = new Map<string, { shore: Shore; features: Feature[] }>();
  for (const { feature, shore } of shores) {
    const key = JSON.stringify([shore.layers, shore.shore, shore.polygons]);
    const group = groups.get(key);
    const geometry = shore.polygons === 'water' ? shoresOfWater(feature, seams) : feature.geometry;
    const plain: Feature = { type: 'Feature', properties: {}, geometry };
    if (group === undefined) groups.set(key, { shore, features: [plain] });
    else group.features.push(plain);
  }
  return [...groups.values()].map(({ shore, features }) => ({
    name: `${shore.layers.join('+')} of ${shore.shore}`,
    bytes: new TextEncoder().encode(JSON.stringify({ type: 'FeatureCollection', features })),
    layers: shore.layers,
    shore: shore.shore,
    polygons: shore.polygons,
    // What is left of a polygon of water runs with the water on its left.
    ...(shore.polygons === 'water' && { water: 'left' as const }),
  }));
}

function shoresOfWater(feature: Feature, seams: WaterSeams): Feature['geometry'] {
  return { type: 'MultiLineString', coordinates: rings(feature).flatMap((ring) => seams.shores(ring)) };
}

/** The rings of a feature's polygons, what they enclose on the left: outer ones counter-clockwise, holes clockwise. */
function rings(feature: Feature): Position[][] {
  const { geometry } = feature;
  const polygons =
    geometry?.type === 'Polygon'
      ? [geometry.coordinates]
      : geometry?.type === 'MultiPolygon'
        ? geometry.coordinates
        : [];
  return polygons.flatMap((polygon) =>
    polygon.map((ring, index) => (signedArea(ring) > 0 === (index === 0) ? ring : ring.toReversed())),
  );
}

function signedArea(ring: readonly Position[]): number {
  let sum = 0;
  for (let i = 0; i + 1 < ring.length; i++) sum += ring[i]![0]! * ring[i + 1]![1]! - ring[i + 1]![0]! * ring[i]![1]!;
  return sum;
}

/** What the builder says, or half of the features of themselves. */
function accuracyOf(
  shores: readonly { shore: Shore }[],
  options: NationalShorelineOptions,
): { readonly meters: number; readonly method: string } | undefined {
  const { accuracyMeters, accuracyMethod } = options;
  if (accuracyMeters !== undefined) {
    return { meters: accuracyMeters, method: accuracyMethod ?? 'as stated by the builder of this file' };
  }
  const told = shores.flatMap(({ shore }) => shore.accuracyMeters ?? []).sort((a, b) => a - b);
  if (told.length < shores.length / 2) return undefined;
  const method = accuracyMethod ?? `95th percentile of what ${told.length} features tell`;
  return { meters: told[Math.floor(0.95 * told.length)]!, method };
}

function reasons(ignored: Readonly<Record<string, number>>): string {
  const all = Object.entries(ignored).map(([reason, count]) => `${count} ignored: ${reason}`);
  return all.length === 0 ? 'the files are empty' : all.join('; ');
}
