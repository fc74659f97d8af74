import { CoastError } from '../coast-error.ts';
import { FRAME_LENGTH, UNITS_PER_METER } from '../earth/ellipsoid.ts';
import { SERIES_LIMIT_METERS } from '../earth/surface-arc.ts';
import type { EarthLines } from '../shoreline/earth-lines.ts';
import type { LayerSelection } from '../shoreline/layer-selection.ts';
import { CandidateTileBuilder } from './candidate-tile.ts';
import { ASK_TREE, CandidateTree, NOT_BUILT } from './candidate-tree.ts';
import { GrowingTiles } from './growing-tiles.ts';
import { arcRivalBound, findEntry, isBeyondChordOrder, nearestCandidate } from './nearest-kernel.ts';
import { ANSWER_NUMBERS, AnswerChunk, CHUNK, PointChunk, SKIPPED } from './point-chunk.ts';
import type { RunTree } from './run-tree.ts';
import { hasRun, type NearestSegment, nearestInTree, nearestRunsInTree, segmentsWithin } from './run-tree-search.ts';
import { segmentDistance2 } from './segment-distance.ts';
import { arcToSegment, writeAnswers } from './shore-answer.ts';

/** A chord can be longer than its arc because the middle of a segment is up to 5 mm, and a rounded vertex 3.4 mm, below the surface. */
const CHORD_EXCESS_UNITS = 4;

/** Exact nearest points, by candidates if a tile is built, else by the tree of runs. */
export class ShoreSearch {
  readonly lines: EarthLines;
  readonly selection: LayerSelection;
  readonly #treeOf: () => RunTree;
  /** Whole tiles: shipped ones are read-only, since threads may share them. */
  readonly tiles: CandidateTree;
  /** True if the tiles came with the index. */
  readonly isShipped: boolean;
  /** Never written to a file. */
  #growing: GrowingTiles | undefined;
  #builder: CandidateTileBuilder | undefined;
  readonly #entries = new Int32Array(CHUNK);
  readonly #isGrown = new Uint8Array(CHUNK);
  /** Bounds the next search of the tree: successive points are often neighbours. */
  #lastVertex = -1;
  readonly #point = new PointChunk(1);
  readonly #answer = new AnswerChunk(1);
  readonly #maxMeters = new Float64Array(1);
  readonly #nearest: NearestSegment = { vertex: -1, distance2: 0 };

  constructor(lines: EarthLines, treeOf: () => RunTree, selection: LayerSelection, shipped: CandidateTree | undefined) {
    this.lines = lines;
    this.selection = selection;
    this.#treeOf = treeOf;
    this.tiles = shipped ?? new CandidateTree();
    this.isShipped = shipped !== undefined;
    if (shipped === undefined && !hasRun(treeOf(), selection)) {
      throw new CoastError(
        'no_shore',
        'the data has no shore of these layers: use other layers, or build the data with them',
      );
    }
  }

  get grownBytes(): number {
    return this.#growing === undefined ? 0 : (this.#growing.tiles.length - 1) * 4;
  }

