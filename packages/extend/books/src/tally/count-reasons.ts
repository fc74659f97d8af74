import { ROWS_A_BLOCK } from '../planes/encoded-rows.ts';
import { FIRST_CODE, INSIDE, OUTSIDE, type ReasonTable } from '../planes/reason-table.ts';
import type { StatePlanes } from '../planes/row-layout.ts';
import type { ReasonCounter } from './reason-counter.ts';

/** Codes of a counter: territory, moratorium, then those of the rules. */
export const TERRITORY = 0;
export const MORATORIUM = 1;
export const RULE_CODES = 2;

/** Rows of a block that some carriers certainly decline. */
export interface DeclinedRows {
  /** By row of the block, who declines it. */
  readonly low: Int32Array;
  readonly high: Int32Array;
  /** Of those that are declined where the carrier writes, one after another: where their axes begin, and by whom. */
  readonly from: Int32Array;
  readonly insideLow: Int32Array;
  readonly insideHigh: Int32Array;
}

export function createDeclinedRows(): DeclinedRows {
  const numbers = () => new Int32Array(ROWS_A_BLOCK);
  return { low: numbers(), high: numbers(), from: numbers(), insideLow: numbers(), insideHigh: numbers() };
}

/**
 * Counts for one row who does not write in its place, and notes as row `at` who declines it though it does; false where
 * nobody does.
 */
export function countPlace(
  { rows, scale }: ReasonTable,
  placeOffset: number,
  { offeredLow, offeredHigh }: StatePlanes,
  low: number,
  high: number,
  counter: ReasonCounter,
  { insideLow, insideHigh }: DeclinedRows,
  at: number,
): boolean {
  const place = placeOffset * scale;
  counter.add(TERRITORY, rows[place + OUTSIDE]! & offeredLow, rows[place + OUTSIDE + 1]! & offeredHigh);
  insideLow[at] = rows[place + INSIDE]! & low;
  insideHigh[at] = rows[place + INSIDE + 1]! & high;
  return (insideLow[at]! | insideHigh[at]!) !== 0;
}

/**
 * Counts, for the rows that were noted, who certainly declines them for which code, each code by itself; nobody else
 * than those that are known to decline. Code by code, so that what each takes is looked up once for all rows.
 */
export function countReasons(
  table: ReasonTable,
  offsets: Int32Array,
  { from, insideLow, insideHigh }: DeclinedRows,
  count: number,
  counter: ReasonCounter,
): void {
  const { rows, scale, codes, folds, always, frontStart, frontAxes, firstPlane, present, planeStart, planeAxes } =
    table;
  const firstPlaneWord = FIRST_CODE + 2 * codes.length;
  // Spare lanes are no carriers: whose they are is seen when they are folded.
  const lanes = folds.length > 0 ? -1 : 0;
  for (let code = 0; code < codes.length; code++) {
    const front = FIRST_CODE + 2 * code;
    const firstFront = frontStart[code]!;
    const lastFront = frontStart[code + 1]!;
    const first = firstPlane[code]!;
    const last = firstPlane[code + 1]!;
    if (first === last && lastFront === firstFront + 1) {
      // Most codes rest on one axis by itself.
      const axis = frontAxes[firstFront]!;
      const alwaysLow = always[2 * code]!;
      const alwaysHigh = always[2 * code + 1]!;
      for (let row = 0; row < count; row++) {
        const at = offsets[from[row]! + axis]! * scale + front;
        const low = (rows[at]! | alwaysLow) & insideLow[row]!;
        const high = (rows[at + 1]! | alwaysHigh) & insideHigh[row]!;
        if ((low | high) !== 0) counter.add(RULE_CODES + code, low, high);
      }
      continue;
    }
    for (let row = 0; row < count; row++) {
      const axes = from[row]!;
      let low = always[2 * code]!;
      let high = always[2 * code + 1]!;
      for (let index = firstFront; index < lastFront; index++) {
        const at = offsets[axes + frontAxes[index]!]! * scale + front;
        low |= rows[at]!;
        high |= rows[at + 1]!;
      }
      for (let plane = first; plane < last; plane++) {
        let planeLow = present[2 * plane]! & (lanes | insideLow[row]!);
        let planeHigh = present[2 * plane + 1]! & (lanes | insideHigh[row]!);
        const column = firstPlaneWord + 2 * plane;
        const end = planeStart[plane + 1]!;
        for (let step = planeStart[plane]!; step < end && (planeLow | planeHigh) !== 0; step++) {
          const at = offsets[axes + planeAxes[step]!]! * scale + column;
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
      low &= insideLow[row]!;
      high &= insideHigh[row]!;
      if ((low | high) !== 0) counter.add(RULE_CODES + code, low, high);
    }
  }
}
