/**
 * The edges of an area, in blocks.
 *
 * Edges are straight between longitudes and latitudes, as GeoJSON defines them. Neighbours along a line are near each other, so each
 * block of consecutive edges has a small bounding box. Searches for the nearest edge and counts of crossings skip blocks by their boxes:
 * about the square root of the number of edges is left.
 */
import { wrapDegrees } from '../request/property-location.ts';
import type { Area, Position } from './area.ts';

/** Numbers of one edge: two positions. */
export const EDGE = 4;
/** Numbers of one block: the bounding box as west, south, east, north. */
export const BLOCK = 4;

/** An area ready to be measured. */
export interface PreparedArea {
  readonly isFilled: boolean;
  readonly bufferMeters: number;
  /** `EDGE` numbers each, in degrees. Longitudes are continuous across the antimeridian. */
  readonly edges: Float64Array;
  readonly blocks: Float64Array;
  readonly edgesPerBlock: number;
  /** The middle of the bounding box, in degrees. */
  readonly middleLongitude: number;
}

const prepared = new WeakMap<Area, PreparedArea>();

/** Prepares an area once. */
export function preparedArea(area: Area): PreparedArea {
  let result = prepared.get(area);
  if (!result) {
    result = prepareArea(area);
    prepared.set(area, result);
  }
  return result;
}

const MIN_EDGES_PER_BLOCK = 8;

function prepareArea({ rings, lines, bufferMeters }: Area): PreparedArea {
  const isFilled = rings.length > 0;
  const all = isFilled ? rings : lines;
  const first = all[0]![0]![0];
  const place = (longitude: number) => first + wrapDegrees(longitude - first);
  const shared = isFilled ? sharedEdges(rings) : undefined;
  const numbers: number[] = [];
  for (const line of all) {
    if (line.length === 1) numbers.push(place(line[0]![0]), line[0]![1], place(line[0]![0]), line[0]![1]);
    for (let index = 1; index < line.length; index++) {
      const [a, b] = [line[index - 1]!, line[index]!];
      if (shared?.has(keyOf(a, b))) continue;
      numbers.push(place(a[0]), a[1], place(b[0]), b[1]);
    }
  }
  const edges = Float64Array.from(numbers);
  const count = edges.length / EDGE;
  const edgesPerBlock = Math.max(MIN_EDGES_PER_BLOCK, Math.ceil(Math.sqrt(count)));
  const blocks = new Float64Array(Math.ceil(count / edgesPerBlock) * BLOCK);
  let [west, east] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let block = 0; block < blocks.length / BLOCK; block++) {
    const box = [
      Number.POSITIVE_INFINITY,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ];
    const end = Math.min(count, (block + 1) * edgesPerBlock) * EDGE;
    for (let at = block * edgesPerBlock * EDGE; at < end; at += 2) {
      box[0] = Math.min(box[0]!, edges[at]!);
      box[1] = Math.min(box[1]!, edges[at + 1]!);
      box[2] = Math.max(box[2]!, edges[at]!);
      box[3] = Math.max(box[3]!, edges[at + 1]!);
    }
    blocks.set(box, block * BLOCK);
    west = Math.min(west, box[0]!);
    east = Math.max(east, box[2]!);
  }
  return { isFilled, bufferMeters, edges, blocks, edgesPerBlock, middleLongitude: (west + east) / 2 };
}

/** Edges that occur twice lie between neighbouring polygons, not on the border: they cancel in pairs. */
function sharedEdges(rings: readonly (readonly Position[])[]): ReadonlySet<string> | undefined {
  if (rings.length === 1) return undefined;
  const odd = new Set<string>();
  const shared = new Set<string>();
  for (const ring of rings) {
    for (let index = 1; index < ring.length; index++) {
      const key = keyOf(ring[index - 1]!, ring[index]!);
      if (odd.delete(key)) shared.add(key);
      else odd.add(key);
    }
  }
  for (const key of odd) shared.delete(key);
  return shared.size === 0 ? undefined : shared;
}

function keyOf(a: Position, b: Position): string {
  const isForward = a[0] < b[0] || (a[0] === b[0] && a[1] <= b[1]);
  const [from, to] = isForward ? [a, b] : [b, a];
  return `${from[0]} ${from[1]} ${to[0]} ${to[1]}`;
}
