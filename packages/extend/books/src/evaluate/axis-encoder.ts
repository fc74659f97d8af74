import type { Vocabulary } from '@leeward/engine';
import {
  type Computed,
  cellOfNumber,
  createTestCell,
  firstCellFrom,
  lastCellUpTo,
  type NumberEncoder,
  type TestCell,
} from '@leeward/engine/compiled';
import { states } from '@leeward/places/counties';
import { type BookColumns, isUnknownColumn } from '../columns/book-columns.ts';
import { fallbackOf, listCounting, type RowFacts, type WordFallback } from '../columns/row-facts.ts';
import type { EncodedRows } from '../planes/encoded-rows.ts';
import type { PlaneTable } from '../planes/plane-table.ts';
import { type FieldAxis, rowOfRange } from '../planes/row-layout.ts';

/** Encodes one axis of consecutive `rows`, starting at `from`, into a block. */
export type AxisEncoder = (
  block: EncodedRows,
  columns: BookColumns,
  rows: Int32Array,
  from: number,
  count: number,
) => void;

/** A bound of an unknown field by a related field. */
export interface Bound {
  readonly field: number;
  /** First row of the bounds in the table. */
  readonly base: number;
  readonly isMin: boolean;
}

/** Creates the encoders of all axes except the place. They write the row number times the axis width. */
export function createAxisEncoders(
  table: PlaneTable,
  vocabulary: Vocabulary,
  widthOf: (axis: number) => number,
  facts: RowFacts,
): readonly AxisEncoder[] {
  const { axes } = table;
  const axisCount = axes.length + 1;
  return axes.map((axis, index): AxisEncoder => {
    const { encoder } = axis;
    const at: AxisPlace = { number: index + 1, axisCount, width: widthOf(index + 1), axis };
    if (encoder.kind === 'word') return wordEncoder(at, fallbackOf(axis.field, vocabulary));
    if (encoder.kind === 'number') {
      const bounds = boundsOf(axis, vocabulary);
      const { direct } = encoder;
      if (axis.computed) return computedEncoder(at, encoder, axis.computed.fact, facts);
      const plain = direct ? directEncoder(at, encoder, direct, bounds) : numberEncoder(at, encoder, bounds);
      const list = listCounting(axis.field, vocabulary);
      if (list < 0) return plain;
      const counted = countedEncoder(at, encoder, bounds, facts);
      return (block, columns, ...rows) => (columns.lists[list] ? counted : plain)(block, columns, ...rows);
    }
    return testEncoder(at, createTestCell(encoder.leaf, vocabulary), table.policyType, table.effectiveYear, facts);
  });
}

interface AxisPlace {
  /** From 1; axis 0 is the place. */
  readonly number: number;
  readonly axisCount: number;
  readonly width: number;
  readonly axis: FieldAxis;
}

function wordEncoder({ number, axisCount, width, axis }: AxisPlace, fallback: WordFallback | undefined): AxisEncoder {
  const { field, firstRow, size } = axis;
  const missing = firstRow * width;
  // Words count from 1 in columns.
  const first = (firstRow + 1) * width;
  return ({ offsets, loose, looseCount }, columns, rows, from, count) => {
    const column = columns.fields[field] as Uint8Array | Uint16Array;
    for (let index = 0, at = 0; index < count; index++, at += axisCount) {
      let word = column[rows[from + index]!]!;
      if (word === 0 && fallback) word = fallback(columns, rows[from + index]!);
      if (word > 0 && word <= size) offsets[at + number] = first + word * width;
      else {
        offsets[at + number] = missing;
        loose[at + looseCount[index]!++] = number;
      }
    }
  };
}

function numberEncoder(
  { number, axisCount, width, axis }: AxisPlace,
  encoder: NumberEncoder,
  bounds: readonly Bound[],
): AxisEncoder {
  const { field, firstRow } = axis;
  const first = (firstRow + 2) * width;
  return ({ offsets, loose, looseCount }, columns, rows, from, count) => {
    const column = columns.fields[field] as Float64Array;
    const bounding = boundsWithin(columns, bounds);
    for (let index = 0, at = 0; index < count; index++, at += axisCount) {
      const row = rows[from + index]!;
      const value = column[row]!;
      const cell = Number.isNaN(value) ? -1 : cellOfNumber(encoder, value);
      if (cell >= 0) offsets[at + number] = first + cell * width;
      else {
        offsets[at + number] = missingRow(firstRow, bounding, encoder, columns, row) * width;
        loose[at + looseCount[index]!++] = number;
      }
    }
  };
}

/** Encodes a field with a small domain of whole numbers by a lookup table. */
function directEncoder(
  { number, axisCount, width, axis }: AxisPlace,
  encoder: NumberEncoder,
  direct: Uint16Array | Uint32Array,
  bounds: readonly Bound[],
): AxisEncoder {
  const { field, firstRow } = axis;
  const { min } = encoder;
  const first = (firstRow + 2) * width;
  const { length } = direct;
  return ({ offsets, loose, looseCount }, columns, rows, from, count) => {
    const column = columns.fields[field] as Float64Array;
    const bounding = boundsWithin(columns, bounds);
    for (let index = 0, at = 0; index < count; index++, at += axisCount) {
      const row = rows[from + index]!;
      const place = column[row]! - min;
      // NaN (missing) fails both comparisons. Converting it to a whole number would be slow.
      const whole = place >= 0 && place < length ? place | 0 : -1;
      if (whole === place) offsets[at + number] = first + direct[whole]! * width;
      else {
        offsets[at + number] = missingRow(firstRow, bounding, encoder, columns, row) * width;
        loose[at + looseCount[index]!++] = number;
      }
    }
  };
}

