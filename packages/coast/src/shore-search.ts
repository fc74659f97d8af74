import { CandidateTileBuilder, tileOf } from './candidate-tile.ts';
import { ASK_TREE, CandidateTree, NOT_BUILT, TABLE_COLUMNS, TABLE_ROWS } from './candidate-tree.ts';
import { CoastError } from './coast-error.ts';
import type { EarthLines } from './earth-lines.ts';
import { FRAME_LENGTH, writeFrame } from './ellipsoid.ts';
import type { LayerSelection } from './layer-selection.ts';
import { arcRivalBound, findEntry, isBeyondChordOrder, nearestCandidate } from './nearest-kernel.ts';
import type { RunTree } from './run-tree.ts';
import { hasRun, type NearestSegment, nearestInTree, nearestRunsInTree, segmentsWithin } from './run-tree-search.ts';
import { ANSWER_NUMBERS, arcToSegment, writeAnswer } from './shore-answer.ts';
import { SERIES_LIMIT_METERS } from './surface-arc.ts';

/** The tree answers as often before a tile is built: to build one costs as much as thousands of its answers. */
const FEW_ASKED = 32;

/** One dataset's shore by one definition: exact nearest points, by candidates where a tile is built, else by the tree. */
export class ShoreSearch {
  readonly lines: EarthLines;
  readonly selection: LayerSelection;
  readonly #treeOf: () => RunTree;
  /** Tiles that came with the index, never written to: other threads may read the same memory. */
  readonly #shipped: CandidateTree;
  /** Tiles built here where many ask. */
  readonly #grown: CandidateTree;
  /** How often the tree has answered for a cell of one degree. */
  readonly #asked = new Uint8Array(TABLE_COLUMNS * TABLE_ROWS);
  #builder: CandidateTileBuilder | undefined;
  readonly #frame = new Float64Array(FRAME_LENGTH);
  readonly #far = new Float64Array(ANSWER_NUMBERS);
  readonly #found: NearestSegment = { vertex: -1, distance2: 0 };

  constructor(lines: EarthLines, treeOf: () => RunTree, selection: LayerSelection, shipped: CandidateTree | undefined) {
    this.lines = lines;
    this.selection = selection;
    this.#treeOf = treeOf;
    this.#grown = new CandidateTree();
    this.#shipped = shipped ?? this.#grown;
    if (shipped === undefined && !hasRun(treeOf(), selection)) {
      throw new CoastError('no_shore', 'the data has no shore of these layers: leave them out, or build it with them');
    }
  }

  /** The tiles of this search, to be shipped with an index. */
  get tiles(): CandidateTree {
    return this.#shipped;
  }

  /** Whether the tiles came with the index: they are complete as they are, and what is built besides is not written with it. */
  get isShipped(): boolean {
    return this.#shipped !== this.#grown;
  }

  /** Writes the answer to `out[offset …]` (see `writeAnswer`) and returns the segment found. Degrees must be in range. */
  nearest(latitude: number, longitude: number, out: Float64Array, offset: number): number {
    const frame = this.#frame;
    const { vertices } = this.lines;
    let tree = this.#shipped;
    let entry = findEntry(tree, latitude, longitude);
    if (entry === NOT_BUILT) {
      tree = this.#grown;
      entry = this.#grow(latitude, longitude);
    }
    writeFrame(frame, latitude, longitude);
    const vertex =
      entry === ASK_TREE ? this.#askTree(latitude, longitude) : nearestCandidate(entry, tree.pool, vertices, frame);
    writeAnswer(vertices, vertex, frame, latitude, longitude, out, offset);
    return vertex;
  }

  /** As `nearest`, by the tree alone: what the candidates are checked against. */
  nearestByTree(latitude: number, longitude: number, out: Float64Array, offset: number): number {
    writeFrame(this.#frame, latitude, longitude);
    const vertex = this.#askTree(latitude, longitude);
    writeAnswer(this.lines.vertices, vertex, this.#frame, latitude, longitude, out, offset);
    return vertex;
  }

  /** The segments with the `count` nearest points, nearest first by the arc. */
  nearestSegments(latitude: number, longitude: number, count: number): number[] {
    const frame = this.#frame;
    writeFrame(frame, latitude, longitude);
    const { vertices } = this.lines;
    const farthest2 = nearestRunsInTree(
      this.#treeOf(),
      vertices,
      this.selection,
      frame[0]!,
      frame[1]!,
      frame[2]!,
      count,
    );
    return this.#within(arcRivalBound(farthest2))
      .map((vertex) => ({ vertex, arc: this.#arcTo(vertex, latitude, longitude) }))
      .sort((one, other) => one.arc - other.arc || one.vertex - other.vertex)
      .slice(0, count)
      .map(({ vertex }) => vertex);
  }

  /** Writes the answer that a given segment gives for a point, nearest or not. */
  answerAt(vertex: number, latitude: number, longitude: number, out: Float64Array, offset: number): void {
    writeFrame(this.#frame, latitude, longitude);
    writeAnswer(this.lines.vertices, vertex, this.#frame, latitude, longitude, out, offset);
  }

  /** Builds the tile of a cell of one degree, if it is not there. */
  buildTile(cell: number): void {
    if (this.#shipped.table[cell] !== NOT_BUILT || this.#grown.table[cell] !== NOT_BUILT) return;
    this.#builder ??= new CandidateTileBuilder(this.lines, this.#treeOf(), this.selection);
    this.#builder.build(cell, this.#grown);
  }

  #grow(latitude: number, longitude: number): number {
    const entry = findEntry(this.#grown, latitude, longitude);
    if (entry !== NOT_BUILT) return entry;
    const cell = tileOf(latitude, longitude);
    if (++this.#asked[cell]! <= FEW_ASKED) return ASK_TREE;
    this.buildTile(cell);
    return findEntry(this.#grown, latitude, longitude);
  }

  #askTree(latitude: number, longitude: number): number {
    const frame = this.#frame;
    const { vertices } = this.lines;
    nearestInTree(this.#treeOf(), vertices, this.selection, frame[0]!, frame[1]!, frame[2]!, this.#found);
    let { vertex } = this.#found;
    if (!isBeyondChordOrder(this.#found.distance2)) return vertex;
    let shortest = Number.POSITIVE_INFINITY;
    for (const rival of this.#within(arcRivalBound(this.#found.distance2))) {
      const arc = this.#arcTo(rival, latitude, longitude);
      if (arc > shortest || (arc === shortest && rival > vertex)) continue;
      shortest = arc;
      vertex = rival;
    }
    return vertex;
  }

  /** The arc to a segment from the frame's point: by the series, or beyond its limit as `writeAnswer` has it. */
  #arcTo(vertex: number, latitude: number, longitude: number): number {
    const arc = arcToSegment(this.lines.vertices, vertex, this.#frame);
    if (arc <= SERIES_LIMIT_METERS) return arc;
    writeAnswer(this.lines.vertices, vertex, this.#frame, latitude, longitude, this.#far, 0);
    return this.#far[2]!;
  }

  #within(bound2: number): number[] {
    const frame = this.#frame;
    return segmentsWithin(this.#treeOf(), this.lines.vertices, this.selection, frame[0]!, frame[1]!, frame[2]!, bound2);
  }
}
