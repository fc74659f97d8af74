import { CoastError, type CoverageBox, type Shoreline } from '@leeward/coast';
import { GeoJSONVT, type GeoJSONVTFeatureNonPoint } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { Feature, FeatureCollection, Position } from 'geojson';
import { areaOf, boundsOf, landPolygons } from './land-polygons.ts';

/** Shorelines of a map. */
export interface MapSource {
  /** Its land and water become polygons if the side of its water is known; its lines are drawn otherwise. */
  readonly shoreline: Shoreline;
  /** Lines only, in a layer by this name: for data of another licence. */
  readonly lines?: readonly { readonly layer: string; readonly lines: readonly Position[][] }[];
  /** Around the land that a gap of the shoreline must not cut. */
  readonly waypoints?: readonly Position[];
}

/** Zoom levels and area of a map. */
export interface MapTileOptions {
  /** @default 10, where a unit of a tile is 5 to 10 m */
  readonly maxZoom?: number;
  /** @default the area of the shoreline */
  readonly box?: CoverageBox;
}

/** Mapbox Vector Tile 2, uncompressed. */
export interface MapTile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly bytes: Uint8Array;
}

/** The tiles of a map. */
export interface MapTiles {
  /** Layers that occur in tiles. */
  readonly layers: readonly ('land' | 'water' | 'shore' | (string & {}))[];
  /** The box of the options, else of the coverage, else of the lines. */
  readonly bounds: CoverageBox;
  readonly maxZoom: number;
  /** Straight closings of the shoreline's gaps. */
  readonly gaps: { readonly count: number; readonly maxDegrees: number };
  /** From zoom 0 on. A tile that is left out has neither land nor shore: it is water, or beyond the data. */
  tiles(): Generator<MapTile>;
}

const EXTENT = 4096;
/** Around each tile, in its units, so that borders are not drawn. */
const BUFFER = 64;
/** In units of a tile. Vertices of the highest zoom stay. */
const TOLERANCE = 4;
const MAX_ZOOM = 14;

/**
 * Makes vector tiles of a shoreline: layers `land` and `water` (polygons) or `shore` (lines), and layers of lines of other sources.
 * @throws CoastError `invalid_option`.
 * @example
 * for (const { z, x, y, bytes } of createMapTiles({ shoreline }, { maxZoom: 8 }).tiles()) save(`${z}/${x}/${y}.pbf`, bytes);
 */
export function createMapTiles(source: MapSource, options: MapTileOptions = {}): MapTiles {
  const { maxZoom = 10, box = areaOf(source.shoreline) } = options;
  if (!Number.isInteger(maxZoom) || maxZoom < 0 || maxZoom > MAX_ZOOM) {
    throw new CoastError('invalid_option', `maxZoom is ${maxZoom}; give a whole number from 0 to ${MAX_ZOOM}`);
  }
  const land = landPolygons(source.shoreline, source.waypoints);
  const cut = (features: Feature[]): GeoJSONVT =>
    new GeoJSONVT({ type: 'FeatureCollection', features } satisfies FeatureCollection, {
      maxZoom,
      indexMaxZoom: 0,
      tolerance: TOLERANCE,
      extent: EXTENT,
      buffer: BUFFER,
    });
  const polygons = land && cut(land.polygons.map((coordinates) => featureOf({ type: 'Polygon', coordinates })));
  const lineLayers = [
    ...(land === undefined ? [{ layer: 'shore', lines: linesOf(source.shoreline) }] : []),
    ...(source.lines ?? []),
  ].map(({ layer, lines }) => ({
    layer,
    index: cut(lines.map((coordinates) => featureOf({ type: 'LineString', coordinates }))),
  }));
  // Left out of the lower zoom levels.
  const small = [
    ...(land?.polygons ?? []).map(([ring = []]) => ring),
    ...(land === undefined ? linesOf(source.shoreline) : []),
    ...(source.lines ?? []).flatMap(({ lines }) => lines),
  ]
    .map(boundsOf)
    .filter((each) => isSmall(each, 0));
  return {
    layers: [...(land === undefined ? [] : ['land', 'water']), ...lineLayers.map(({ layer }) => layer)],
    bounds: box,
    maxZoom,
    gaps: { count: land?.gaps ?? 0, maxDegrees: land?.maxGapDegrees ?? 0 },
    *tiles() {
      const waiting = [{ z: 0, x: 0, y: 0 }];
      for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
        const { z, x, y } = at;
        const layers: Record<string, { features: GeoJSONVTFeatureNonPoint[] }> = {};
        const rings = polygons === undefined ? [] : geometries(polygons, at);
        if (rings.length > 0) {
          layers['land'] = layerOf(3, rings);
          const water = waterOf(rings);
          if (water.length > 0) layers['water'] = layerOf(3, water);
        }
        for (const { layer, index } of lineLayers) {
          const lines = geometries(index, at);
          if (lines.length > 0) layers[layer] = layerOf(2, lines);
        }
        if (Object.keys(layers).length > 0) {
          yield { z, x, y, bytes: fromGeojsonVt(layers, { version: 2, extent: EXTENT }) };
        } else if (!small.some((each) => isSmall(each, z) && meets(at!, each))) continue;
        if (z === maxZoom) continue;
        for (const [right, down] of [
          [1, 1],
          [0, 1],
          [1, 0],
          [0, 0],
        ] as const) {
          const child = { z: z + 1, x: 2 * x + right, y: 2 * y + down };
          if (meets(child, box)) waiting.push(child);
        }
      }
    },
  };
}

