import { STATUS_CODES, type Vocabulary } from '@leeward/engine';
import type { BookColumns } from '../columns/book-columns.ts';
import type { BookGroup } from '../planes/book-tables.ts';
import { foldLanes } from '../planes/combine-planes.ts';
import { createEncodedRows, ROWS_A_BLOCK } from '../planes/encoded-rows.ts';
import { type OutcomePairs, pairTablesOf } from '../planes/pair-tables.ts';
import { fourCodes } from '../planes/status-codes.ts';
import { createAxisEncoders } from './axis-encoder.ts';
import { createOpenSettler, type OpenSettler } from './open-settler.ts';
import { createPlaceEncoder } from './place-encoder.ts';

/** Words of a row that is judged: possible decline low, high, possible refer, certain decline, certain refer. */
const WORDS = 8;

/** Judges rows of columns by pairs of axes, where nobody asks why. */
export interface BlockJudge {
  /**
   * Judges up to `ROWS_A_BLOCK` rows: `rows[from]` and on. The codes of each are written from byte `starts[0]` and on; of rows with
   * nothing to judge none are.
   */
  judge(columns: BookColumns, rows: Int32Array, from: number, count: number, codes: DataView, starts: Int32Array): void;
}

export function createBlockJudge(group: BookGroup, vocabulary: Vocabulary, asOfMs: number): BlockJudge {
  const { table } = group;
  const { widths, words, decline, refer } = pairTablesOf(table);
  const { folds, carrierCount } = table;
  const axisCount = table.axes.length + 1;
  const block = createEncodedRows(ROWS_A_BLOCK, axisCount);
  const places = createPlaceEncoder(table, asOfMs, block, widths[0]!);
  const { stateNumbers, byState, hasMoratoria, eachMoratorium } = places;
  const widthOf = (axis: number) => widths[axis]!;
  const encoders = createAxisEncoders(table, vocabulary, widthOf);
  let settler: OpenSettler | undefined;
  const found = new Int32Array(WORDS * ROWS_A_BLOCK);
  const lowCarriers = Math.min(carrierCount, 32);
  const highCarriers = carrierCount - lowCarriers;

  const addMoratoria = (count: number) => {
    for (let index = 0; index < count; index++) {
      if (stateNumbers[index]! < 0) continue;
      eachMoratorium(index, (word, bit, isCertain) => {
        found[WORDS * index + word]! |= bit;
        if (isCertain) found[WORDS * index + 4 + word]! |= bit;
      });
    }
  };

  return {
    judge(columns, rows, from, count, codes, starts) {
      places.encode(columns, rows, from, count);
      for (const encode of encoders) encode(block, columns, rows, from, count);
      findOutcome(words, decline, block.offsets, axisCount, count, found, 0);
      findOutcome(words, refer, block.offsets, axisCount, count, found, 2);
      if (folds.length > 0) for (let index = 0; index < count; index++) foldLanes(folds, found, WORDS * index);
      if (hasMoratoria) addMoratoria(count);
      for (let index = 0; index < count; index++) {
        const number = stateNumbers[index]!;
        if (number < 0) continue;
        const { offeredLow, offeredHigh } = byState[number]!;
        const at = starts[index]!;
        const row = WORDS * index;
        const openLow = writeHalf(codes, at, lowCarriers, found, row, offeredLow);
        const openHigh = highCarriers > 0 ? writeHalf(codes, at + 32, highCarriers, found, row + 1, offeredHigh) : 0;
        if ((openLow | openHigh) === 0) continue;
        settler ??= createOpenSettler({ table, boxes: group.boxes, vocabulary, asOfMs, block, widthOf });
        if (settler.settle(columns, rows[from + index]!, index, openLow, openHigh, found[row]!, found[row + 1]!))
          writeSettled(codes, at, settler.settled);
      }
    },
  };
}

const SETTLED_CODES = (['ineligible', 'referral', 'eligible'] as const).map((status) => STATUS_CODES.indexOf(status));

