import type { EncodedRows } from '../planes/plane-reader.ts';
import { FIRST_CODE, INSIDE, OUTSIDE, type ReasonTable } from '../planes/reason-table.ts';
import type { StatePlanes } from '../planes/row-layout.ts';
import type { ReasonCounter } from './reason-counter.ts';

/** Codes of a counter: territory, moratorium, then those of the rules. */
export const TERRITORY = 0;
export const MORATORIUM = 1;
export const RULE_CODES = 2;

/**
 * Counts, for one of the encoded rows, who certainly declines it for which code, each code by itself; nobody
 * else than those that are known to decline it.
 */
export function countReasons(
  { rows, scale, codes, folds, always, frontStart, frontAxes, firstPlane, present, planeStart, planeAxes }: ReasonTable,
  { offsets }: EncodedRows,
  from: number,
  { offeredLow, offeredHigh }: StatePlanes,
  declinedLow: number,
  declinedHigh: number,
  counter: ReasonCounter,
): void {
  const place = offsets[from]! * scale;
  counter.add(TERRITORY, rows[place + OUTSIDE]! & offeredLow, rows[place + OUTSIDE + 1]! & offeredHigh);
  const insideLow = rows[place + INSIDE]! & declinedLow;
  const insideHigh = rows[place + INSIDE + 1]! & declinedHigh;
  if ((insideLow | insideHigh) === 0) return;
  const codeCount = codes.length;
  const firstPlaneWord = FIRST_CODE + 2 * codeCount;
  for (let code = 0; code < codeCount; code++) {
    let low = always[2 * code]!;
    let high = always[2 * code + 1]!;
    const front = FIRST_CODE + 2 * code;
    for (let index = frontStart[code]!; index < frontStart[code + 1]!; index++) {
      const at = offsets[from + frontAxes[index]!]! * scale + front;
      low |= rows[at]!;
      high |= rows[at + 1]!;
    }
    for (let plane = firstPlane[code]!; plane < firstPlane[code + 1]!; plane++) {
      let planeLow = present[2 * plane]! & insideLow;
      let planeHigh = present[2 * plane + 1]! & insideHigh;
      const column = firstPlaneWord + 2 * plane;
      const end = planeStart[plane + 1]!;
      for (let step = planeStart[plane]!; step < end && (planeLow | planeHigh) !== 0; step++) {
        const at = offsets[from + planeAxes[step]!]! * scale + column;
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
    counter.add(RULE_CODES + code, low & insideLow, high & insideHigh);
  }
}
