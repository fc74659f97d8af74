/**
 * Builds the quadtree of candidates (see `CandidateTree`): for each cell, the segments that can be nearest to any of its points.
 *
 * A segment s is excluded from a cell if, for a point A of the shore and all four corners c of the cell,
 *
 *     dist(c, s)² − |c − A|² > (2h + σ) · max |A − s|
 *
 * For a point x of s, |p − x|² − |p − A|² is linear in p, so an inequality at the corners holds on the flat between them. The cell
 * bulges from that flat by up to h, which changes the difference by up to 2h |A − x|:
 *
 *     h = (Δλ² cos φ + Δφ²) / 8 × 6.42e6 m
 *
 * σ bounds the difference between arcs on the surface and chords. The four points A are the points of the shore nearest to each corner.
 *
 * Cells are divided 4 × 4. Large cells sift boxes of the tree of runs, small ones sift single segments.
 */
import {
  cosineOfWholeDegrees,
  FRAME_LENGTH,
  RADIANS_PER_DEGREE,
  UNITS_PER_METER,
  writeFrame,
} from '../earth/ellipsoid.ts';
import { SERIES_LIMIT_METERS } from '../earth/surface-arc.ts';
import type { EarthLines } from '../shoreline/earth-lines.ts';
import type { LayerSelection } from '../shoreline/layer-selection.ts';
import {
  keepsBox,
  measurePlace,
  SEGMENT_NUMBERS,
  type SieveCell,
  siftSegments,
  unpackSegments,
} from './candidate-sieve.ts';
import {
  ASK_TREE,
  appendLeaf,
  type CandidateTree,
  FINEST_CELLS_PER_DEGREE,
  MAX_IN_DEEPEST_LEAF,
  MAX_LEVEL,
  TABLE_COLUMNS,
} from './candidate-tree.ts';
import type { RunTree } from './run-tree.ts';
import { type NearestSegment, nearestInTree, runsWhere } from './run-tree-search.ts';
import { segmentFraction } from './segment-distance.ts';

/** By level. Large cells are few, so dividing them costs little memory. */
const MAX_IN_LEAF: readonly number[] = [4, 6, 32, 48, 48, 48, 48];
/** From this level on, or up to this many candidates, single segments are sifted; otherwise boxes of runs. */
const FEW_SEGMENTS = 400;
const SEGMENT_LEVEL = 4;

/** Beyond, arcs and chords differ so much that a cell would have too many candidates. */
const MAX_DISTANCE_UNITS = SERIES_LIMIT_METERS * UNITS_PER_METER;

/** Maximum second derivative of the position on WGS84 by latitude or longitude, in m/rad² (6.400e6, rounded up). */
const BEND_METERS = 6.42e6;
/**
 * By the extreme radii of curvature of WGS84, arcs over equal chords c differ by up to 2.1e-17 m⁻² c³. For two close points x and A of
 * the shore the difference is up to 1.5 times that × |A − x| / c. Doubled for |p − x|² − |p − A|².
 */
const METRIC_SPREAD_PER_SQUARE_METER = 6.3e-17;

/** 5 × 5 corners of a block, row by row from the south-west; a single cell has 2 × 2. */
const PLACES = 25;

export interface OpenCell {
  readonly level: number;
  readonly row: number;
  readonly column: number;
  /** Offsets of nodes of the tree, or first vertices of segments. */
  readonly candidates: Int32Array;
  readonly areSegments: boolean;
  readonly slot: number;
}

export type LeaveOpen = (open: OpenCell) => number;

export class CandidateTileBuilder {
  readonly #lines: EarthLines;
  readonly #tree: RunTree;
  readonly #selection: LayerSelection;

