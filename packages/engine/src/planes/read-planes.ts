import { has, intersects, isWithinSet } from '../compiled/cell-set.ts';
import type { Knowledge, Within } from '../request/knowledge.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { cellOfNumber, type NumberEncoder, type WordEncoder } from './encoder.ts';
import { type FieldAxis, FRONT, type MoratoriumPlane, type PlaneTable, type StatePlanes } from './plane-table.ts';
import { createTestCell, type TestCell } from './test-cell.ts';

/** Status codes of a book: what `readPlanes` writes, one byte a carrier. */
export const STATUS_CODES = ['not_offered', 'eligible', 'referral', 'needs_information', 'ineligible'] as const;

/** What a reading needs of a property. */
export interface PlaneQuestion {
  readonly state: string;
  readonly counties: readonly string[] | undefined;
  readonly values: readonly Knowledge[];
  readonly asOfMs: number;
}

/** Buffers of one reader: made once, used for every home. Not to be shared between threads. */
export interface PlaneReader {
  readonly table: PlaneTable;
  /** First word of the row of each axis, the place first. */
  readonly offsets: Int32Array;
  /** The same for what is certain: another row where the axis is not settled. */
  readonly certain: Int32Array;
  /** Axes that are not settled; the last reading's count of them is `looseCount[0]`. */
  readonly loose: Int32Array;
  readonly looseCount: Int32Array;
  /** The cell of each axis, -1 where it is not settled. */
  readonly cells: Int32Array;
  /** For axes that are tests of their own: what finds their cell. */
  readonly testCells: readonly (TestCell | undefined)[];
  /** Scratch rows for knowledge within bounds: `rows` of the table, and two more an axis. */
  readonly rows: Int32Array;
  readonly scratchRow: number;
  /** Carriers as bits: ineligible, referral, eligible, needs information; each low, high. */
  readonly bits: Int32Array;
}

export function createPlaneReader(table: PlaneTable, vocabulary: Vocabulary): PlaneReader {
  const axisCount = table.axes.length + 1;
  const scratchRow = table.rows.length / table.width;
  // Scratch rows must lie in the same array as the table's, so that the loop reads one array.
  const rows = new Int32Array(table.rows.length + 2 * axisCount * table.width);
  rows.set(table.rows);
  return {
    table,
    offsets: new Int32Array(axisCount),
    certain: new Int32Array(axisCount),
    loose: new Int32Array(axisCount),
    looseCount: new Int32Array(1),
    cells: new Int32Array(axisCount),
    testCells: table.axes.map(({ encoder }) =>
      encoder.kind === 'test' ? createTestCell(encoder.leaf, vocabulary) : undefined,
    ),
    rows,
    scratchRow,
    bits: new Int32Array(8),
  };
}

/** Judges one home by bit algebra; the answer is in `reader.bits`. No loop over carriers, none over rules. */
export function readPlanes(reader: PlaneReader, question: PlaneQuestion): void {
  const { table, offsets, certain, loose, cells, bits } = reader;
  const state = table.place.states.get(question.state);
  if (state === undefined) {
    bits.fill(0);
    return;
  }
  let looseCount = encodePlace(reader, question, state);
  const { axes, width } = table;
  for (let index = 0; index < axes.length; index++) {
    const axis = axes[index]!;
    const value = axis.field >= 0 ? question.values[axis.field] : testValue(reader, index, question);
    if (typeof value === 'number') {
      const cell = axis.field >= 0 ? cellOfNumber(axis.encoder as NumberEncoder, value) : value;
      cells[index + 1] = cell;
      const offset = (axis.firstRow + 2 + cell) * width;
      offsets[index + 1] = offset;
      certain[index + 1] = offset;
    } else if (typeof value === 'string') {
      const cell = (axis.encoder as WordEncoder).cells.get(value)!;
      cells[index + 1] = cell;
      const offset = (axis.firstRow + 2 + cell) * width;
      offsets[index + 1] = offset;
      certain[index + 1] = offset;
    } else {
      const row = value === undefined ? axis.firstRow : rowWithin(reader, index, axis, value);
      offsets[index + 1] = row * width;
      certain[index + 1] = (row + 1) * width;
      cells[index + 1] = -1;
      loose[looseCount++] = index + 1;
    }
  }
  reader.looseCount[0] = looseCount;
  combinePlanes(reader);
  applyMoratoria(reader, state, question);
  settleBits(reader, state);
}

