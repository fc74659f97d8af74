/**
 * Fits the errors of accuracy classes on shores that are not shipped. The radius is a quantile of the error at places where the
 * drawn shore is the true one; the error quantiles include creeks that are not drawn. Regions have equal weights. Places that a river or gauge decides are left out.
 */
import { readFileSync } from 'node:fs';
import { type AccuracyClass, type AccuracyTable, decodeShoreline, type Shoreline } from '@leeward/coast';
import {
  coastlineUsFiles,
  createCoastlineUs,
  type TidalWaterBytes,
  type TidalWaterSource,
  tidalWaterFiles,
} from '@leeward/coastline-us';
import type { TruthRegion } from '../measure/truth-shores.ts';
import { SegmentGrid } from '../segment-grid.ts';
import { ACCURACY_CLASSES, classifyAccuracy, type SegmentClasses } from './classify-accuracy.ts';

export const PROBABILITIES: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.975, 0.99, 0.995,
];
/** The header of GSHHG has it, from corners of the Census outline. */
const GREAT_LAKES_METERS = 1_600;
/** At a larger error the drawn shore and the true one are different shores: one of the two lacks a creek. */
const SAME_SHORE_METERS = { osm: 150, gshhg: 600 };
const REACH_METERS = 40_000;
const GRID_DEGREES = 0.02;
/**
 * Share of the places of the same shore within the radius. Chosen on held-out regions: 0.92 for OSM as well would cover one to two percent
 * more places, and leave four percent more homes undecided at 1,000 feet.
 */
const RADIUS_SHARE = { osm: 0.9, gshhg: 0.92 };
/** Weight of places of other shores in the quantiles: rivers and gauges find some of these shores, and count separately. */
const OTHER_SHORE_WEIGHT = 0.3;
/** Fewer places of a class do not describe a region. */
const MIN_PLACES = 20;

/** The error of one place: true minus measured distance. */
export interface ClassError {
  readonly region: string;
  readonly accuracyClass: number;
  readonly errorMeters: number;
  /** Only for the radius: GSHHG where OSM has the same shore. */
  readonly isSuperseded: boolean;
}

export interface Shores {
  readonly bytes: { readonly osm: Uint8Array; readonly gshhg: Uint8Array };
  readonly osm: Shoreline;
  readonly gshhg: Shoreline;
  readonly classes: SegmentClasses;
}

export function readShores(): Shores {
  const bytes = { osm: readFileSync(coastlineUsFiles.osm), gshhg: readFileSync(coastlineUsFiles.gshhg) };
  const [osm, gshhg] = [decodeShoreline(bytes.osm), decodeShoreline(bytes.gshhg)];
  return { bytes, osm, gshhg, classes: classifyAccuracy(osm, gshhg) };
}

export function readWaterBytes(): TidalWaterBytes {
  const bytes: { [Source in TidalWaterSource]?: Uint8Array } = {};
  for (const source of Object.keys(tidalWaterFiles) as TidalWaterSource[]) {
    bytes[source] = readFileSync(tidalWaterFiles[source]);
  }
  return bytes;
}