function featureOf<Shape extends Feature['geometry']>(geometry: Shape): Feature<Shape> {
  return { type: 'Feature', properties: {}, geometry };
}

function linesOf({ positions, lineStarts }: Shoreline): Position[][] {
  return Array.from({ length: lineStarts.length - 1 }, (_, line) =>
    Array.from({ length: lineStarts[line + 1]! - lineStarts[line]! }, (__, vertex) => {
      const at = 2 * (lineStarts[line]! + vertex);
      return [positions[at]!, positions[at + 1]!];
    }),
  );
}

type Geometry = [number, number][][];

/** One feature a layer takes the fewest bytes. */
function layerOf(type: 2 | 3, geometry: Geometry): { features: GeoJSONVTFeatureNonPoint[] } {
  return { features: [{ type, tags: {}, geometry }] };
}

function geometries(index: GeoJSONVT, { z, x, y }: { z: number; x: number; y: number }): Geometry {
  const features = (index.getTile(z, x, y)?.features ?? []) as GeoJSONVTFeatureNonPoint[];
  return features.flatMap(({ geometry }) => geometry);
}

/** The square of the tile, with its land as holes; none if the land fills it. */
function waterOf(land: Geometry): Geometry {
  const low = -BUFFER;
  const high = EXTENT + BUFFER;
  const square: [number, number][] = [
    [low, low],
    [high, low],
    [high, high],
    [low, high],
    [low, low],
  ];
  if (land.length === 1 && isSquare(land[0]!, low, high)) return [];
  return nested(square, land);
}

function isSquare(ring: readonly (readonly [number, number])[], low: number, high: number): boolean {
  const isOnEdge = ([x, y]: readonly [number, number]): boolean => x === low || x === high || y === low || y === high;
  if (!ring.every(isOnEdge)) return false;
  return Math.abs(ringArea(ring)) === 2 * (high - low) ** 2;
}

/** Lakes are separate polygons of water, after the square and its holes. */
function nested(square: [number, number][], land: Geometry): Geometry {
  const outer = land.filter((ring) => ringArea(ring) > 0);
  const lakes = land.filter((ring) => ringArea(ring) < 0);
  return [square, ...outer.map((ring) => ring.toReversed()), ...lakes.map((ring) => ring.toReversed())];
}

/** Doubled. Positive for outer rings of tiles, whose y grows to the south. */
function ringArea(ring: readonly (readonly [number, number])[]): number {
  let sum = 0;
  for (let at = 1; at < ring.length; at++) {
    sum += ring[at - 1]![0] * ring[at]![1] - ring[at]![0] * ring[at - 1]![1];
  }
  return sum;
}

/** Smaller than the tolerance of simplification, with a margin. */
function isSmall({ west, south, east, north }: CoverageBox, z: number): boolean {
  return (Math.max(east - west, 2 * (north - south)) / 360) * 2 ** z * EXTENT < 4 * TOLERANCE;
}

function meets({ z, x, y }: { z: number; x: number; y: number }, { west, south, east, north }: CoverageBox): boolean {
  const size = 2 ** z;
  const longitudeOf = (column: number): number => (column / size) * 360 - 180;
  const latitudeOf = (row: number): number => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / size))) * 180) / Math.PI;
  return longitudeOf(x) < east && longitudeOf(x + 1) > west && latitudeOf(y) > south && latitudeOf(y + 1) < north;
}
