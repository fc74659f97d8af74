/**
 * Shores of other sources, to measure the shipped ones. A folder has one GeoJSON file per region, with features of a `kind`:
 * `shore` (lines), `land` (polygons), and `border` (lines where the knowledge of the shore ends). Sampling takes minutes: its result is
 * kept in the folder as `places.json`.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildCoastIndex, type Coast, createCoast, type GeographicPoint } from '@leeward/coast';
import { createRandom } from '../../../test/support/random.ts';
import { LineSetBuilder } from '../line-set.ts';

/** A place on land with its true distance from the shore. */
export interface TruePlace {
  readonly point: GeographicPoint;
  readonly trueMeters: number;
}

export interface TruthRegion {
  readonly name: string;
  readonly places: readonly TruePlace[];
}

type Position = readonly [longitude: number, latitude: number];
interface Feature {
  readonly properties: { readonly kind: 'shore' | 'land' | 'border' };
  readonly geometry: { readonly coordinates: readonly unknown[] };
}

/** Strata by true distance, so that most places are near the shore, where limits are. */
const STRATA: readonly (readonly [minMeters: number, maxMeters: number, places: number])[] = [
  [0, 610, 400],
  [610, 2_000, 300],
  [2_000, 8_000, 300],
];
const MAX_TRIES = 150_000;
const CACHE = 'places.json';
const ROWS_PER_DEGREE = 100;

export function readTruths(folder: string): TruthRegion[] {
  const cache = join(folder, CACHE);
  if (existsSync(cache)) return JSON.parse(readFileSync(cache, 'utf8')) as TruthRegion[];
  const regions = readdirSync(folder)
    .filter((file) => file.endsWith('.geojson'))
    .sort()
    .map((file) => ({ name: file.replace('.geojson', ''), places: samplePlaces(join(folder, file)) }));
  writeFileSync(cache, JSON.stringify(regions));
  return regions;
}

function samplePlaces(path: string): TruePlace[] {
  const { features } = JSON.parse(readFileSync(path, 'utf8')) as { readonly features: readonly Feature[] };
  const linesOf = (kind: Feature['properties']['kind']): Position[][] =>
    features
      .filter(({ properties }) => properties.kind === kind)
      .flatMap(({ geometry }) => lines(geometry.coordinates));
  const land = new LandRows(linesOf('land'));
  const shore = coastOf(path, linesOf('shore'));
  const borderLines = linesOf('border');
  const border = borderLines.length === 0 ? undefined : coastOf(path, borderLines);
  const { west, south, east, north } = land.bounds;
  const random = createRandom(45);
  const counts = STRATA.map(() => 0);
  const places: TruePlace[] = [];
  for (let tries = 0; tries < MAX_TRIES && counts.some((count, at) => count < STRATA[at]![2]); tries++) {
    const point = { longitude: west + random() * (east - west), latitude: south + random() * (north - south) };
    if (!land.holds(point)) continue;
    const { distanceMeters } = shore.nearest(point);
    const stratum = STRATA.findIndex(([min, max]) => distanceMeters > min && distanceMeters <= max);
    if (stratum < 0 || counts[stratum]! >= STRATA[stratum]![2]) continue;
    if (border !== undefined && border.nearest(point).distanceMeters <= distanceMeters) continue;
    counts[stratum]!++;
    places.push({ point, trueMeters: distanceMeters });
  }
  return places;
}

function coastOf(name: string, positions: readonly (readonly Position[])[]): Coast {
  const builder = new LineSetBuilder();
  for (const line of positions) {
    for (const [longitude, latitude] of line) builder.addVertex(longitude, latitude);
    builder.endLine();
  }
  const lineSet = builder.finish();
  const count = lineSet.positions.length / 2;
  return createCoast(
    buildCoastIndex({
      ...lineSet,
      name,
      version: '',
      attribution: '',
      layerNames: ['tidal'],
      layers: new Uint16Array(count).fill(1),
      shoreNames: ['shore'],
      shores: new Uint8Array(count),
      water: 'unknown',
      accuracy: { radiusMeters: [0], method: '' },
      coverage: [],
    }),
  );
}

/** Lines of coordinates of any depth. */
function lines(coordinates: readonly unknown[]): Position[][] {
  const isLine = Array.isArray(coordinates[0]) && typeof coordinates[0][0] === 'number';
  return isLine ? [coordinates as Position[]] : coordinates.flatMap((part) => lines(part as readonly unknown[]));
}

/** Counts edges to the east. */
class LandRows {
  readonly bounds = { west: 180, south: 90, east: -180, north: -90 };
  readonly #rows = new Map<number, (readonly [Position, Position])[]>();

  constructor(rings: readonly (readonly Position[])[]) {
    for (const ring of rings) for (let at = 0; at + 1 < ring.length; at++) this.#enter(ring[at]!, ring[at + 1]!);
  }

  holds({ latitude, longitude }: GeographicPoint): boolean {
    let isInside = false;
    for (const [[x, y], [toX, toY]] of this.#rows.get(Math.floor(latitude * ROWS_PER_DEGREE)) ?? []) {
      if (y > latitude === toY > latitude) continue;
      if (x + ((latitude - y) / (toY - y)) * (toX - x) > longitude) isInside = !isInside;
    }
    return isInside;
  }

  #enter(from: Position, to: Position): void {
    const [south, north] = [Math.min(from[1], to[1]), Math.max(from[1], to[1])];
    for (let row = Math.floor(south * ROWS_PER_DEGREE); row <= Math.floor(north * ROWS_PER_DEGREE); row++) {
      const edges = this.#rows.get(row);
      if (edges === undefined) this.#rows.set(row, [[from, to]]);
      else edges.push([from, to]);
    }
    for (const [longitude, latitude] of [from, to]) {
      this.bounds.west = Math.min(this.bounds.west, longitude);
      this.bounds.east = Math.max(this.bounds.east, longitude);
      this.bounds.south = Math.min(this.bounds.south, latitude);
      this.bounds.north = Math.max(this.bounds.north, latitude);
    }
  }
}
