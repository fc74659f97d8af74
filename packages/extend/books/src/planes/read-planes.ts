import { has, intersects, isWithinSet } from '../compiled/cell-set.ts';
import type { Knowledge, Within } from '../request/knowledge.ts';
import { combinePlanes } from './combine-planes.ts';
import { cellOfNumber, type NumberEncoder } from './encoder.ts';
import type { PlaneReader } from './plane-reader.ts';
import type { MoratoriumPlane, PlaneTable } from './plane-table.ts';
import { SEARCHED } from './row-finder.ts';
import type { FieldAxis, StatePlanes } from './row-layout.ts';
import { fourCodes } from './status-codes.ts';

/**
 * Status codes of a book, one byte a carrier: what `readPlanes` writes, and one for carriers whose rules ask the host,
 * of which nothing is known here.
 */
export const STATUS_CODES = [
  'not_offered',
  'eligible',
  'referral',
  'needs_information',
  'ineligible',
  'not_judged',
] as const;
export const NOT_JUDGED = STATUS_CODES.indexOf('not_judged');

/** What a reading needs of a property. */
export interface PlaneQuestion {
  readonly state: string;
  readonly counties: readonly string[] | undefined;
  readonly values: readonly Knowledge[];
  readonly asOfMs: number;
}

/** Judges one home by bit algebra; the answer is in `reader.bits`. No loop over carriers, none over rules. */
export function readPlanes(reader: PlaneReader, question: PlaneQuestion): void {
  const { table, encoded, bits } = reader;
  const { offsets, loose, looseCount } = encoded;
  const state = table.place.states.get(question.state);
  if (state === undefined) {
    bits.fill(0);
    return;
  }
  reader.usesScratch = false;
  let count = encodePlace(reader, question, state);
  const { axes, width } = table;
  const { fields, direct, zeroAt, words } = reader.finder;
  const { values } = question;
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index]!;
    const value = field >= 0 ? values[field] : testValue(reader, index, question);
    if (typeof value === 'number') {
      const zero = zeroAt[index]!;
      offsets[index + 1] = zero === SEARCHED ? searchedRow(axes[index]!, value) * width : direct[zero + value]!;
    } else if (typeof value === 'string') {
      offsets[index + 1] = words[index]!.get(value)!;
    } else {
      const axis = axes[index]!;
      offsets[index + 1] = (value === undefined ? axis.firstRow : rowWithin(reader, index, axis, value)) * width;
      loose[count++] = index + 1;
    }
  }
  looseCount[0] = count;
  combinePlanes(reader, encoded, 0, state);
  applyMoratoria(reader, state, question);
  settleBits(reader, state);
}

/** Adds the moratoria in force to the declines. */
function applyMoratoria({ table, bits }: PlaneReader, state: StatePlanes, question: PlaneQuestion): void {
  for (const moratorium of table.moratoria) {
    if (question.asOfMs < moratorium.fromMs || question.asOfMs >= moratorium.untilMs) continue;
    const word = moratorium.carrier >> 5;
    const bit = 1 << (moratorium.carrier & 31);
    const [possible, certain] = moratoriumTruth(moratorium, table, state, question);
    if (possible) bits[word]! |= bit;
    if (certain) bits[4 + word]! |= bit;
  }
}

/**
 * Works out the verdicts: `reader.bits` becomes ineligible, referral, eligible, needs information, possible decline, each
 * low, high.
 */
export function settleBits({ bits }: PlaneReader, { offeredLow, offeredHigh }: StatePlanes): void {
  const pdl = bits[0]!;
  const pdh = bits[1]!;
  const ineligibleLow = bits[4]! & offeredLow;
  const ineligibleHigh = bits[5]! & offeredHigh;
  const referralLow = bits[6]! & ~pdl & offeredLow;
  const referralHigh = bits[7]! & ~pdh & offeredHigh;
  const eligibleLow = ~(pdl | bits[2]!) & offeredLow;
  const eligibleHigh = ~(pdh | bits[3]!) & offeredHigh;
  bits[0] = ineligibleLow;
  bits[1] = ineligibleHigh;
  bits[2] = referralLow;
  bits[3] = referralHigh;
  bits[4] = eligibleLow;
  bits[5] = eligibleHigh;
  bits[6] = offeredLow & ~(ineligibleLow | referralLow | eligibleLow);
  bits[7] = offeredHigh & ~(ineligibleHigh | referralHigh | eligibleHigh);
  bits[8] = pdl;
  bits[9] = pdh;
}