/**
 * ANDs the rows of each plane and ORs the planes of each outcome. Possible and certain declines and
 * referrals are left in `reader.bits`: possible decline low, high, possible refer, certain decline, certain
 * refer.
 */
export function combinePlanes(reader: PlaneReader): void {
  const { table, rows, offsets, certain, loose, bits } = reader;
  const looseCount = reader.looseCount[0]!;
  const { always, present, planeStart, planeAxes, declinePlanes } = table;
  let pdl = always[0]!;
  let pdh = always[1]!;
  let prl = always[2]!;
  let prh = always[3]!;
  const axisCount = offsets.length;
  for (let axis = 0; axis < axisCount; axis++) {
    const at = offsets[axis]!;
    pdl |= rows[at]!;
    pdh |= rows[at + 1]!;
    prl |= rows[at + 2]!;
    prh |= rows[at + 3]!;
  }
  let ddl = pdl;
  let ddh = pdh;
  let drl = prl;
  let drh = prh;
  if (looseCount > 0) {
    ddl = always[0]!;
    ddh = always[1]!;
    drl = always[2]!;
    drh = always[3]!;
    for (let axis = 0; axis < axisCount; axis++) {
      const at = certain[axis]!;
      ddl |= rows[at]!;
      ddh |= rows[at + 1]!;
      drl |= rows[at + 2]!;
      drh |= rows[at + 3]!;
    }
  }
  const planes = planeStart.length - 1;
  let step = 0;
  for (let plane = 0; plane < planes; plane++) {
    const column = FRONT + 2 * plane;
    let low = present[2 * plane]!;
    let high = present[2 * plane + 1]!;
    const end = planeStart[plane + 1]!;
    for (; step < end; step++) {
      const at = offsets[planeAxes[step]!]! + column;
      low &= rows[at]!;
      high &= rows[at + 1]!;
    }
    if ((low | high) === 0) continue;
    let certainLow = low;
    let certainHigh = high;
    for (let index = 0; index < looseCount; index++) {
      const at = certain[loose[index]!]! + column;
      certainLow &= rows[at]!;
      certainHigh &= rows[at + 1]!;
    }
    if (plane < declinePlanes) {
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
 * Works out the verdicts: `reader.bits` becomes ineligible, referral, eligible, needs information, each low,
 * high.
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
}

function encodePlace(reader: PlaneReader, question: PlaneQuestion, state: StatePlanes): number {
  const { table, offsets, certain, loose, cells } = reader;
  const { place, width } = table;
  const { counties } = question;
  if (counties?.length === 1) {
    const cell = place.cellByCounty.get(counties[0]!) ?? state.otherCell;
    cells[0] = cell;
    offsets[0] = cell * width;
    certain[0] = cell * width;
    return 0;
  }
  let row = state.unknownRow;
  if (counties !== undefined) {
    row = reader.scratchRow;
    const meant = counties.map((county) => place.cellByCounty.get(county) ?? state.otherCell);
    combineRows(reader, row, 0, meant);
  }
  offsets[0] = row * width;
  certain[0] = (row + 1) * width;
  cells[0] = -1;
  loose[0] = 0;
  return 1;
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
export function writeStatuses(reader: PlaneReader, out: Uint8Array, from: number): void {
  const { bits, table } = reader;
  for (let carrier = 0; carrier < table.carrierCount; carrier++) {
    const word = carrier >> 5;
    const shift = carrier & 31;
    out[from + carrier] =
      ((bits[4 + word]! >>> shift) & 1) |
      (((bits[2 + word]! >>> shift) & 1) << 1) |
      (((bits[6 + word]! >>> shift) & 1) * 3) |
      (((bits[word]! >>> shift) & 1) << 2);
  }
}
