/**
 * Tiles that grow where many points are searched, cell by cell. A cell is divided once the tree of runs has answered so many queries in
 * it that the division costs no more than they did. Few queries then cost no more than the tree alone, and no query waits for more than
 * one division.
 */
import type { EarthLines } from '../shoreline/earth-lines.ts';
import type { LayerSelection } from '../shoreline/layer-selection.ts';
import { CandidateTileBuilder, type LeaveOpen, type OpenCell, tileOf } from './candidate-tile.ts';
import { ASK_TREE, CandidateTree, LEAF, NOT_BUILT, OPEN, TABLE_COLUMNS, TABLE_ROWS } from './candidate-tree.ts';
import { findEntry } from './nearest-kernel.ts';
import type { RunTree } from './run-tree.ts';

interface OpenState {
  readonly cell: OpenCell;
  queriesLeft: number;
}

export class GrowingTiles {
  readonly tiles = new CandidateTree();
  readonly #builder: CandidateTileBuilder;
  readonly #queries = new Uint16Array(TABLE_COLUMNS * TABLE_ROWS);
  /** By the number in their entry; `#free` has reusable numbers. */
  readonly #open: (OpenState | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #leave: LeaveOpen = (cell) => {
    const number = this.#free.pop() ?? this.#open.length;
    this.#open[number] = { cell, queriesLeft: queriesToDivide(cell) };
    return OPEN + number;
  };

  constructor(lines: EarthLines, tree: RunTree, selection: LayerSelection) {
    this.#builder = new CandidateTileBuilder(lines, tree, selection);
  }

  /** `ASK_TREE` without a cell. Counts the query, and divides a cell if it is due. */
  entryOf(latitude: number, longitude: number): number {
    const entry = findEntry(this.tiles, latitude, longitude);
    if (entry === NOT_BUILT) {
      const cell = tileOf(latitude, longitude);
      if (this.#queries[cell]! < QUERIES_TO_BEGIN) {
        this.#queries[cell]!++;
        return ASK_TREE;
      }
      this.#builder.begin(cell, this.tiles, this.#leave);
    } else if (entry >= OPEN && entry < LEAF) {
      const open = this.#open[entry - OPEN]!;
      if (--open.queriesLeft > 0) return ASK_TREE;
      this.#divide(entry - OPEN, open.cell);
    } else return entry;
    const grown = findEntry(this.tiles, latitude, longitude);
    return grown >= OPEN && grown < LEAF ? ASK_TREE : grown;
  }

  #divide(number: number, cell: OpenCell): void {
    this.#open[number] = undefined;
    this.#free.push(number);
    const block = this.#builder.divide(cell, this.tiles, this.#leave);
    if (cell.slot < 0) this.tiles.table[~cell.slot] = block;
    else this.tiles.pool[cell.slot] = block;
  }
}

/** The tree is about 1 µs per query slower; the sum has to reach the cost of the next step. */
const QUERIES_TO_BEGIN = 250;

function queriesToDivide({ candidates, areSegments }: OpenCell): number {
  return areSegments ? 16 + 0.75 * candidates.length : 300 + 2 * candidates.length;
}