function encodePlace(reader: PlaneReader, question: PlaneQuestion, state: StatePlanes): number {
  const { table, encoded } = reader;
  const { offsets, loose } = encoded;
  const { place, width } = table;
  const { counties } = question;
  if (counties?.length === 1) {
    const cell = place.cellByCounty.get(counties[0]!) ?? state.otherCell;
    offsets[0] = cell * width;
    return 0;
  }
  let row = state.unknownRow;
  if (counties !== undefined) {
    row = reader.scratchRow;
    const meant = counties.map((county) => place.cellByCounty.get(county) ?? state.otherCell);
    combineRows(reader, row, 0, meant);
  }
  offsets[0] = row * width;
  loose[0] = 0;
  return 1;
}

function searchedRow({ encoder, firstRow }: FieldAxis, value: number): number {
  return firstRow + 2 + cellOfNumber(encoder as NumberEncoder, value);
}

/** The answer of a test that is an axis of its own, as its cell; undefined where it is not known. */
function testValue({ testCells, table }: PlaneReader, index: number, question: PlaneQuestion): number | undefined {
  const { policyType, effectiveYear } = table;
  const county = question.counties?.length === 1 ? question.counties[0] : undefined;
  const surroundings = { state: question.state, county, policyType, effectiveYear };
  const cell = testCells[index]!((field) => question.values[field], surroundings);
  return cell < 0 ? undefined : cell;
}

/** The row of knowledge within bounds: one laid out beforehand, or put together in the scratch rows. */
function rowWithin(reader: PlaneReader, index: number, axis: FieldAxis, within: Within): number {
  const { encoder } = axis;
  const cells: number[] = [];
  if (encoder.kind === 'word') {
    if (within.kind === 'one of') for (const word of within.words) cells.push(encoder.cells.get(word)!);
  } else if (encoder.kind === 'number' && within.kind === 'between') {
    const first = cellOfNumber(encoder, within.min);
    const last = cellOfNumber(encoder, within.max);
    if (last === axis.size - 1 && axis.fromRow >= 0) return axis.fromRow + 2 * first;
    if (first === 0 && axis.upToRow >= 0) return axis.upToRow + 2 * last;
    for (let cell = first; cell <= last; cell++) cells.push(cell);
  }
  const row = reader.scratchRow + 2 * (index + 1);
  combineRows(reader, row, axis.firstRow + 2, cells);
  return row;
}

/** Possible: what any of the rows lets through, into `row`; certain: what all do, into the next. */
function combineRows(reader: PlaneReader, row: number, firstCellRow: number, cells: readonly number[]): void {
  const { rows } = reader;
  const { width } = reader.table;
  reader.usesScratch = true;
  for (let word = 0; word < width; word++) {
    let any = 0;
    let every = -1;
    for (const cell of cells) {
      const bits = rows[(firstCellRow + cell) * width + word]!;
      any |= bits;
      every &= bits;
    }
    rows[row * width + word] = any;
    rows[(row + 1) * width + word] = every;
  }
}

function moratoriumTruth(
  { cells, cellsOfState }: MoratoriumPlane,
  table: PlaneTable,
  { otherCell }: StatePlanes,
  { counties, state }: PlaneQuestion,
): readonly [possible: boolean, certain: boolean] {
  const at = (county: string) => has(cells, table.place.cellByCounty.get(county) ?? otherCell);
  if (counties !== undefined) return [counties.some(at), counties.every(at)];
  const here = cellsOfState.get(state)!;
  return [intersects(here, cells), isWithinSet(here, cells)];
}

/** Writes one status code a carrier from the bits of the last reading. */
export function writeStatuses({ bits, table }: PlaneReader, out: Uint8Array, from: number): void {
  const { carrierCount } = table;
  for (let word = 0; word < 2; word++) {
    const open = bits[6 + word]!;
    const ones = bits[4 + word]! | open;
    const twos = bits[2 + word]! | open;
    const end = Math.min(carrierCount - 32 * word, 32);
    for (let shift = 0; shift < end; shift += 4) {
      const codes = fourCodes(ones >>> shift, twos >>> shift, bits[word]! >>> shift);
      const at = from + 32 * word + shift;
      out[at] = codes;
      if (shift + 1 < end) out[at + 1] = codes >>> 8;
      if (shift + 2 < end) out[at + 2] = codes >>> 16;
      if (shift + 3 < end) out[at + 3] = codes >>> 24;
    }
  }
}