  #lists = new Int32Array(1 << 14);
  #distances = new Float64Array(PLACES * 512);
  #segments = new Float64Array(SEGMENT_NUMBERS * 512);
  readonly #places = new Float64Array(PLACES * 3);
  readonly #nearestPoints = new Float64Array(PLACES * 3);
  readonly #cell: SieveCell = {
    corners: new Int32Array(4),
    nearestPoints: new Float64Array(12),
    limits: new Float64Array(16),
    margin: 0,
  };
  readonly #frame = new Float64Array(FRAME_LENGTH);
  readonly #nearest: NearestSegment = { vertex: -1, distance2: 0 };
  /** Set while cells are left open; `#slot` is the current cell's entry. */
  #leave: LeaveOpen | undefined;
  #slot = 0;

  constructor(lines: EarthLines, tree: RunTree, selection: LayerSelection) {
    this.#lines = lines;
    this.#tree = tree;
    this.#selection = selection;
  }

  build(cell: number, into: CandidateTree): void {
    this.#begin(cell, into);
  }

  /** Like `build`, but passes cells that must be divided to `leave`, which returns their entry. */
  begin(cell: number, into: CandidateTree, leave: LeaveOpen): void {
    this.#leave = leave;
    this.#begin(cell, into);
    this.#leave = undefined;
  }

  divide({ level, row, column, candidates, areSegments }: OpenCell, into: CandidateTree, leave: LeaveOpen): number {
    this.#leave = leave;
    this.#reserve(candidates.length);
    this.#lists.set(candidates);
    const block = this.#divide(level, row, column, 0, candidates.length, areSegments, into);
    this.#leave = undefined;
    return block;
  }

  #begin(cell: number, into: CandidateTree): void {
    const row = Math.floor(cell / TABLE_COLUMNS);
    const column = cell % TABLE_COLUMNS;
    this.#setPlaces(0, row, column, 1);
    this.#findNearestPoints(4);
    this.#setCell(0, row, 0, 1);
    if (Math.min(...this.#cell.limits) > MAX_DISTANCE_UNITS ** 2) {
      into.table[cell] = ASK_TREE;
      return;
    }
    let length = 0;
    runsWhere(
      this.#tree,
      this.#selection,
      (boxes, base) => keepsBox(this.#cell, this.#places, boxes, base),
      (base) => {
        this.#reserve(length + 1);
        this.#lists[length++] = base;
      },
    );
    this.#slot = ~cell;
    into.table[cell] = this.#entryOfBoxes(0, row, column, 0, length, into);
  }

  #entryOfBoxes(level: number, row: number, column: number, from: number, length: number, into: CandidateTree): number {
    if (level < SEGMENT_LEVEL && this.#countSegments(from, length) > FEW_SEGMENTS) {
      return this.#open(level, row, column, from, length, false, into);
    }
    const count = this.#toSegments(from, length);
    this.#setPlaces(level, row, column, 1);
    this.#measure(4, from, count);
    this.#setCell(level, row, 0, 1);
    return this.#entryOfSegments(level, row, column, from, this.#sift(from, count, from, true) - from, into);
  }

  #entryOfSegments(
    level: number,
    row: number,
    column: number,
    from: number,
    count: number,
    into: CandidateTree,
  ): number {
    if (count > MAX_IN_LEAF[level]! && level < MAX_LEVEL)
      return this.#open(level, row, column, from, count, true, into);
    return count <= MAX_IN_DEEPEST_LEAF
      ? appendLeaf(this.#lines, this.#selection, this.#lists, from, count, into)
      : ASK_TREE;
  }

  /** Divides a cell with too many candidates, or leaves it open. */
  #open(
    level: number,
    row: number,
    column: number,
    from: number,
    length: number,
    areSegments: boolean,
    into: CandidateTree,
  ): number {
    if (this.#leave === undefined) return this.#divide(level, row, column, from, length, areSegments, into);
    const candidates = this.#lists.slice(from, from + length);
    return this.#leave({ level, row, column, candidates, areSegments, slot: this.#slot });
  }

  #divide(
    level: number,
    row: number,
    column: number,
    from: number,
    length: number,
    areSegments: boolean,
    into: CandidateTree,
  ): number {
    this.#setPlaces(level, row, column, 4);
    if (areSegments) this.#measure(PLACES, from, length);
    else this.#findNearestPoints(PLACES);
    const starts = new Int32Array(17);
    let end = from + length;
    starts[0] = end;
    for (let child = 0; child < 16; child++) {
      this.#setCell(level + 1, row * 4 + (child >> 2), (child >> 2) * 5 + (child & 3), 4);
      this.#reserve(end + length);
      end = this.#sift(from, length, end, areSegments);
      starts[child + 1] = end;
    }
    const block = into.extend(16);
    for (let child = 0; child < 16; child++) {
      const start = starts[child]!;
      const count = starts[child + 1]! - start;
      this.#reserve(end + count);
      this.#lists.copyWithin(end, start, start + count);
      const childRow = row * 4 + (child >> 2);
      const childColumn = column * 4 + (child & 3);
      this.#slot = block + child;
      // First: building the child may replace the pool.
      const entry = areSegments
        ? this.#entryOfSegments(level + 1, childRow, childColumn, end, count, into)
        : this.#entryOfBoxes(level + 1, childRow, childColumn, end, count, into);
      into.pool[block + child] = entry;
    }
    return block;
  }

  #sift(from: number, length: number, to: number, areSegments: boolean): number {
    if (areSegments) {
      return siftSegments(this.#cell, this.#lists, from, length, to, this.#distances, this.#segments);
    }
    let end = to;
    for (let item = from; item < from + length; item++) {
      const base = this.#lists[item]!;
      if (keepsBox(this.#cell, this.#places, this.#tree.boxes, base)) this.#lists[end++] = base;
    }
    return end;
  }

  #setPlaces(level: number, row: number, column: number, parts: 1 | 4): void {
    const size = 4 ** -level;
    for (let y = 0, place = 0; y <= parts; y++) {
      for (let x = 0; x <= parts; x++, place++) {
        writeFrame(this.#frame, (row + y / parts) * size - 90, (column + x / parts) * size - 180);
        for (let axis = 0; axis < 3; axis++) this.#places[place * 3 + axis] = this.#frame[axis]!;
      }
    }
  }

  #findNearestPoints(count: number): void {
    for (let place = 0; place < count; place++) {
      const x = this.#places[place * 3]!;
      const y = this.#places[place * 3 + 1]!;
      const z = this.#places[place * 3 + 2]!;
      nearestInTree(this.#tree, this.#lines.vertices, this.#selection, x, y, z, this.#nearest);
      this.#setNearestPoint(place, this.#nearest.vertex);
    }
  }

  #measure(count: number, from: number, length: number): void {
    if (this.#segments.length < SEGMENT_NUMBERS * length) {
      this.#distances = new Float64Array(PLACES * length * 2);
      this.#segments = new Float64Array(SEGMENT_NUMBERS * length * 2);
    }
    unpackSegments(this.#lines.vertices, this.#lists, from, length, this.#segments);
    for (let place = 0; place < count; place++) {
      const nearest = measurePlace(this.#places, place, this.#segments, length, this.#distances);
      this.#setNearestPoint(place, this.#lists[from + nearest]!);
    }
  }

  #setNearestPoint(place: number, vertex: number): void {
    const { vertices } = this.#lines;
    const at = place * 3;
    const fraction = segmentFraction(vertices, vertex, this.#places[at]!, this.#places[at + 1]!, this.#places[at + 2]!);
    for (let axis = 0; axis < 3; axis++) {
      const start = vertices[vertex * 3 + axis]!;
      this.#nearestPoints[at + axis] = start + (vertices[vertex * 3 + 3 + axis]! - start) * fraction;
    }
  }

  /** The cell whose south-western corner is `place` in a grid of `parts` × `parts`. */
  #setCell(level: number, row: number, place: number, parts: 1 | 4): void {
    const { corners, nearestPoints, limits } = this.#cell;
    corners[0] = place;
    corners[1] = place + 1;
    corners[2] = place + parts + 1;
    corners[3] = place + parts + 2;
    let max2 = 0;
    for (let point = 0; point < 4; point++) {
      for (let axis = 0; axis < 3; axis++)
        nearestPoints[point * 3 + axis] = this.#nearestPoints[corners[point]! * 3 + axis]!;
      for (let corner = 0; corner < 4; corner++) {
        const at = corners[corner]! * 3;
        const dx = this.#places[at]! - nearestPoints[point * 3]!;
        const dy = this.#places[at + 1]! - nearestPoints[point * 3 + 1]!;
        const dz = this.#places[at + 2]! - nearestPoints[point * 3 + 2]!;
        const distance2 = dx * dx + dy * dy + dz * dz;
        if (distance2 > max2) max2 = distance2;
        // Positions are exact to 2.4e-7 units, squares to a few parts in 1e16.
        limits[point * 4 + corner] = distance2 * (1 + 1e-12) + Math.sqrt(distance2) * 1e-4 + 1e-6;
      }
    }
    const size = 4 ** -level;
    const south = row * size - 90;
    const nearEquator = south < 0 && south + size > 0 ? 0 : Math.min(Math.abs(south), Math.abs(south + size));
    const side2 = (size * RADIANS_PER_DEGREE) ** 2;
    const bulge = (side2 * (cosineOfWholeDegrees(Math.floor(nearEquator)) + 1) * BEND_METERS) / 8;
    const maxMeters = Math.sqrt(max2) / UNITS_PER_METER + bulge;
    this.#cell.margin = (2 * bulge + METRIC_SPREAD_PER_SQUARE_METER * maxMeters ** 3) * UNITS_PER_METER;
  }

  #countSegments(from: number, length: number): number {
    const { links } = this.#tree;
    let count = 0;
    for (let item = from; item < from + length; item++) count += links[this.#lists[item]! + 7]! >>> 16;
    return count;
  }

  /** In ascending order. */
  #toSegments(from: number, length: number): number {
    const { links } = this.#tree;
    const bases = this.#lists.slice(from, from + length);
    const count = this.#countSegments(from, length);
    this.#reserve(from + count);
    let end = from;
    for (const base of bases) {
      const start = ~links[base + 6]!;
      const segments = links[base + 7]! >>> 16;
      for (let vertex = start; vertex < start + segments; vertex++) this.#lists[end++] = vertex;
    }
    this.#lists.subarray(from, end).sort();
    return count;
  }

  #reserve(length: number): void {
    if (length <= this.#lists.length) return;
    const longer = new Int32Array(Math.max(length, this.#lists.length * 2));
    longer.set(this.#lists);
    this.#lists = longer;
  }
}

/** Longitude 180 is -180; latitude 90 is in the northernmost row. */
export function tileOf(latitude: number, longitude: number): number {
  const y = Math.min(((latitude + 90) * FINEST_CELLS_PER_DEGREE) | 0, 180 * FINEST_CELLS_PER_DEGREE - 1) >> 12;
  const x = ((longitude + 180) | 0) % TABLE_COLUMNS;
  return y * TABLE_COLUMNS + x;
}
