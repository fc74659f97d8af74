/**
 * Compares two drawings of one coast. A segment of the check that the preferred shoreline draws better is superseded: another segment
 * runs near its middle in the same direction, with the water on the same side. The banks of an inlet that the preferred shoreline lacks
 * run across its shore, so they stay even if the inlet is shorter than the reach.
 */
import type { Shoreline } from '@leeward/coast';
import { wrapDegrees } from '../line-set.ts';
import { SegmentGrid } from '../segment-grid.ts';

const RADIANS = Math.PI / 180;
export const METERS_PER_DEGREE = 111_195;
const CELL_DEGREES = 0.02;
/** Reach of a segment in the same direction. */
const COURSE_REACH_METERS = 600;
const MAX_TURN = 60 * RADIANS;
/** A segment so near is a drawing of the same shore in any direction: wiggles. */
const ANY_REACH_METERS = 150;

/** Matches of the segment that starts at a vertex. Infinity if there is none, NaN for other vertices. */
export interface Matches {
  /** Distance of the nearest segment in the same direction from its middle, in meters. */
  readonly distances: Float32Array;
  readonly superseded: Uint8Array;
}

/** Segments of `shore` that have a segment of `other` near them. Both have the water on the same side. */
export function matchShores(shore: Shoreline, other: Shoreline, layer: string): Matches {
  const bit = layerBit(other, layer);
  const courses = coursesOf(other);
  const grid = new SegmentGrid(other, CELL_DEGREES, (vertex) => (other.layers[vertex]! & bit) !== 0);
  const ownCourses = coursesOf(shore);
  const count = shore.layers.length;
  const matches = { distances: new Float32Array(count).fill(Number.NaN), superseded: new Uint8Array(count) };
  for (const vertex of segmentsOf(shore, layer)) {
    const [longitude, latitude] = middleOf(shore, vertex);
    const own = ownCourses[vertex]!;
    const isSameCourse = (candidate: number) => turnBetween(own, courses[candidate]!) <= MAX_TURN;
    const same = grid.nearest(longitude, latitude, COURSE_REACH_METERS, isSameCourse).distanceMeters;
    matches.distances[vertex] = same;
    const isNear = same < Number.POSITIVE_INFINITY || grid.nearest(longitude, latitude, ANY_REACH_METERS).vertex >= 0;
    matches.superseded[vertex] = Number(isNear);
  }
  return matches;
}

/** First vertices of the segments of a layer. */
export function* segmentsOf({ lineStarts, layers, layerNames }: Shoreline, layer: string): Generator<number> {
  const bit = layerBit({ layerNames }, layer);
  for (let line = 1; line < lineStarts.length; line++) {
    for (let vertex = lineStarts[line - 1]!; vertex < lineStarts[line]! - 1; vertex++) {
      if ((layers[vertex]! & bit) !== 0) yield vertex;
    }
  }
}

/** Longitude and latitude. */
export function middleOf({ positions }: Shoreline, vertex: number): readonly [number, number] {
  const east = wrapDegrees(positions[2 * vertex + 2]! - positions[2 * vertex]!);
  return [
    wrapDegrees(positions[2 * vertex]! + east / 2),
    (positions[2 * vertex + 1]! + positions[2 * vertex + 3]!) / 2,
  ];
}

export function lengthMeters({ positions }: Shoreline, vertex: number): number {
  const [east, north] = stepOf(positions, vertex);
  return Math.hypot(east, north) * METERS_PER_DEGREE;
}

function coursesOf({ positions, layers }: Shoreline): Float32Array {
  return Float32Array.from({ length: layers.length }, (_, vertex) => {
    const [east, north] = stepOf(positions, vertex);
    return Math.atan2(north, east);
  });
}

function stepOf(positions: Float64Array, vertex: number): readonly [number, number] {
  const latitude = positions[2 * vertex + 1]!;
  const east = wrapDegrees(positions[2 * vertex + 2]! - positions[2 * vertex]!) * Math.cos(latitude * RADIANS);
  return [east, positions[2 * vertex + 3]! - latitude];
}

function turnBetween(one: number, other: number): number {
  const turn = Math.abs(one - other);
  return turn > Math.PI ? 2 * Math.PI - turn : turn;
}

function layerBit({ layerNames }: Pick<Shoreline, 'layerNames'>, layer: string): number {
  return 1 << layerNames.indexOf(layer);
}
