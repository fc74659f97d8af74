import { type EncodedRows, ROWS_A_BLOCK } from '../planes/encoded-rows.ts';
import { FIRST_CODE, INSIDE, OUTSIDE, type ReasonTable } from '../planes/reason-table.ts';
import type { StatePlanes } from '../planes/row-layout.ts';
import type { ReasonCounter } from './reason-counter.ts';

/** Codes of a counter: territory, moratorium, then the codes of rules. */
export const TERRITORY = 0;
export const MORATORIUM = 1;
export const RULE_CODES = 2;

/** The certain declines of a block of rows, as bits of carriers. */
export interface Declines {
  readonly low: Int32Array;
  readonly high: Int32Array;
}

/** Counts the reasons of certain declines of a block. */
export class BlockReasons {
  readonly #table: ReasonTable;
  readonly #axisCount: number;
  readonly #widths: Int32Array;
  /** For each row that a carrier declines within its territory, the first words of its axes in the reason table. */
  readonly #offsets: Int32Array;
  /** By these rows: the carriers that decline. */
  readonly #low = new Int32Array(ROWS_A_BLOCK);
  readonly #high = new Int32Array(ROWS_A_BLOCK);

  /** @param widths By axis, the factor of the block's offsets. */
  constructor(table: ReasonTable, widths: Int32Array) {
    this.#table = table;
    this.#axisCount = widths.length;
    this.#widths = widths;
    this.#offsets = new Int32Array(ROWS_A_BLOCK * widths.length);
  }

  /** @param stateOf Returns the state of a row of the block. Called only for rows that a carrier declines. */
  count(
    block: EncodedRows,
    rows: number,
    declines: Declines,
    stateOf: (row: number) => StatePlanes,
    counter: ReasonCounter,
  ): void {
    let count = 0;
    for (let row = 0; row < rows; row++) {
      const low = declines.low[row]!;
      const high = declines.high[row]!;
      if ((low | high) === 0) continue;
      this.#setOffsets(block, row, count);
      const { rows: words } = this.#table;
      const place = this.#offsets[count * this.#axisCount]!;
      const { offeredLow, offeredHigh } = stateOf(row);
      counter.add(TERRITORY, words[place + OUTSIDE]! & offeredLow, words[place + OUTSIDE + 1]! & offeredHigh);
      this.#low[count] = words[place + INSIDE]! & low;
      this.#high[count] = words[place + INSIDE + 1]! & high;
      if ((this.#low[count]! | this.#high[count]!) !== 0) count++;
    }
    // Code by code, so that the words of a code are looked up once for all rows.
    for (let code = 0; code < this.#table.codes.length; code++) this.#countCode(code, count, counter);
  }

  /** Finds the rows of certain outcomes. */
  #setOffsets({ offsets, loose, looseCount }: EncodedRows, row: number, to: number): void {
    const from = row * this.#axisCount;
    const at = to * this.#axisCount;
    const { width } = this.#table;
    for (let axis = 0; axis < this.#axisCount; axis++)
      this.#offsets[at + axis] = ((offsets[from + axis]! / this.#widths[axis]!) | 0) * width;
    for (let index = from; index < from + looseCount[row]!; index++) this.#offsets[at + loose[index]!]! += width;
  }

  #countCode(code: number, count: number, counter: ReasonCounter): void {
    const { rows, codes, folds, always, frontStart, frontAxes, firstPlane, present, planeStart, planeAxes } =
      this.#table;
    const offsets = this.#offsets;
    const axisCount = this.#axisCount;
    const firstPlaneWord = FIRST_CODE + 2 * codes.length;
    // Spare lanes are folded before the declining carriers are selected.
    const lanes = folds.length > 0 ? -1 : 0;
    const front = FIRST_CODE + 2 * code;
    const firstFront = frontStart[code]!;
    const lastFront = frontStart[code + 1]!;
    const first = firstPlane[code]!;
    const last = firstPlane[code + 1]!;
    for (let row = 0; row < count; row++) {
      const axes = row * axisCount;
      const insideLow = this.#low[row]!;
      const insideHigh = this.#high[row]!;
      let low = always[2 * code]!;
      let high = always[2 * code + 1]!;
      for (let index = firstFront; index < lastFront; index++) {
        const at = offsets[axes + frontAxes[index]!]! + front;
        low |= rows[at]!;
        high |= rows[at + 1]!;
      }
      for (let plane = first; plane < last; plane++) {
        let planeLow = present[2 * plane]! & (lanes | insideLow);
        let planeHigh = present[2 * plane + 1]! & (lanes | insideHigh);
        const column = firstPlaneWord + 2 * plane;
        const end = planeStart[plane + 1]!;
        for (let step = planeStart[plane]!; step < end && (planeLow | planeHigh) !== 0; step++) {
          const at = offsets[axes + planeAxes[step]!]! + column;
          planeLow &= rows[at]!;
          planeHigh &= rows[at + 1]!;
        }
        low |= planeLow;
        high |= planeHigh;
      }
      for (let fold = 0; fold < folds.length; fold += 3) {
        if (((low & folds[fold + 1]!) | (high & folds[fold + 2]!)) === 0) continue;
        const lane = folds[fold]!;
        if (lane < 32) low |= 1 << lane;
        else high |= 1 << (lane & 31);
      }
      low &= insideLow;
      high &= insideHigh;
      if ((low | high) !== 0) counter.add(RULE_CODES + code, low, high);
    }
  }
}