/** Writes the codes of carriers that a search settled. */
function writeSettled(codes: DataView, at: number, settled: Int32Array): void {
  for (let word = 0; word < settled.length; word++) {
    for (let bits = settled[word]!; bits !== 0; bits &= bits - 1) {
      const carrier = 32 * (word & 1) + 31 - Math.clz32(bits & -bits);
      codes.setUint8(at + carrier, SETTLED_CODES[word >> 1]!);
    }
  }
}

/** Settles the verdicts of up to 32 carriers, and writes them. Gives those that are open. */
function writeHalf(
  codes: DataView,
  at: number,
  carriers: number,
  found: Int32Array,
  row: number,
  offered: number,
): number {
  const declines = found[row]!;
  const ineligible = found[row + 4]! & offered;
  const referral = found[row + 6]! & ~declines & offered;
  const eligible = ~(declines | found[row + 2]!) & offered;
  // Eligible is 1, referral 2, needs information 3, ineligible 4.
  const ones = offered & ~(ineligible | referral);
  const twos = offered & ~(ineligible | eligible);
  const whole = carriers & ~3;
  for (let shift = 0; shift < whole; shift += 4)
    codes.setInt32(at + shift, fourCodes(ones >>> shift, twos >>> shift, ineligible >>> shift), true);
  if (whole === carriers) return ones & twos;
  const last = fourCodes(ones >>> whole, twos >>> whole, ineligible >>> whole);
  for (let carrier = whole; carrier < carriers; carrier++) codes.setUint8(at + carrier, last >>> (8 * (carrier & 3)));
  return ones & twos;
}

/** Finds who has an outcome at the rows of a block, possibly and certainly: two words each, from word `word` and from the fourth behind it. */
function findOutcome(
  words: Int32Array,
  { always, pairs, singles, planes, end }: OutcomePairs,
  offsets: Int32Array,
  axisCount: number,
  count: number,
  found: Int32Array,
  word: number,
): void {
  const [alwaysLow, alwaysHigh] = [always[0]!, always[1]!];
  // `| 0` says that sums are small: they are not looked at for more.
  for (let index = 0; index < count; index++) {
    const from = (index * axisCount) | 0;
    let possibleLow = alwaysLow;
    let possibleHigh = alwaysHigh;
    let certainLow = alwaysLow;
    let certainHigh = alwaysHigh;
    let step = pairs;
    for (; step < singles; step = (step + 4) | 0) {
      const one = (offsets[(from + words[step]!) | 0]! + words[(step + 1) | 0]!) | 0;
      const two = (offsets[(from + words[(step + 2) | 0]!) | 0]! + words[(step + 3) | 0]!) | 0;
      const at = (words[one]! + words[two]!) | 0;
      possibleLow |= words[at]!;
      possibleHigh |= words[(at + 1) | 0]!;
      certainLow |= words[(at + 2) | 0]!;
      certainHigh |= words[(at + 3) | 0]!;
    }
    for (; step < planes; step = (step + 2) | 0) {
      const at = words[(offsets[(from + words[step]!) | 0]! + words[(step + 1) | 0]!) | 0]!;
      possibleLow |= words[at]!;
      possibleHigh |= words[(at + 1) | 0]!;
      certainLow |= words[(at + 2) | 0]!;
      certainHigh |= words[(at + 3) | 0]!;
    }
    while (step < end) {
      let low = words[step]!;
      let high = words[(step + 1) | 0]!;
      const next = words[(step + 2) | 0]!;
      let mustLow = low;
      let mustHigh = high;
      for (step = (step + 3) | 0; step < next; step = (step + 2) | 0) {
        const at = words[(offsets[(from + words[step]!) | 0]! + words[(step + 1) | 0]!) | 0]!;
        low &= words[at]!;
        high &= words[(at + 1) | 0]!;
        mustLow &= words[(at + 2) | 0]!;
        mustHigh &= words[(at + 3) | 0]!;
      }
      possibleLow |= low;
      possibleHigh |= high;
      certainLow |= mustLow;
      certainHigh |= mustHigh;
    }
    const to = (WORDS * index + word) | 0;
    found[to] = possibleLow;
    found[(to + 1) | 0] = possibleHigh;
    found[(to + 4) | 0] = certainLow;
    found[(to + 5) | 0] = certainHigh;
  }
}
