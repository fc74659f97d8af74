import type { LooseAxis, RuleReading } from './rule-reading.ts';

/** Statuses as bits of a set. */
export const ELIGIBLE = 1;
export const REFERRAL = 2;
export const INELIGIBLE = 4;

/**
 * The terms of one carrier on which its status hangs, with the axes that are not settled. Made once a carrier by
 * `openTerms`, in buffers that the next carrier uses again.
 */
export interface OpenTerms {
  /** Words of the carrier. */
  count: number;
  /** First word of the carrier in the table. */
  from: number;
  /** Its terms that can hold but need not, among those that decide. */
  readonly terms: number[];
  /** Whether it refers for certain: only declines are open then. */
  refers: boolean;
  /** Axes that some of them test, by place in the reading's. */
  axes: number;
  readonly axisOf: number[];
  /** By axis of `axisOf`, the terms that it leaves open: `count` words each. */
  readonly openOn: number[];
}

/** What is sure of a carrier before anything is searched; 0: its status is open, and `open` says by what. */
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

/** Gathers what is open for a carrier. */
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

/**
 * Whether every open axis has a value that all open terms fail: then nothing open need hold, and what each
 * term and axis can do is seen one by one.
 */
export function isFree(reading: RuleReading, carrier: number, open: OpenTerms): boolean {
  for (let axis = 0; axis < open.axes; axis++) {
    if (!hasSafeValue(reading, carrier, reading.loose[open.axisOf[axis]!]!, open.openOn, axis * open.count))
      return false;
  }
  return true;
}

/** Whether an axis has a value that the given terms of a carrier all fail. */
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

/**
 * The statuses that a free carrier can come to, as a set; -1 where only a search can tell. `isFree` was found
 * before.
 */
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
  // It refers where a referring term holds and nothing declines with it.
  let isUnsure = false;
  for (let word = 0; word < count; word++) {
    for (let bits = terms[word]! & refer[from + word]!; bits !== 0; bits &= bits - 1) {
      const alone = standsAlone(reading, open, word, bits & -bits, decline, -1);
      if (alone === 'yes') return base | REFERRAL;
      if (alone === 'unsure') isUnsure = true;
    }
  }
  return isUnsure ? -1 : base;
}

/**
 * The axes on which the status of a free carrier hangs, by place in the reading's, into `into`. Gives how many;
 * -1 where only a search can tell of one of them.
 */
export function hangingWhenFree(reading: RuleReading, open: OpenTerms, into: number[]): number {
  let found = 0;
  for (let axis = 0; axis < open.axes; axis++) {
    const answer = makesDifference(reading, open, axis);
    if (answer === 'unsure') return -1;
    if (answer === 'yes') into[found++] = open.axisOf[axis]!;
  }
  return found;
}

type Answer = 'yes' | 'no' | 'unsure';

/** Whether some term holds or not by this axis alone, with nothing as bad to hold in its place. */
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
      const alone = standsAlone(reading, open, word, bit, declines ? decline : undefined, axis);
      if (alone === 'yes') return 'yes';
      if (alone === 'unsure') answer = 'unsure';
    }
  }
  return answer;
}

const rivals: number[] = [];
const onOneAxis: number[] = [];

/**
 * Whether a term can hold where none of `against` does (undefined: no other), axis `without` left aside and
 * everything that the term does not test being safe. `no`: on one of its axes, those against it that test nothing
 * else leave it no value. Its axes are taken one by one, each at the value that leaves the fewest rivals, which
 * finds most ways but not all.
 */
function standsAlone(
  { table, loose }: RuleReading,
  { count, from, terms, axes, axisOf, openOn }: OpenTerms,
  ofWord: number,
  bit: number,
  against: Int32Array | undefined,
  without: number,
): Answer {
  let any = 0;
  for (let word = 0; word < count; word++) {
    let left = against ? terms[word]! & against[from + word]! : terms[word]!;
    // A rival tests nothing but what this term tests: all others fail.
    for (let axis = 0; axis < axes && left !== 0; axis++) {
      if (axis === without || (openOn[axis * count + ofWord]! & bit) === 0) left &= ~openOn[axis * count + word]!;
    }
    rivals[word] = left;
    any |= left;
  }
  const { rows } = table;
  for (let axis = 0; axis < axes && any !== 0; axis++) {
    if (axis === without || (openOn[axis * count + ofWord]! & bit) === 0) continue;
    for (let word = 0; word < count; word++) {
      let left = rivals[word]!;
      for (let other = 0; other < axes && left !== 0; other++)
        if (other !== axis) left &= ~openOn[other * count + word]!;
      onOneAxis[word] = left;
    }
    const some = loose[axisOf[axis]!]!.rows;
    let best = -1;
    let fewest = Number.POSITIVE_INFINITY;
    let leavesValue = false;
    for (let index = 0; index < some.length && fewest > 0; index++) {
      const row = some[index]! + from;
      if ((rows[row + ofWord]! & bit) === 0) continue;
      let left = 0;
      let onOne = 0;
      for (let word = 0; word < count; word++) {
        left += bitCount(rows[row + word]! & rivals[word]!);
        onOne |= rows[row + word]! & onOneAxis[word]!;
      }
      if (onOne === 0) leavesValue = true;
      if (left >= fewest) continue;
      fewest = left;
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
