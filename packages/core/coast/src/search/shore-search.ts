import { CoastError } from '../coast-error.ts';
import { FRAME_LENGTH } from '../earth/ellipsoid.ts';
import { SERIES_LIMIT_METERS } from '../earth/surface-arc.ts';
import type { EarthLines } from '../shoreline/earth-lines.ts';
import type { LayerSelection } from '../shoreline/layer-selection.ts';
import { CandidateTileBuilder } from './candidate-tile.ts';
import { ASK_TREE, CandidateTree, NOT_BUILT } from './candidate-tree.ts';
import { GrowingTiles } from './growing-tiles.ts';
import { arcRivalBound, findEntry, isBeyondChordOrder, nearestCandidate } from './nearest-kernel.ts';
import { CHUNK, FoundChunk, NOT_ASKED, PointChunk } from './point-chunk.ts';
import type { RunTree } from './run-tree.ts';
import { hasRun, type NearestSegment, nearestInTree, nearestRunsInTree, segmentsWithin } from './run-tree-search.ts';
import { segmentDistance2 } from './segment-distance.ts';
import { arcToSegment, writeAnswers } from './shore-answer.ts';

/** One dataset's shore by one definition: exact nearest points, by candidates where a tile is built, else by the tree. */
export class ShoreSearch {
  readonly lines: EarthLines;
  readonly selection: LayerSelection;
  readonly #treeOf: () => RunTree;
  /** Whole tiles: those that came with the index, never written to (other threads may read the same memory), or built ahead. */
  readonly tiles: CandidateTree;
  /** Whether the tiles came with the index: they are complete as they are. */
  readonly isShipped: boolean;
  /** Tiles that grow here where many ask, never written to a file. */
  #growing: GrowingTiles | undefined;
  #builder: CandidateTileBuilder | undefined;
  /** Of the points of a chunk: the entries of their cells, and whether those are of growing tiles. */
  readonly #entries = new Int32Array(CHUNK);
  readonly #isGrown = new Uint8Array(CHUNK);
  /** The segment that the tree found last: points often come as neighbours, and no answer lies beyond it. */
  #lastFound = -1;
  /** A point by itself, and what is found for it. */
  readonly #point = new PointChunk(1);
  readonly #answer = new FoundChunk(1);
  readonly #found: NearestSegment = { vertex: -1, distance2: 0 };

  constructor(lines: EarthLines, treeOf: () => RunTree, selection: LayerSelection, shipped: CandidateTree | undefined) {
    this.lines = lines;
    this.selection = selection;
    this.#treeOf = treeOf;
    this.tiles = shipped ?? new CandidateTree();
    this.isShipped = shipped !== undefined;
    if (shipped === undefined && !hasRun(treeOf(), selection)) {
      throw new CoastError('no_shore', 'the data has no shore of these layers: leave them out, or build it with them');
    }
  }

  /** The room that growing tiles have taken. */
  get grownBytes(): number {
    return this.#growing === undefined ? 0 : (this.#growing.tiles.length - 1) * 4;
  }

