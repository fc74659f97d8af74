/**
 * The status of one carrier from its rule table, usually without a search.
 *
 * A table holds the terms of all carriers as bits. ANDing one row for each axis leaves the possible and the certain terms. If they do
 * not settle the status, each unknown axis is checked for a safe value, at which all open terms of the carrier fail. If every open axis
 * has one, the carrier is called free: its open terms can be examined one by one. Otherwise the status needs a search
 * (`compiled/settle`).
 */
import type { LooseAxis, RuleReading } from './rule-reading.ts';

export const ELIGIBLE = 1;
export const REFERRAL = 2;
export const INELIGIBLE = 4;

/** Open terms of one carrier and the unsettled axes they test. `findOpenTerms` reuses the buffers. */
export interface OpenTerms {
  count: number;
  from: number;
  /** Its deciding terms that can hold but need not. */
  readonly terms: number[];
  /** True if the carrier certainly refers: then only declines are open. */
  refers: boolean;
  axes: number;
  readonly axisOf: number[];
  /** For each axis of `axisOf`, the terms that it leaves open: `count` words each. */
  readonly openOn: number[];
}

/** 0 if the status needs a search. */
export function settledStatus({ table, possible, certain }: RuleReading, carrier: number): number {
  const { firstWord, decline, refer } = table;
  let certainDecline = 0;
  let possibleDecline = 0;
  let certainRefer = 0;
  let possibleRefer = 0;
  for (let word = firstWord[carrier]!; word < firstWord[carrier + 1]!; word++) {
    certainDecline |= certain[word]! & decline[word]!;
    possibleDecline |= possible[word]! & decline[word]!;
    certainRefer |= certain[word]! & refer[word]!;
    possibleRefer |= possible[word]! & refer[word]!;
  }
  if (certainDecline !== 0) return INELIGIBLE;
  if (possibleDecline !== 0) return 0;
  if (certainRefer !== 0) return REFERRAL;
  return possibleRefer !== 0 ? 0 : ELIGIBLE;
}

export function createOpenTerms(): OpenTerms {
  return { count: 0, from: 0, terms: [], refers: false, axes: 0, axisOf: [], openOn: [] };
}

export function findOpenTerms(reading: RuleReading, carrier: number, open: OpenTerms): void {
  const { table, possible, certain, loose } = reading;
  const { firstWord, decline, refer, deciding } = table;
  const from = firstWord[carrier]!;
  const count = firstWord[carrier + 1]! - from;
  open.from = from;
  open.count = count;
  let refers = 0;
  for (let word = from; word < from + count; word++) refers |= certain[word]! & refer[word]!;
  open.refers = refers !== 0;
  for (let word = 0; word < count; word++) {
    const at = from + word;
    const outcome = decline[at]! | (refers !== 0 ? 0 : refer[at]!);
    open.terms[word] = possible[at]! & ~certain[at]! & deciding[at]! & outcome;
  }
  open.axes = 0;
  for (let index = 0; index < loose.length; index++) {
    const { every, everyFrom } = loose[index]!;
    const base = open.axes * count;
    let any = 0;
    for (let word = 0; word < count; word++) {
      const bits = open.terms[word]! & ~every[everyFrom + from + word]!;
      open.openOn[base + word] = bits;
      any |= bits;
    }
    if (any !== 0) open.axisOf[open.axes++] = index;
  }
}

/** True if every open axis has a value at which all open terms fail. Each open term can then be examined separately. */
export function isFree(reading: RuleReading, carrier: number, open: OpenTerms): boolean {
  for (let axis = 0; axis < open.axes; axis++) {
    if (!hasSafeValue(reading, carrier, reading.loose[open.axisOf[axis]!]!, open.openOn, axis * open.count))
      return false;
  }
  return true;
}

export function hasSafeValue(
  { table }: RuleReading,
  carrier: number,
  { axis, rows: some, isUnknown }: LooseAxis,
  terms: readonly number[],
  at: number,
): boolean {
  if (isUnknown && axis.safeRow[carrier]! >= 0) return true;
  const { rows, firstWord } = table;
  const from = firstWord[carrier]!;
  const count = firstWord[carrier + 1]! - from;
  for (let index = 0; index < some.length; index++) {
    const row = some[index]! + from;
    let word = 0;
    while (word < count && (rows[row + word]! & terms[at + word]!) === 0) word++;
    if (word === count) return true;
  }
  return false;
}

