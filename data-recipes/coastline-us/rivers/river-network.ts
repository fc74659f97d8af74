import Delaunator from 'delaunator';
import type { LineSet } from '../line-set.ts';
import { SegmentGrid } from '../segment-grid.ts';
import type { AskShore } from './known-shore.ts';
import { mercatorDegrees, metersBetween } from './plane.ts';
import { type Entry, type Graph, type ShortestPaths, shortestPaths } from './shortest-paths.ts';

/** Cells of a river are nodes of the network: 280 m high, a few hundred steps from mouth to falls. */
const CELLS_PER_DEGREE = 400;
/** Joins nodes across gaps in the mapped areas: bridges, and rivers drawn as lines. */
const MAX_EDGE_METERS = 3_000;
/** A longer edge is a gap, and costs three times its length: a way along the river is preferred. */
const CLOSE_EDGE_METERS = 650;
const GAP_FACTOR = 3;
/** The tide enters at cells within this of a shore; beyond the first limit at the cost of a gap. */
const ENTRY_METERS = 3_000;
const CLOSE_ENTRY_METERS = 500;
/** Maximum distance of a station from its river. */
const SNAP_METERS = 1_000;

/** Rivers as a network of cells, with entries of the tide. */
export interface RiverNetwork {
  readonly rivers: LineSet;
  readonly graph: Graph;
  readonly entries: readonly Entry[];
  /** From the entries to each node. */
  readonly paths: ShortestPaths;
  nodesOf(vertex: number): readonly number[];
  nodesNear(longitude: number, latitude: number): readonly number[];
  /** Undefined without a river within 1 km. */
  segmentNear(longitude: number, latitude: number): number | undefined;
}

export function createRiverNetwork(rivers: LineSet, shore: AskShore): RiverNetwork {
  const cells = new Map<number, number>();
  const longitudes: number[] = [];
  const latitudes: number[] = [];
  const nodeOf = (longitude: number, latitude: number): number => {
    const [column, row] = cellAt(longitude, latitude);
    const cell = keyOf(column, row);
    let node = cells.get(cell);
    if (node === undefined) {
      node = longitudes.length;
      cells.set(cell, node);
      longitudes.push((column + 0.5) / CELLS_PER_DEGREE - 180);
      latitudes.push((row + 0.5) / CELLS_PER_DEGREE - 90);
    }
    return node;
  };
  const segmentNodes: (readonly number[])[] = [];
  const findNodes = (vertex: number): number[] => {
    const nodes: number[] = [];
    eachPlace(rivers, vertex, (longitude, latitude) => {
      const node = nodeOf(longitude, latitude);
      if (nodes.at(-1) !== node) nodes.push(node);
    });
    return nodes;
  };
  eachSegment(rivers, (vertex) => {
    segmentNodes[vertex] = findNodes(vertex);
  });
  const nodesOf = (vertex: number): readonly number[] => segmentNodes[vertex]!;
  const graph = join(longitudes, latitudes);
  const entries: Entry[] = [];
  for (let node = 0; node < longitudes.length; node++) {
    const known = shore(longitudes[node]!, latitudes[node]!);
    if (known === undefined || known.distanceMeters > ENTRY_METERS) continue;
    entries.push({ node, cost: gapCost(known.distanceMeters, CLOSE_ENTRY_METERS) });
  }
  const grid = new SegmentGrid(rivers, 0.02);
  return {
    rivers,
    graph,
    entries,
    paths: shortestPaths(graph, entries),
    nodesOf,
    nodesNear: (longitude, latitude) => {
      const { vertex } = grid.nearest(longitude, latitude, SNAP_METERS);
      if (vertex < 0) return [];
      const away = (node: number): number => metersBetween(longitude, latitude, longitudes[node]!, latitudes[node]!);
      return nodesOf(vertex).toSorted((one, other) => away(one) - away(other));
    },
    segmentNear: (longitude, latitude) => {
      const { vertex } = grid.nearest(longitude, latitude, SNAP_METERS);
      return vertex < 0 ? undefined : vertex;
    },
  };
}

/** Number of cells with a part of an accepted segment. */
export function countCells(lines: LineSet, accepts: (vertex: number) => boolean): number {
  const cells = new Set<number>();
  eachSegment(lines, (vertex) => {
    if (!accepts(vertex)) return;
    eachPlace(lines, vertex, (longitude, latitude) => cells.add(keyOf(...cellAt(longitude, latitude))));
  });
  return cells.size;
}

function cellAt(longitude: number, latitude: number): [column: number, row: number] {
  return [Math.floor((longitude + 180) * CELLS_PER_DEGREE), Math.floor((latitude + 90) * CELLS_PER_DEGREE)];
}

function keyOf(column: number, row: number): number {
  return row * 360 * CELLS_PER_DEGREE + column;
}

/** Places of a segment, half a cell apart. */
function eachPlace(
  { positions: p }: LineSet,
  vertex: number,
  visit: (longitude: number, latitude: number) => void,
): void {
  const [x, y] = [p[2 * vertex]!, p[2 * vertex + 1]!];
  const [dx, dy] = [p[2 * vertex + 2]! - x, p[2 * vertex + 3]! - y];
  const steps = Math.max(1, Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)) * CELLS_PER_DEGREE * 2));
  for (let step = 0; step <= steps; step++) visit(x + (dx * step) / steps, y + (dy * step) / steps);
}

export function eachSegment({ lineStarts }: LineSet, visit: (vertex: number) => void): void {
  for (let line = 0; line + 1 < lineStarts.length; line++)
    for (let vertex = lineStarts[line]!; vertex < lineStarts[line + 1]! - 1; vertex++) visit(vertex);
}

function gapCost(meters: number, closeMeters: number): number {
  return meters <= closeMeters ? meters : closeMeters + GAP_FACTOR * (meters - closeMeters);
}

/** Delaunay's edges up to a length, instead of all pairs. */
function join(longitudes: readonly number[], latitudes: readonly number[]): Graph {
  const plane = new Float64Array(2 * longitudes.length);
  for (let node = 0; node < longitudes.length; node++) {
    plane[2 * node] = longitudes[node]!;
    plane[2 * node + 1] = mercatorDegrees(latitudes[node]!);
  }
  const { triangles, halfedges } = new Delaunator(plane);
  const edges: (readonly [number, number, number])[] = [];
  const degrees = new Uint32Array(longitudes.length + 1);
  for (let edge = 0; edge < triangles.length; edge++) {
    if (edge < halfedges[edge]!) continue;
    const from = triangles[edge]!;
    const to = triangles[edge % 3 === 2 ? edge - 2 : edge + 1]!;
    const meters = metersBetween(longitudes[from]!, latitudes[from]!, longitudes[to]!, latitudes[to]!);
    if (meters > MAX_EDGE_METERS) continue;
    edges.push([from, to, gapCost(meters, CLOSE_EDGE_METERS)]);
    degrees[from]!++;
    degrees[to]!++;
  }
  const starts = new Uint32Array(longitudes.length + 1);
  for (let node = 0; node < longitudes.length; node++) starts[node + 1] = starts[node]! + degrees[node]!;
  const next = starts.slice();
  const targets = new Uint32Array(2 * edges.length);
  const costs = new Float64Array(2 * edges.length);
  for (const [from, to, cost] of edges) {
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      targets[next[one]!] = other;
      costs[next[one]!++] = cost;
    }
  }
  return { starts, targets, costs };
}