export function collectErrors({ bytes, osm, gshhg, classes }: Shores, regions: readonly TruthRegion[]): ClassError[] {
  const grid = (shore: Shoreline, isKept: (vertex: number) => boolean) =>
    new SegmentGrid(shore, GRID_DEGREES, (vertex) => (shore.layers[vertex]! & 1) !== 0 && isKept(vertex));
  const osmGrid = grid(osm, () => true);
  const keptGrid = grid(gshhg, (vertex) => classes.superseded[vertex] === 0);
  const supersededGrid = grid(gshhg, (vertex) => classes.superseded[vertex] === 1);
  const coast = createCoastlineUs(bytes, readWaterBytes());
  const shoreNames = new Set(coast.datasets.slice(0, 2).map(({ name }) => name));
  const errors: ClassError[] = [];
  for (const { name: region, places } of regions) {
    for (const { point, trueMeters } of places) {
      const { longitude, latitude } = point;
      const [byOsm, byKept, bySuperseded] = [osmGrid, keptGrid, supersededGrid].map((shore) =>
        shore.nearest(longitude, latitude, REACH_METERS),
      ) as [Nearest, Nearest, Nearest];
      if (bySuperseded.vertex >= 0) {
        const errorMeters = trueMeters - bySuperseded.distanceMeters;
        errors.push({ region, accuracyClass: classes.gshhg[bySuperseded.vertex]!, errorMeters, isSuperseded: true });
      }
      if (!shoreNames.has(coast.nearest(point).decidedBy.distance)) continue;
      const isByOsm = byOsm.distanceMeters <= byKept.distanceMeters;
      const { vertex, distanceMeters } = isByOsm ? byOsm : byKept;
      const accuracyClass = (isByOsm ? classes.osm : classes.gshhg)[vertex]!;
      errors.push({ region, accuracyClass, errorMeters: trueMeters - distanceMeters, isSuperseded: false });
    }
  }
  return errors;
}

type Nearest = ReturnType<SegmentGrid['nearest']>;

/** @param exceptRegion holds a region out. */
export function fitClasses(errors: readonly ClassError[], exceptRegion?: string): AccuracyTable {
  const classes = ACCURACY_CLASSES.map((name, accuracyClass): AccuracyClass => {
    if (name === 'great lakes') return laplace(GREAT_LAKES_METERS);
    const own = weigh(errors.filter((row) => row.accuracyClass === accuracyClass && row.region !== exceptRegion));
    const source = name.startsWith('gshhg') ? 'gshhg' : 'osm';
    const maxMeters = SAME_SHORE_METERS[source];
    const drawn = own.filter(({ errorMeters }) => Math.abs(errorMeters) <= maxMeters);
    const radiusMeters = quantile(
      drawn.map(({ errorMeters, weight }) => ({ value: Math.abs(errorMeters), weight })),
      RADIUS_SHARE[source],
    );
    const signed = own
      .filter(({ isSuperseded, errorMeters }) => !isSuperseded || Math.abs(errorMeters) <= maxMeters)
      .map(({ errorMeters: value, weight }) => ({
        value,
        weight: Math.abs(value) <= maxMeters ? weight : OTHER_SHORE_WEIGHT * weight,
      }));
    const errorQuantilesMeters = PROBABILITIES.map((probability) => Math.round(quantile(signed, probability)));
    return { radiusMeters: Math.ceil(radiusMeters / 5) * 5, errorQuantilesMeters };
  });
  return { probabilities: PROBABILITIES, classes };
}

interface Weighed extends ClassError {
  readonly weight: number;
}

function weigh(errors: readonly ClassError[]): Weighed[] {
  const counts = new Map<string, number>();
  const keyOf = ({ region, isSuperseded }: ClassError) => `${region} ${isSuperseded}`;
  for (const error of errors) counts.set(keyOf(error), (counts.get(keyOf(error)) ?? 0) + 1);
  return errors
    .filter((error) => counts.get(keyOf(error))! >= MIN_PLACES)
    .map((error) => ({ ...error, weight: 1 / counts.get(keyOf(error))! }));
}

function quantile(values: readonly { readonly value: number; readonly weight: number }[], share: number): number {
  const sorted = values.toSorted((one, other) => one.value - other.value);
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let sum = 0;
  for (const { value, weight } of sorted) {
    sum += weight;
    if (sum >= share * total) return value;
  }
  throw new Error('No places of this class');
}

/** The distribution that the search takes for a radius alone. */
function laplace(radiusMeters: number): AccuracyClass {
  const scale = radiusMeters / Math.log(20);
  const errorQuantilesMeters = PROBABILITIES.map((probability) =>
    Math.round(probability < 0.5 ? scale * Math.log(2 * probability) : -scale * Math.log(2 * (1 - probability))),
  );
  return { radiusMeters, errorQuantilesMeters };
}
