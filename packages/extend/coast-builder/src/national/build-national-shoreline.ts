import { CoastError, type CoverageBox, type Shoreline } from '@leeward/coast';
import type { Feature, Position } from 'geojson';
import type { StationMeasure, StationPoint } from '../measure-at-stations.ts';
import { readShoreline, type ShorelineFile } from '../read-shoreline.ts';
import type { ShorelineReport } from '../shoreline-report.ts';
import { stateAccuracy } from '../state-accuracy.ts';
import { type FeatureFile, readFeatures } from './feature-file.ts';
import type { FeatureMap, FeatureRole } from './feature-role.ts';

/** With the function that reads its attributes. */
export interface MappedFile extends FeatureFile {
  readonly map: FeatureMap;
}

/** Header of a national shoreline, and the measurement of its lines. */
export interface NationalShorelineOptions {
  readonly name: string;
  /** @default '1' */
  readonly version?: string;
  /** @default '' */
  readonly attribution?: string;
  /**
   * Radius in meters (95 %). @default the 95th percentile of the accuracies in the files (`HOR_ACC` of CUSP), else the measure at
   * `stations`
   */
  readonly accuracyMeters?: number;
  /** Measured into the header. @default none */
  readonly stations?: readonly StationPoint[];
  /** @default a description of the source of the accuracy */
  readonly accuracyMethod?: string;
  /** Boxes in which the files are complete. @default unlimited */
  readonly coverage?: readonly CoverageBox[];
  /** @default as for `readShoreline` */
  readonly maxSegmentMeters?: number | false;
}

/** A national shoreline and how it was built. */
export interface NationalShoreline {
  readonly shoreline: Shoreline;
  readonly report: ShorelineReport;
  /** Features by reason. */
  readonly ignored: Readonly<Record<string, number>>;
  /** Undefined without a tide station in the area. */
  readonly measure: StationMeasure | undefined;
}

type Shore = Extract<FeatureRole, { role: 'shore' }>;

/**
 * Builds one shoreline from files with attributes. @throws CoastError if a file cannot be read, no feature is a shore, or the accuracy
 * is unknown.
 * @example
 * const files = [{ name: 'coastline.shp', bytes, attributes, map: tigerCoastline }];
 * const { shoreline } = await buildNationalShoreline(files, { name: 'tiger-2025', accuracyMeters: 50 });
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
    throw new CoastError('invalid_shoreline', `${options.name}: none of the features is a shore; ${reasons(ignored)}`);
  }
  const { shoreline, report } = await readShoreline(groupFiles(shores, seams), {
    name: options.name,
    ...(options.version !== undefined && { version: options.version }),
    ...(options.attribution !== undefined && { attribution: options.attribution }),
    ...(options.coverage !== undefined && { coverage: options.coverage }),
    ...(options.maxSegmentMeters !== undefined && { maxSegmentMeters: options.maxSegmentMeters }),
  });
  const stated = stateAccuracy(shoreline, options.stations ?? [], accuracyOf(shores, options));
  return { ...stated, report, ignored };
}

/** By layers, name and meaning, for `readShoreline`. */
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
    // Parts of rings of water have the water on their left.
    ...(shore.polygons === 'water' && { water: 'left' as const }),
  }));
}

function shoresOfWater(feature: Feature, seams: WaterSeams): Feature['geometry'] {
  return { type: 'MultiLineString', coordinates: rings(feature).flatMap((ring) => seams.shores(ring)) };
}

/** Outer rings counterclockwise, holes clockwise. */
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

/** By the options, or the features if at least half of them have an accuracy. */
function accuracyOf(
  shores: readonly { shore: Shore }[],
  options: NationalShorelineOptions,
): { readonly meters: number; readonly method: string } | undefined {
  const { accuracyMeters, accuracyMethod } = options;
  if (accuracyMeters !== undefined) {
    return { meters: accuracyMeters, method: accuracyMethod ?? 'as stated by the builder of this file' };
  }
  const accuracies = shores.flatMap(({ shore }) => shore.accuracyMeters ?? []).sort((a, b) => a - b);
  if (accuracies.length < shores.length / 2) return undefined;
  const method = accuracyMethod ?? `95th percentile of the accuracies of ${accuracies.length} features`;
  return { meters: accuracies[Math.floor(0.95 * accuracies.length)]!, method };
}

function reasons(ignored: Readonly<Record<string, number>>): string {
  const all = Object.entries(ignored).map(([reason, count]) => `${count} ignored: ${reason}`);
  return all.length === 0 ? 'the files are empty' : all.join('; ');
}

/** Removes seams between polygons of water: `add` counts the sides of all rings, `shores` then cuts the shared ones out of a ring. */
class WaterSeams {
  readonly #sides = new Map<string, number>();

  add(ring: readonly Position[]): void {
    for (let i = 0; i + 1 < ring.length; i++) {
      const key = sideKey(ring[i]!, ring[i + 1]!);
      this.#sides.set(key, (this.#sides.get(key) ?? 0) + 1);
    }
  }

  /** In its direction. */
  shores(ring: readonly Position[]): Position[][] {
    const parts: Position[][] = [];
    let part: Position[] = [];
    for (let i = 0; i + 1 < ring.length; i++) {
      if (this.#sides.get(sideKey(ring[i]!, ring[i + 1]!))! > 1) {
        if (part.length > 1) parts.push(part);
        part = [];
        continue;
      }
      if (part.length === 0) part.push(ring[i]!);
      part.push(ring[i + 1]!);
    }
    if (part.length > 1) parts.push(part);
    return parts;
  }
}

/** Equal for a side and its reverse. */
function sideKey(a: Position, b: Position): string {
  const one = `${a[0]},${a[1]}`;
  const other = `${b[0]},${b[1]}`;
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}
