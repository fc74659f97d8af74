import type { EncodedRows } from './encoded-rows.ts';
import type { PlaneReader } from './plane-reader.ts';
import { FRONT } from './plane-table.ts';
import type { StatePlanes } from './row-layout.ts';

/**
 * ANDs the rows of each plane and ORs the planes of each outcome, for one of the encoded properties. Possible
 * and certain declines and referrals are left in `reader.bits`: possible decline low, high, possible refer,
 * certain decline, certain refer.
 */
export function combinePlanes(
  reader: PlaneReader,
  { offsets, loose, looseCount }: EncodedRows,
  property: number,
  { offeredLow, offeredHigh }: StatePlanes,
): void {
  const { table, frontAxes, bits } = reader;
  const { rows, always, present, planeStart, planeAxes, declinePlanes, width, folds } = table;
  const from = property * (table.axes.length + 1);
  const looseEnd = from + looseCount[property]!;
  let ddl = always[0]!;
  let ddh = always[1]!;
  let drl = always[2]!;
  let drh = always[3]!;
  // What is certain first: for the while, an axis that is not settled stands at its second row.
  for (let index = from; index < looseEnd; index++) offsets[from + loose[index]!]! += width;
  for (let index = 0; index < frontAxes.length; index++) {
    const at = offsets[from + frontAxes[index]!]!;
    ddl |= rows[at]!;
    ddh |= rows[at + 1]!;
    drl |= rows[at + 2]!;
    drh |= rows[at + 3]!;
  }
  let pdl = ddl;
  let pdh = ddh;
  let prl = drl;
  let prh = drh;
  for (let index = from; index < looseEnd; index++) {
    const axis = from + loose[index]!;
    const at = offsets[axis]! - width;
    offsets[axis] = at;
    pdl |= rows[at]!;
    pdh |= rows[at + 1]!;
    prl |= rows[at + 2]!;
    prh |= rows[at + 3]!;
  }
  bits[0] = pdl;
  bits[1] = pdh;
  bits[2] = prl;
  bits[3] = prh;
  bits[4] = ddl;
  bits[5] = ddh;
  bits[6] = drl;
  bits[7] = drh;
  // Everybody who writes there declines already: nothing else matters.
  if (((offeredLow & ~ddl) | (offeredHigh & ~ddh)) === 0) return;
  // Spare lanes are no carriers: whose they are is seen when they are folded.
  const lanesLow = folds.length > 0 ? -1 : offeredLow;
  const lanesHigh = folds.length > 0 ? -1 : offeredHigh;
  const planes = planeStart.length - 1;
  let step = 0;
  for (let plane = 0; plane < planes; plane++) {
    const column = FRONT + 2 * plane;
    const declines = plane < declinePlanes;
    // Who certainly declines is asked no more, nor who refers where a decline is possible.
    let low = present[2 * plane]! & lanesLow & ~(declines ? ddl : pdl | drl);
    let high = present[2 * plane + 1]! & lanesHigh & ~(declines ? ddh : pdh | drh);
    const end = planeStart[plane + 1]!;
    for (; step < end && (low | high) !== 0; step++) {
      const at = offsets[from + planeAxes[step]!]! + column;
      low &= rows[at]!;
      high &= rows[at + 1]!;
    }
    step = end;
    if ((low | high) === 0) continue;
    let certainLow = low;
    let certainHigh = high;
    for (let index = from; index < looseEnd; index++) {
      const at = offsets[from + loose[index]!]! + width + column;
      certainLow &= rows[at]!;
      certainHigh &= rows[at + 1]!;
    }
    if (declines) {
      pdl |= low;
      pdh |= high;
      ddl |= certainLow;
      ddh |= certainHigh;
    } else {
      prl |= low;
      prh |= high;
      drl |= certainLow;
      drh |= certainHigh;
    }
  }
  bits[0] = pdl;
  bits[1] = pdh;
  bits[2] = prl;
  bits[3] = prh;
  bits[4] = ddl;
  bits[5] = ddh;
  bits[6] = drl;
  bits[7] = drh;
  if (folds.length > 0) foldLanes(folds, bits, 0);
}

/** Adds what the spare lanes of a carrier say to its own, in eight words from `from` on: low and high by turns. */
export function foldLanes(folds: Int32Array, bits: Int32Array, from: number): void {
  for (let fold = 0; fold < folds.length; fold += 3) {
    const lane = folds[fold]!;
    const low = folds[fold + 1]!;
    const high = folds[fold + 2]!;
    for (let word = from; word < from + 8; word += 2) {
      if (((bits[word]! & low) | (bits[word + 1]! & high)) !== 0) bits[word + (lane >> 5)]! |= 1 << (lane & 31);
    }
  }
}