/** The possible statuses of a free carrier as a set; -1 if that needs a search. Requires `isFree`. */
export function possibleWhenFree(reading: RuleReading, open: OpenTerms): number {
  const { decline, refer } = reading.table;
  const { count, from, terms, refers } = open;
  let declines = 0;
  let referring = 0;
  for (let word = 0; word < count; word++) {
    declines |= terms[word]! & decline[from + word]!;
    referring |= terms[word]! & refer[from + word]!;
  }
  const base = (refers ? REFERRAL : ELIGIBLE) | (declines !== 0 ? INELIGIBLE : 0);
  if (refers || referring === 0) return base;
  let isUnsure = false;
  for (let word = 0; word < count; word++) {
    for (let bits = terms[word]! & refer[from + word]!; bits !== 0; bits &= bits - 1) {
      const canHold = canHoldAlone(reading, open, word, bits & -bits, decline, -1);
      if (canHold === 'yes') return base | REFERRAL;
      if (canHold === 'unsure') isUnsure = true;
    }
  }
  return isUnsure ? -1 : base;
}

/** Writes the axes that the status of a free carrier depends on to `into`. Returns their number; -1 if that needs a search. */
export function decisiveWhenFree(reading: RuleReading, open: OpenTerms, into: number[]): number {
  let count = 0;
  for (let axis = 0; axis < open.axes; axis++) {
    const answer = makesDifference(reading, open, axis);
    if (answer === 'unsure') return -1;
    if (answer === 'yes') into[count++] = open.axisOf[axis]!;
  }
  return count;
}

type Answer = 'yes' | 'no' | 'unsure';

/** True if some term depends on this axis alone, without an equally strict term. */
function makesDifference(reading: RuleReading, open: OpenTerms, axis: number): Answer {
  const { count, from, axes, openOn } = open;
  const { decline } = reading.table;
  for (let word = 0; word < count; word++) {
    let others = 0;
    for (let other = 0; other < axes; other++) if (other !== axis) others |= openOn[other * count + word]!;
    if ((openOn[axis * count + word]! & ~others) !== 0) return 'yes';
  }
  let answer: Answer = 'no';
  for (let word = 0; word < count; word++) {
    for (let bits = openOn[axis * count + word]!; bits !== 0; bits &= bits - 1) {
      const bit = bits & -bits;
      const declines = (decline[from + word]! & bit) !== 0;
      const canHold = canHoldAlone(reading, open, word, bit, declines ? decline : undefined, axis);
      if (canHold === 'yes') return 'yes';
      if (canHold === 'unsure') answer = 'unsure';
    }
  }
  return answer;
}

const rivals: number[] = [];
const onOneAxis: number[] = [];

/**
 * Tests if a term can hold while no term of `against` does. Ignores axis `without`; axes that the term does not test take safe values.
 * Fixes the axes of the term one by one, each at the value that leaves the fewest rivals: this finds most solutions, not all. `no` is
 * certain: on one axis, rivals that test only this axis exclude every value.
 *
 * @param against undefined for all other terms
 */
function canHoldAlone(
  { table, loose }: RuleReading,
  { count, from, terms, axes, axisOf, openOn }: OpenTerms,
  ofWord: number,
  bit: number,
  against: Int32Array | undefined,
  without: number,
): Answer {
  let any = 0;
  for (let word = 0; word < count; word++) {
    let remaining = against ? terms[word]! & against[from + word]! : terms[word]!;
    // A rival tests only axes of this term: all others can fail.
    for (let axis = 0; axis < axes && remaining !== 0; axis++) {
      if (axis === without || (openOn[axis * count + ofWord]! & bit) === 0) remaining &= ~openOn[axis * count + word]!;
    }
    rivals[word] = remaining;
    any |= remaining;
  }
  const { rows } = table;
  for (let axis = 0; axis < axes && any !== 0; axis++) {
    if (axis === without || (openOn[axis * count + ofWord]! & bit) === 0) continue;
    for (let word = 0; word < count; word++) {
      let remaining = rivals[word]!;
      for (let other = 0; other < axes && remaining !== 0; other++)
        if (other !== axis) remaining &= ~openOn[other * count + word]!;
      onOneAxis[word] = remaining;
    }
    const some = loose[axisOf[axis]!]!.rows;
    let best = -1;
    let minRivals = Number.POSITIVE_INFINITY;
    let leavesValue = false;
    for (let index = 0; index < some.length && minRivals > 0; index++) {
      const row = some[index]! + from;
      if ((rows[row + ofWord]! & bit) === 0) continue;
      let rivalCount = 0;
      let onOne = 0;
      for (let word = 0; word < count; word++) {
        rivalCount += bitCount(rows[row + word]! & rivals[word]!);
        onOne |= rows[row + word]! & onOneAxis[word]!;
      }
      if (onOne === 0) leavesValue = true;
      if (rivalCount >= minRivals) continue;
      minRivals = rivalCount;
      best = row;
    }
    if (!leavesValue) return 'no';
    any = 0;
    for (let word = 0; word < count; word++) {
      rivals[word]! &= rows[best + word]!;
      any |= rivals[word]!;
    }
  }
  return any === 0 ? 'yes' : 'unsure';
}

function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
