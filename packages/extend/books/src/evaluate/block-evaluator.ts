import { STATUS_CODES, type Vocabulary } from '@leeward/engine';
import type { BookColumns } from '../columns/book-columns.ts';
import { RowFacts } from '../columns/row-facts.ts';
import type { BookGroup } from '../planes/book-tables.ts';
import { createEncodedRows, type EncodedRows, ROWS_A_BLOCK } from '../planes/encoded-rows.ts';
import { foldLanes } from '../planes/lanes.ts';
import { type OutcomePairs, type PairTables, pairTablesOf } from '../planes/pair-tables.ts';
import type { StatePlanes } from '../planes/row-layout.ts';
import type { Declines } from '../tally/count-reasons.ts';
import { type AxisEncoder, createAxisEncoders } from './axis-encoder.ts';
import { createOpenSettler, type OpenSettler } from './open-settler.ts';
import { createPlaceEncoder, type PlaceEncoder } from './place-encoder.ts';

/** Words of a row: possible decline (low, high), possible refer, certain decline, certain refer. */
const WORDS = 8;

/** Evaluates blocks of rows by pair tables. Its buffers hold the last block. */
export class BlockEvaluator {
  /** By axis, the factor by which `block` multiplies row numbers. */
  readonly widths: Int32Array;
  readonly block: EncodedRows;
  /** Carriers that certainly decline, by row of the block. */
  readonly declines: Declines = { low: new Int32Array(ROWS_A_BLOCK), high: new Int32Array(ROWS_A_BLOCK) };
  readonly places: PlaceEncoder;
  readonly #group: BookGroup;
  readonly #vocabulary: Vocabulary;
  readonly #asOfMs: number;
  readonly #facts: RowFacts;
  readonly #pairs: PairTables;
  readonly #encoders: readonly AxisEncoder[];
  readonly #outcomes = new Int32Array(WORDS * ROWS_A_BLOCK);
  #settler: OpenSettler | undefined;

  /** @param effectiveDate With `asOfMs`, of columns without moments. */
  constructor(group: BookGroup, vocabulary: Vocabulary, asOfMs: number, effectiveDate: string) {
    const { table } = group;
    this.#group = group;
    this.#vocabulary = vocabulary;
    this.#asOfMs = asOfMs;
    this.#facts = new RowFacts(vocabulary, table.effectiveYear, { asOfMs, effectiveDate });
    this.#pairs = pairTablesOf(table);
    this.widths = this.#pairs.widths;
    this.block = createEncodedRows(ROWS_A_BLOCK, this.widths.length);
    this.places = createPlaceEncoder(table, asOfMs, this.block, this.widths[0]!);
    this.#encoders = createAxisEncoders(table, vocabulary, (axis) => this.widths[axis]!, this.#facts);
  }

  /**
   * Evaluates up to `ROWS_A_BLOCK` consecutive `rows` from `from` on. Writes the codes of a row from byte `starts[index]` on, unless no
   * carrier offers anything there.
   */
  evaluate(
    columns: BookColumns,
    rows: Int32Array,
    from: number,
    count: number,
    codes: DataView,
    starts: Int32Array,
  ): void {
    const { table } = this.#group;
    const { stateNumbers, hasMoratoria } = this.places;
    const outcomes = this.#outcomes;
    this.places.encode(columns, rows, from, count);
    for (const encode of this.#encoders) encode(this.block, columns, rows, from, count);
    const { words, decline, refer } = this.#pairs;
    findOutcome(words, decline, this.block.offsets, this.widths.length, count, outcomes, 0);
    findOutcome(words, refer, this.block.offsets, this.widths.length, count, outcomes, 2);
    if (table.folds.length > 0)
      for (let index = 0; index < count; index++) foldLanes(table.folds, outcomes, WORDS * index);
    if (hasMoratoria) this.#addMoratoria(count);
    const lowCarriers = Math.min(table.carrierCount, 32);
    const highCarriers = table.carrierCount - lowCarriers;
    const { low, high } = this.declines;
    for (let index = 0; index < count; index++) {
      low[index] = 0;
      high[index] = 0;
      if (stateNumbers[index]! < 0) continue;
      const { offeredLow, offeredHigh } = this.stateOf(index);
      const at = starts[index]!;
      const row = WORDS * index;
      low[index] = outcomes[row + 4]! & offeredLow;
      high[index] = outcomes[row + 5]! & offeredHigh;
      const openLow = writeHalf(codes, at, lowCarriers, outcomes, row, offeredLow);
      const openHigh = highCarriers > 0 ? writeHalf(codes, at + 32, highCarriers, outcomes, row + 1, offeredHigh) : 0;
      if ((openLow | openHigh) !== 0) this.#settle(columns, rows[from + index]!, index, openLow, openHigh, codes, at);
    }
  }

  stateOf(index: number): StatePlanes {
    return this.places.byState[this.places.stateNumbers[index]!]!;
  }

  #addMoratoria(count: number): void {
    const outcomes = this.#outcomes;
    for (let index = 0; index < count; index++) {
      if (this.places.stateNumbers[index]! < 0) continue;
      this.places.eachMoratorium(index, (word, bit, isCertain) => {
        outcomes[WORDS * index + word]! |= bit;
        if (isCertain) outcomes[WORDS * index + 4 + word]! |= bit;
      });
    }
  }

