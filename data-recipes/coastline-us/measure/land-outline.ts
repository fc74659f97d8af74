import { readFileSync } from 'node:fs';
import { buildCoastIndex, type Coast, createCoast, type GeographicPoint } from '@leeward/coast';

type Position = readonly [longitude: number, latitude: number];
interface Feature {
  readonly properties: Readonly<Record<string, unknown>> | null;
  readonly geometry:
    | { readonly type: 'Polygon'; readonly coordinates: readonly (readonly Position[])[] }
    | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly (readonly Position[])[])[] }
    | null;
}

const ROWS_PER_DEGREE = 100;

/** Land by another source: areas in degrees, whose common borders are not shore. */
export class LandOutline {
  /** Borders of a single area. */
  readonly shore: Coast;
  readonly bounds = { west: 180, south: 90, east: -180, north: -90 };
  readonly edges: number;
  readonly #rows = new Map<number, (readonly [Position, Position])[]>();

  /** From GeoJSON; undefined reads all areas. */
  constructor(path: string, names: readonly string[] | undefined) {
    const { features } = JSON.parse(readFileSync(path, 'utf8')) as { readonly features: readonly Feature[] };
    const edges = new Map<string, readonly [Position, Position]>();
    for (const { geometry, properties } of features) {
      if (geometry?.coordinates === undefined) continue;
      if (names !== undefined && !names.includes(String(properties?.['name']))) continue;
      const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
      for (const ring of polygons.flat()) {
        for (let at = 0; at + 1 < ring.length; at++) {
          const [from, to] = [ring[at]!, ring[at + 1]!];
          const key = [nameOf(from), nameOf(to)].sort().join(' ');
          // The second time, it is the neighbour's side of a common border.
          if (!edges.delete(key)) edges.set(key, [from, to]);
        }
      }
    }
    for (const edge of edges.values()) this.#enter(edge);
    this.edges = edges.size;
    const lines = [...edges.values()];
    this.shore = createCoast(
      buildCoastIndex({
        name: path,
        version: '',
        attribution: '',
        positions: Float64Array.from(lines.flat(2)),
        lineStarts: Uint32Array.from({ length: lines.length + 1 }, (_, line) => 2 * line),
        layerNames: ['tidal'],
        layers: new Uint16Array(2 * lines.length).fill(1),
        shoreNames: ['shore'],
        shores: new Uint8Array(2 * lines.length),
        water: 'unknown',
        accuracy: { radiusMeters: [0], method: '' },
        coverage: [],
      }),
    );
  }

  /** Counts edges to the east. */
  holds({ latitude, longitude }: GeographicPoint): boolean {
    let isInside = false;
    for (const [[x, y], [toX, toY]] of this.#rows.get(Math.floor(latitude * ROWS_PER_DEGREE)) ?? []) {
      if (y > latitude === toY > latitude) continue;
      if (x + ((latitude - y) / (toY - y)) * (toX - x) > longitude) isInside = !isInside;
    }
    return isInside;
  }

  #enter(edge: readonly [Position, Position]): void {
    const latitudes = edge.map(([, latitude]) => latitude);
    const [south, north] = [Math.min(...latitudes), Math.max(...latitudes)];
    for (let row = Math.floor(south * ROWS_PER_DEGREE); row <= Math.floor(north * ROWS_PER_DEGREE); row++) {
      const edges = this.#rows.get(row);
      if (edges === undefined) this.#rows.set(row, [edge]);
      else edges.push(edge);
    }
    for (const [longitude, latitude] of edge) {
      this.bounds.west = Math.min(this.bounds.west, longitude);
      this.bounds.east = Math.max(this.bounds.east, longitude);
      this.bounds.south = Math.min(this.bounds.south, latitude);
      this.bounds.north = Math.max(this.bounds.north, latitude);
    }
  }
}

function nameOf([longitude, latitude]: Position): string {
  return `${longitude.toFixed(6)},${latitude.toFixed(6)}`;
}