  /** Writes the answer to `out[offset …]` (see `writeAnswers`) and returns the segment found. Degrees must be in range. */
  nearest(latitude: number, longitude: number, out: Float64Array, offset: number): number {
    this.#setPoint(latitude, longitude);
    this.#answer.vertices[0] = 0;
    this.nearestOfEach(this.#point, 1, this.#answer);
    out.set(this.#answer.answers, offset);
    return this.#answer.vertices[0]!;
  }

  /** Finds the answers to the first `count` points of a chunk with frames, but those whose vertex is `NOT_ASKED`. */
  nearestOfEach(points: PointChunk, count: number, found: FoundChunk): void {
    this.#findEntries(points, count, found.vertices);
    this.#findSegments(points, count, found.vertices);
    writeAnswers(this.lines.vertices, points, found, count);
  }

  /** As `nearest`, by the tree alone: what the candidates are checked against. */
  nearestByTree(latitude: number, longitude: number, out: Float64Array, offset: number): number {
    this.#setPoint(latitude, longitude);
    const vertex = this.#askTree();
    this.#writeOne(vertex, out, offset);
    return vertex;
  }

  /** The segments with the `count` nearest points, nearest first by the arc. */
  nearestSegments(latitude: number, longitude: number, count: number): number[] {
    this.#setPoint(latitude, longitude);
    const { frames } = this.#point;
    const { vertices } = this.lines;
    const farthest2 = nearestRunsInTree(
      this.#treeOf(),
      vertices,
      this.selection,
      frames[0]!,
      frames[1]!,
      frames[2]!,
      count,
    );
    return this.#within(arcRivalBound(farthest2))
      .map((vertex) => ({ vertex, arc: this.#arcTo(vertex) }))
      .sort((one, other) => one.arc - other.arc || one.vertex - other.vertex)
      .slice(0, count)
      .map(({ vertex }) => vertex);
  }

  /** Writes the answer that a given segment gives for a point, nearest or not. */
  answerAt(vertex: number, latitude: number, longitude: number, out: Float64Array, offset: number): void {
    this.#setPoint(latitude, longitude);
    this.#writeOne(vertex, out, offset);
  }

  /** Builds the tile of a cell of one degree, if it is not there. Not for tiles that came with the index. */
  buildTile(cell: number): void {
    if (this.tiles.table[cell] !== NOT_BUILT) return;
    this.#builder ??= new CandidateTileBuilder(this.lines, this.#treeOf(), this.selection);
    this.#builder.build(cell, this.tiles);
  }

  #setPoint(latitude: number, longitude: number): void {
    this.#point.latitudes[0] = latitude;
    this.#point.longitudes[0] = longitude;
    this.#point.frame(1);
  }

  #writeOne(vertex: number, out: Float64Array, offset: number): void {
    this.#answer.vertices[0] = vertex;
    writeAnswers(this.lines.vertices, this.#point, this.#answer, 1);
    out.set(this.#answer.answers, offset);
  }

  #findEntries({ latitudes, longitudes }: PointChunk, count: number, wanted: Int32Array): void {
    const entries = this.#entries;
    const isGrown = this.#isGrown;
    const { tiles } = this;
    for (let at = 0; at < count; at++) {
      if (wanted[at] === NOT_ASKED) continue;
      let entry = findEntry(tiles, latitudes[at]!, longitudes[at]!);
      isGrown[at] = 0;
      if (entry === NOT_BUILT) {
        this.#growing ??= new GrowingTiles(this.lines, this.#treeOf(), this.selection);
        entry = this.#growing.entryOf(latitudes[at]!, longitudes[at]!);
        isGrown[at] = 1;
      }
      entries[at] = entry;
    }
  }

  #findSegments(points: PointChunk, count: number, found: Int32Array): void {
    const { vertices } = this.lines;
    const whole = this.tiles.pool;
    const grown = this.#growing === undefined ? whole : this.#growing.tiles.pool;
    for (let at = 0; at < count; at++) {
      if (found[at] === NOT_ASKED) continue;
      const entry = this.#entries[at]!;
      const pool = this.#isGrown[at] === 1 ? grown : whole;
      if (entry === ASK_TREE) {
        this.#setPoint(points.latitudes[at]!, points.longitudes[at]!);
        found[at] = this.#askTree();
      } else found[at] = nearestCandidate(entry, pool, vertices, points.frames, at * FRAME_LENGTH);
    }
  }

  /** The segment nearest to `#point`. */
  #askTree(): number {
    const { frames } = this.#point;
    const found = this.#found;
    const { vertices } = this.lines;
    const [px, py, pz] = [frames[0]!, frames[1]!, frames[2]!];
    const bound2 =
      this.#lastFound < 0 ? Number.POSITIVE_INFINITY : segmentDistance2(vertices, this.#lastFound, px, py, pz);
    nearestInTree(this.#treeOf(), vertices, this.selection, px, py, pz, found, bound2);
    this.#lastFound = found.vertex;
    let { vertex } = found;
    if (!isBeyondChordOrder(found.distance2)) return vertex;
    let shortest = Number.POSITIVE_INFINITY;
    for (const rival of this.#within(arcRivalBound(found.distance2))) {
      const arc = this.#arcTo(rival);
      if (arc > shortest || (arc === shortest && rival > vertex)) continue;
      shortest = arc;
      vertex = rival;
    }
    return vertex;
  }

  /** The arc from `#point` to a segment: by the series, or beyond its limit as `writeAnswers` has it. */
  #arcTo(vertex: number): number {
    const { vertices } = this.lines;
    const arc = arcToSegment(vertices, vertex, this.#point.frames, 0);
    if (arc <= SERIES_LIMIT_METERS) return arc;
    this.#answer.vertices[0] = vertex;
    writeAnswers(vertices, this.#point, this.#answer, 1);
    return this.#answer.answers[2]!;
  }

  #within(bound2: number): number[] {
    const { frames } = this.#point;
    return segmentsWithin(
      this.#treeOf(),
      this.lines.vertices,
      this.selection,
      frames[0]!,
      frames[1]!,
      frames[2]!,
      bound2,
    );
  }
}