  /**
   * Writes the answer to `out[offset …]` (see `writeAnswers`). Degrees must be in range. @returns its segment, or `SKIPPED` if no segment
   * is within `maxMeters`; a small bound saves most of the search.
   */
  nearest(
    latitude: number,
    longitude: number,
    out: Float64Array,
    offset: number,
    maxMeters: number = Number.POSITIVE_INFINITY,
  ): number {
    this.#setPoint(latitude, longitude);
    this.#answer.vertices[0] = 0;
    this.#maxMeters[0] = maxMeters;
    this.nearestOfEach(this.#point, 1, this.#answer, this.#maxMeters);
    const vertex = this.#answer.vertices[0]!;
    if (vertex !== SKIPPED) out.set(this.#answer.answers, offset);
    return vertex;
  }

  /** For points with frames; skips those marked `SKIPPED`, and marks those without a segment within `maxMeters`. */
  nearestOfEach(points: PointChunk, count: number, chunk: AnswerChunk, maxMeters?: Float64Array): void {
    const { vertices, answers } = chunk;
    this.#findEntries(points, count, vertices);
    this.#findSegments(points, count, vertices, maxMeters);
    writeAnswers(this.lines.vertices, points, chunk, count);
    if (maxMeters === undefined) return;
    for (let at = 0; at < count; at++) {
      if (answers[at * ANSWER_NUMBERS + 2]! > maxMeters[at]!) vertices[at] = SKIPPED;
    }
  }

  /** The tree alone, for comparison with the candidates. */
  nearestByTree(latitude: number, longitude: number, out: Float64Array, offset: number): number {
    this.#setPoint(latitude, longitude);
    const vertex = this.#searchTree(Number.POSITIVE_INFINITY);
    this.#writeOne(vertex, out, offset);
    return vertex;
  }

  /** By the arc. */
  nearestSegments(latitude: number, longitude: number, count: number): number[] {
    this.#setPoint(latitude, longitude);
    const { frames } = this.#point;
    const { vertices } = this.lines;
    const limit2 = nearestRunsInTree(
      this.#treeOf(),
      vertices,
      this.selection,
      frames[0]!,
      frames[1]!,
      frames[2]!,
      count,
    );
    return this.#within(arcRivalBound(limit2))
      .map((vertex) => ({ vertex, arc: this.#arcTo(vertex) }))
      .sort((one, other) => one.arc - other.arc || one.vertex - other.vertex)
      .slice(0, count)
      .map(({ vertex }) => vertex);
  }

  answerAt(vertex: number, latitude: number, longitude: number, out: Float64Array, offset: number): void {
    this.#setPoint(latitude, longitude);
    this.#writeOne(vertex, out, offset);
  }

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

  #findEntries({ latitudes, longitudes }: PointChunk, count: number, segments: Int32Array): void {
    const entries = this.#entries;
    const isGrown = this.#isGrown;
    const { tiles } = this;
    for (let at = 0; at < count; at++) {
      if (segments[at] === SKIPPED) continue;
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

  #findSegments(points: PointChunk, count: number, segments: Int32Array, maxMeters: Float64Array | undefined): void {
    const { vertices } = this.lines;
    const whole = this.tiles.pool;
    const grown = this.#growing === undefined ? whole : this.#growing.tiles.pool;
    for (let at = 0; at < count; at++) {
      if (segments[at] === SKIPPED) continue;
      const entry = this.#entries[at]!;
      const pool = this.#isGrown[at] === 1 ? grown : whole;
      if (entry === ASK_TREE) {
        this.#setPoint(points.latitudes[at]!, points.longitudes[at]!);
        segments[at] = this.#searchTree(maxMeters === undefined ? Number.POSITIVE_INFINITY : maxMeters[at]!);
      } else segments[at] = nearestCandidate(entry, pool, vertices, points.frames, at * FRAME_LENGTH);
    }
  }

  /** May miss a segment beyond `maxMeters`. */
  #searchTree(maxMeters: number): number {
    const { frames } = this.#point;
    const nearest = this.#nearest;
    const { vertices } = this.lines;
    const [px, py, pz] = [frames[0]!, frames[1]!, frames[2]!];
    let bound2 = (maxMeters * UNITS_PER_METER + CHORD_EXCESS_UNITS) ** 2;
    if (this.#lastVertex >= 0) {
      bound2 = Math.min(bound2, segmentDistance2(vertices, this.#lastVertex, px, py, pz));
    }
    nearestInTree(this.#treeOf(), vertices, this.selection, px, py, pz, nearest, bound2);
    let { vertex } = nearest;
    if (vertex < 0) return SKIPPED;
    this.#lastVertex = vertex;
    if (!isBeyondChordOrder(nearest.distance2)) return vertex;
    let minArc = Number.POSITIVE_INFINITY;
    for (const rival of this.#within(arcRivalBound(nearest.distance2))) {
      const arc = this.#arcTo(rival);
      if (arc > minArc || (arc === minArc && rival > vertex)) continue;
      minArc = arc;
      vertex = rival;
    }
    return vertex;
  }

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
