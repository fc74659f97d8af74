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
import { appendLeaf } from './candidate-leaf.ts';
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
  type CandidateTree,
  FINEST_CELLS_PER_DEGREE,
  MAX_IN_DEEPEST_LEAF,
  MAX_LEVEL,
  TABLE_COLUMNS,
} from './candidate-tree.ts';
import type { RunTree } from './run-tree.ts';
import { type NearestSegment, nearestInTree, runsWhere } from './run-tree-search.ts';
import { segmentFraction } from './segment-distance.ts';

/** A cell of no more candidates is a leaf, by level: of large cells there are few, and to divide them once more costs little room. */
const MAX_IN_LEAF: readonly number[] = [4, 6, 32, 48, 48, 48, 48];
/** With this few candidates, or from this level on, single segments are sifted instead of boxes of runs. */
const FEW_SEGMENTS = 400;
const SEGMENT_LEVEL = 4;

/** Farther from all shores than this, arcs and chords differ so much that a cell would have too many candidates. */
const MAX_DISTANCE_UNITS = SERIES_LIMIT_METERS * UNITS_PER_METER;

/** Greatest second derivative of the position on WGS84 by latitude or longitude, metres per square radian (6.400e6, rounded up). */
const BEND_METERS = 6.42e6;
/**
 * The longest and the shortest radius of curvature of WGS84 let arcs over equal chords c differ by 2.1e-17 m⁻² c³ at most;
 * two feet x and A seen close together differ by no more than 1.5 times that × |A − x| / c. Doubled: |p − x|² − |p − A|².
 */
const METRIC_SPREAD_PER_SQUARE_METER = 6.3e-17;

/** The places of a block are its 5 × 5 corners, row by row from the south-west; those of a single cell its 2 × 2. */
const PLACES = 25;

/** A cell whose candidates are too many for a leaf, not yet divided. */
export interface OpenCell {
  readonly level: number;
  readonly row: number;
  readonly column: number;
  /** Offsets of nodes of the tree, or first vertices of segments. */
  readonly candidates: Int32Array;
  readonly areSegments: boolean;
  /** Where its entry stands: in the pool, or, negative, `~cell` in the table. */
  readonly slot: number;
}

/** Takes a cell that is left open, and gives its entry. */
export type LeaveOpen = (open: OpenCell) => number;

/**
 * Builds tiles: for each cell the segments that can be nearest to any of its points.
 *
 * For a point A of the shore, a segment s is no candidate in a cell if at all four corners c
 * dist(c, s)² − |c − A|² > (2h + σ) · max |A − s|: |p − x|² − |p − A|² is linear in p, so what holds at the corners holds on the
 * flat between them; the cell bulges from that flat by h = (Δλ² cos φ + Δφ²) / 8 × 6.42e6 m at most, which changes the
 * difference by 2h |A − x|; and σ covers by what the surface's arcs differ from chords. The feet A are the shore nearest to
 * each corner.
 */
export class CandidateTileBuilder {
  readonly #lines: EarthLines;
  readonly #tree: RunTree;
  readonly #selection: LayerSelection;