  /** Writes the codes of open carriers whose terms together settle the status. */
  #settle(
    columns: BookColumns,
    row: number,
    index: number,
    openLow: number,
    openHigh: number,
    codes: DataView,
    at: number,
  ): void {
    const { table, boxes } = this.#group;
    this.#settler ??= createOpenSettler({
      table,
      boxes,
      vocabulary: this.#vocabulary,
      facts: this.#facts,
      asOfMs: this.#asOfMs,
      block: this.block,
      widthOf: (axis) => this.widths[axis]!,
    });
    const [declinesLow, declinesHigh] = [this.#outcomes[WORDS * index]!, this.#outcomes[WORDS * index + 1]!];
    if (!this.#settler.settle(columns, row, index, openLow, openHigh, declinesLow, declinesHigh)) return;
    const { settled } = this.#settler;
    writeSettled(codes, at, settled);
    this.declines.low[index]! |= settled[0]!;
    this.declines.high[index]! |= settled[1]!;
  }
}

const SETTLED_CODES = (['ineligible', 'referral', 'eligible'] as const).map((status) => STATUS_CODES.indexOf(status));

function writeSettled(codes: DataView, at: number, settled: Int32Array): void {
  for (let word = 0; word < settled.length; word++) {
    for (let bits = settled[word]!; bits !== 0; bits &= bits - 1) {
      const carrier = 32 * (word & 1) + 31 - Math.clz32(bits & -bits);
      codes.setUint8(at + carrier, SETTLED_CODES[word >> 1]!);
    }
  }
}

/** Writes the codes of up to 32 carriers. Returns the carriers whose status is open. */
function writeHalf(
  codes: DataView,
  at: number,
  carriers: number,
  outcomes: Int32Array,
  row: number,
  offered: number,
): number {
  const declines = outcomes[row]!;
  const ineligible = outcomes[row + 4]! & offered;
  const referral = outcomes[row + 6]! & ~declines & offered;
  const eligible = ~(declines | outcomes[row + 2]!) & offered;
  // The binary digits of codes: eligible is 1, referral 2, needs information 3, ineligible 4.
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

/** Codes of the carriers in the lowest four bits, a byte each. */
function fourCodes(ones: number, twos: number, fours: number): number {
  return spreadBits(ones) | (spreadBits(twos) << 1) | (spreadBits(fours) << 2);
}

/** Moves the lowest four bits into a byte each. */
function spreadBits(bits: number): number {
  return Math.imul(bits & 15, 0x20_40_81) & 0x01_01_01_01;
}

/** Writes the carriers that have an outcome, for each row of a block: possibly at `word` and the next, certainly four words later. */
function findOutcome(
  words: Int32Array,
  { always, pairs, singles, planes, end }: OutcomePairs,
  offsets: Int32Array,
  axisCount: number,
  count: number,
  outcomes: Int32Array,
  word: number,
): void {
  const [alwaysLow, alwaysHigh] = [always[0]!, always[1]!];
  // `| 0` keeps sums in 32-bit integers, without overflow checks in V8.
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
      let everyLow = low;
      let everyHigh = high;
      for (step = (step + 3) | 0; step < next; step = (step + 2) | 0) {
        const at = words[(offsets[(from + words[step]!) | 0]! + words[(step + 1) | 0]!) | 0]!;
        low &= words[at]!;
        high &= words[(at + 1) | 0]!;
        everyLow &= words[(at + 2) | 0]!;
        everyHigh &= words[(at + 3) | 0]!;
      }
      possibleLow |= low;
      possibleHigh |= high;
      certainLow |= everyLow;
      certainHigh |= everyHigh;
    }
    const to = (WORDS * index + word) | 0;
    outcomes[to] = possibleLow;
    outcomes[(to + 1) | 0] = possibleHigh;
    outcomes[(to + 4) | 0] = certainLow;
    outcomes[(to + 5) | 0] = certainHigh;
  }
}
