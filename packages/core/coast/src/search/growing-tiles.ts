import type { EarthLines } from '../shoreline/earth-lines.ts';
import type { LayerSelection } from '../shoreline/layer-selection.ts';
import { CandidateTileBuilder, type LeaveOpen, type OpenCell, tileOf } from './candidate-tile.ts';
import { ASK_TREE, CandidateTree, LEAF, NOT_BUILT, OPEN, TABLE_COLUMNS, TABLE_ROWS } from './candidate-tree.ts';
import { findEntry } from './nearest-kernel.ts';
import type { RunTree } from './run-tree.ts';

interface Waiting {
  readonly cell: OpenCell;
  /** How many more questions the tree answers before the cell is divided. */
  left: number;
}

/**
 * Tiles that grow where many ask, a cell at a time: each waits until the tree has answered so many questions in it that to divide it
 * costs no more than those did. So few questions cost no more than the tree alone, many come to the candidates, and none waits
 * for a whole tile: the longest step is to divide one cell.
 */
export class GrowingTiles {
  readonly tiles = new CandidateTree();
  readonly #builder: CandidateTileBuilder;
  /** How often the tree has answered for a cell of one degree that is not begun. */
  readonly #asked = new Uint16Array(TABLE_COLUMNS * TABLE_ROWS);
  /** The cells left open, by the number in their entry; places in it are used again. */
  readonly #waiting: (Waiting | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #leave: LeaveOpen = (cell) => {
    const number = this.#free.pop() ?? this.#waiting.length;
    this.#waiting[number] = { cell, left: questionsToDivide(cell) };
    return OPEN + number;
  };

  constructor(lines: EarthLines, tree: RunTree, selection: LayerSelection) {
    this.#builder = new CandidateTileBuilder(lines, tree, selection);
  }

  /** The entry of a point's candidates, or `ASK_TREE`: counts the question, and grows where it pays. */
  entryOf(latitude: number, longitude: number): number {
    const entry = findEntry(this.tiles, latitude, longitude);
    if (entry === NOT_BUILT) {
      const cell = tileOf(latitude, longitude);
      if (this.#asked[cell]! < QUESTIONS_TO_BEGIN) {
        this.#asked[cell]!++;
        return ASK_TREE;
      }
      this.#builder.begin(cell, this.tiles, this.#leave);
    } else if (entry >= OPEN && entry < LEAF) {
      const waiting = this.#waiting[entry - OPEN]!;
      if (--waiting.left > 0) return ASK_TREE;
      this.#divide(entry - OPEN, waiting.cell);
    } else return entry;
    const grown = findEntry(this.tiles, latitude, longitude);
    return grown >= OPEN && grown < LEAF ? ASK_TREE : grown;
  }

  #divide(number: number, cell: OpenCell): void {
    this.#waiting[number] = undefined;
    this.#free.push(number);
    const block = this.#builder.divide(cell, this.tiles, this.#leave);
    if (cell.slot < 0) this.tiles.table[~cell.slot] = block;
    else this.tiles.pool[cell.slot] = block;
  }
}

/** What the tree answers more slowly than candidates do, a microsecond a question, has to add up to what the next step costs. */
const QUESTIONS_TO_BEGIN = 250;

function questionsToDivide({ candidates, areSegments }: OpenCell): number {
  return areSegments ? 16 + 0.75 * candidates.length : 300 + 2 * candidates.length;
}