  /** Lists of all open cells, one behind the other: offsets of nodes of the tree, or first vertices of segments. */
  #lists = new Int32Array(1 << 14);
  /** Square distance of each place to each segment of the list being divided. */
  #distances = new Float64Array(PLACES * 512);
  /** That list's segments, unpacked. */
  #segments = new Float64Array(SEGMENT_NUMBERS * 512);
  readonly #places = new Float64Array(PLACES * 3);
  /** The shore nearest to each place. */
  readonly #feet = new Float64Array(PLACES * 3);
  readonly #cell: SieveCell = {
    corners: new Int32Array(4),
    feet: new Float64Array(12),
    limits: new Float64Array(16),
    margin: 0,
  };
  readonly #frame = new Float64Array(FRAME_LENGTH);
  readonly #found: NearestSegment = { vertex: -1, distance2: 0 };
  /** Where cells are to be left open, and where the entry of the cell at hand will stand. */
  #leave: LeaveOpen | undefined;
  #slot = 0;

  constructor(lines: EarthLines, tree: RunTree, selection: LayerSelection) {
    this.#lines = lines;
    this.#tree = tree;
    this.#selection = selection;
  }

  /** Builds the tile of one cell of a degree into `into`, and enters it in the table. */
  build(cell: number, into: CandidateTree): void {
    this.#begin(cell, into);
  }

  /** As `build`, but no further than to candidates that must be divided: those are given to `leave`, which returns the entry to write. */
  begin(cell: number, into: CandidateTree, leave: LeaveOpen): void {
    this.#leave = leave;
    this.#begin(cell, into);
    this.#leave = undefined;
  }

  /** Divides a cell that was left open, once, and returns its block. */
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
    this.#findFeet(4);
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

  /** The entry of a cell whose sifted boxes stand at `from`. */
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

  /** The entry of a cell whose sifted segments stand at `from`. */
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
      ? appendLeaf(this.#lines.layers, this.#selection, this.#lists, from, count, into)
      : ASK_TREE;
  }

  /** Candidates too many for a leaf: divided, or left open. */
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
    else this.#findFeet(PLACES);
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
      // A child's lists go behind all that are still needed: there its own may grow.
      this.#reserve(end + count);
      this.#lists.copyWithin(end, start, start + count);
      const childRow = row * 4 + (child >> 2);
      const childColumn = column * 4 + (child & 3);
      this.#slot = block + child;
      // Before the pool is written to: to build the child may replace it by a longer one.
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

  /** Sets the places of a cell to the corners of its parts × parts. */
  #setPlaces(level: number, row: number, column: number, parts: 1 | 4): void {
    const size = 4 ** -level;
    for (let y = 0, place = 0; y <= parts; y++) {
      for (let x = 0; x <= parts; x++, place++) {
        writeFrame(this.#frame, (row + y / parts) * size - 90, (column + x / parts) * size - 180);
        for (let axis = 0; axis < 3; axis++) this.#places[place * 3 + axis] = this.#frame[axis]!;
      }
    }
  }

  /** Finds the shore nearest to the first `count` places by the tree. */
  #findFeet(count: number): void {
    for (let place = 0; place < count; place++) {
      const x = this.#places[place * 3]!;
      const y = this.#places[place * 3 + 1]!;
      const z = this.#places[place * 3 + 2]!;
      nearestInTree(this.#tree, this.#lines.vertices, this.#selection, x, y, z, this.#found);
      this.#setFoot(place, this.#found.vertex);
    }
  }

  /** Measures the first `count` places to all segments of a list, and finds the nearest to each. */
  #measure(count: number, from: number, length: number): void {
    if (this.#segments.length < SEGMENT_NUMBERS * length) {
      this.#distances = new Float64Array(PLACES * length * 2);
      this.#segments = new Float64Array(SEGMENT_NUMBERS * length * 2);
    }
    unpackSegments(this.#lines.vertices, this.#lists, from, length, this.#segments);
    for (let place = 0; place < count; place++) {
      const nearest = measurePlace(this.#places, place, this.#segments, length, this.#distances);
      this.#setFoot(place, this.#lists[from + nearest]!);
    }
  }

  #setFoot(place: number, vertex: number): void {
    const { vertices } = this.#lines;
    const at = place * 3;
    const fraction = segmentFraction(vertices, vertex, this.#places[at]!, this.#places[at + 1]!, this.#places[at + 2]!);
    for (let axis = 0; axis < 3; axis++) {
      const start = vertices[vertex * 3 + axis]!;
      this.#feet[at + axis] = start + (vertices[vertex * 3 + 3 + axis]! - start) * fraction;
    }
  }

  /** Prepares the sieve for the cell whose south-western corner is a place of a grid of `parts` × `parts`. */
  #setCell(level: number, row: number, place: number, parts: 1 | 4): void {
    const { corners, feet, limits } = this.#cell;
    corners[0] = place;
    corners[1] = place + 1;
    corners[2] = place + parts + 1;
    corners[3] = place + parts + 2;
    let farthest2 = 0;
    for (let foot = 0; foot < 4; foot++) {
      for (let axis = 0; axis < 3; axis++) feet[foot * 3 + axis] = this.#feet[corners[foot]! * 3 + axis]!;
      for (let corner = 0; corner < 4; corner++) {
        const at = corners[corner]! * 3;
        const dx = this.#places[at]! - feet[foot * 3]!;
        const dy = this.#places[at + 1]! - feet[foot * 3 + 1]!;
        const dz = this.#places[at + 2]! - feet[foot * 3 + 2]!;
        const distance2 = dx * dx + dy * dy + dz * dz;
        if (distance2 > farthest2) farthest2 = distance2;
        // Positions are known to 2.4e-7 units, squares to a few parts in 1e16.
        limits[foot * 4 + corner] = distance2 * (1 + 1e-12) + Math.sqrt(distance2) * 1e-4 + 1e-6;
      }
    }
    const size = 4 ** -level;
    const south = row * size - 90;
    const widest = south < 0 && south + size > 0 ? 0 : Math.min(Math.abs(south), Math.abs(south + size));
    const side2 = (size * RADIANS_PER_DEGREE) ** 2;
    const bulge = (side2 * (cosineOfWholeDegrees(Math.floor(widest)) + 1) * BEND_METERS) / 8;
    const farthest = Math.sqrt(farthest2) / UNITS_PER_METER + bulge;
    this.#cell.margin = (2 * bulge + METRIC_SPREAD_PER_SQUARE_METER * farthest ** 3) * UNITS_PER_METER;
  }

  #countSegments(from: number, length: number): number {
    const { links } = this.#tree;
    let count = 0;
    for (let item = from; item < from + length; item++) count += links[this.#lists[item]! + 7]! >>> 16;
    return count;
  }

  /** Replaces nodes of the tree by their segments, in ascending order. */
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

/** The cell of one degree that holds a point: longitude 180 is -180, latitude 90 belongs to the northernmost row. */
export function tileOf(latitude: number, longitude: number): number {
  const y = Math.min(((latitude + 90) * FINEST_CELLS_PER_DEGREE) | 0, 180 * FINEST_CELLS_PER_DEGREE - 1) >> 12;
  const x = ((longitude + 180) | 0) % TABLE_COLUMNS;
  return y * TABLE_COLUMNS + x;
}