/**
 * The row of an unknown field, bounded by the closest known related field. If both sides are bounded, uses the lower bound only, which
 * is sound but leaves more open.
 */
export function missingRow(
  firstRow: number,
  bounds: readonly Bound[],
  encoder: NumberEncoder,
  columns: BookColumns,
  row: number,
): number {
  let closest = -1;
  let boundRow = firstRow;
  let isRowMin = false;
  for (let index = 0; index < bounds.length; index++) {
    const { field, base, isMin } = bounds[index]!;
    const limit = columns.fields[field]![row]!;
    if (!(limit >= encoder.min && limit <= encoder.max)) continue;
    const cell = cellOfNumber(encoder, limit);
    // A fraction may be in no cell of a field of whole numbers.
    if (cell < 0) continue;
    const isCloser = isMin === isRowMin ? (isMin ? cell > closest : cell < closest) : isMin;
    if (boundRow !== firstRow && !isCloser) continue;
    closest = cell;
    boundRow = base + 2 * cell;
    isRowMin = isMin;
  }
  return boundRow;
}

/** The bounds by fields that some row has. */
function boundsWithin(columns: BookColumns, bounds: readonly Bound[]): readonly Bound[] {
  return bounds.length === 0 ? bounds : bounds.filter(({ field }) => !isUnknownColumn(columns, field));
}

export function boundsOf({ field, fromRow, upToRow }: FieldAxis, vocabulary: Vocabulary): readonly Bound[] {
  const placeOf = (name: string) => vocabulary.fields.findIndex((each) => each.name === name);
  return vocabulary.relations.flatMap(({ lower, higher }): Bound[] => {
    if (placeOf(higher) === field && fromRow >= 0) return [{ field: placeOf(lower), base: fromRow, isMin: true }];
    if (placeOf(lower) === field && upToRow >= 0) return [{ field: placeOf(higher), base: upToRow, isMin: false }];
    return [];
  });
}

/** Encodes a computed fact, which may be known within bounds. */
function computedEncoder(
  { number, axisCount, width, axis }: AxisPlace,
  encoder: NumberEncoder,
  fact: Computed,
  facts: RowFacts,
): AxisEncoder {
  return ({ offsets, loose, looseCount }, columns, rows, from, count) => {
    for (let index = 0, at = 0; index < count; index++, at += axisCount) {
      const { min, max } = facts.setRow(columns, rows[from + index]!).read(fact);
      const row = rowOfNumbers(axis, encoder, min, max);
      offsets[at + number] = row * width;
      if (!isKnownRow(axis, row)) loose[at + looseCount[index]!++] = number;
    }
  };
}

/** Encodes a field that a list counts, if rows have the list. */
function countedEncoder(
  { number, axisCount, width, axis }: AxisPlace,
  encoder: NumberEncoder,
  bounds: readonly Bound[],
  facts: RowFacts,
): AxisEncoder {
  return ({ offsets, loose, looseCount }, columns, rows, from, count) => {
    for (let index = 0, at = 0; index < count; index++, at += axisCount) {
      const row = rows[from + index]!;
      const knowledge = facts.setRow(columns, row).knowledgeOf(axis.field);
      let rowNumber = axis.firstRow;
      if (typeof knowledge === 'number') rowNumber = rowOfNumbers(axis, encoder, knowledge, knowledge);
      else if (typeof knowledge === 'object' && knowledge.kind === 'between')
        rowNumber = rowOfNumbers(axis, encoder, knowledge.min, knowledge.max);
      else rowNumber = missingRow(axis.firstRow, bounds, encoder, columns, row);
      offsets[at + number] = rowNumber * width;
      if (!isKnownRow(axis, rowNumber)) loose[at + looseCount[index]!++] = number;
    }
  };
}

/** The row of a number from `min` to `max`. */
function rowOfNumbers(axis: FieldAxis, encoder: NumberEncoder, min: number, max: number): number {
  const first = firstCellFrom(encoder, min);
  const last = min === max ? first : lastCellUpTo(encoder, max);
  if (first < 0 || last < first) return axis.firstRow;
  return first === last ? axis.firstRow + 2 + first : rowOfRange(axis, first, last);
}

function isKnownRow({ firstRow, size }: FieldAxis, row: number): boolean {
  return row >= firstRow + 2 && row < firstRow + 2 + size;
}

/** Evaluates a test of fact against fact for each row. */
function testEncoder(
  { number, axisCount, width, axis }: AxisPlace,
  testCell: TestCell,
  policyType: string,
  effectiveYear: number,
  facts: RowFacts,
): AxisEncoder {
  return ({ offsets, loose, looseCount }, columns, rows, from, count) => {
    for (let index = 0, at = 0; index < count; index++, at += axisCount) {
      const row = rows[from + index]!;
      const county = columns.county[row]!;
      facts.setRow(columns, row);
      const cell = testCell((field) => facts.knowledgeOf(field), {
        state: states[columns.state[row]!]!.code,
        county: county > 0 ? String(county).padStart(5, '0') : undefined,
        policyType,
        effectiveYear,
      });
      offsets[at + number] = (axis.firstRow + (cell >= 0 ? 2 + cell : 0)) * width;
      if (cell < 0) loose[at + looseCount[index]!++] = number;
    }
  };
}
