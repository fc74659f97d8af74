import type { Knowledge, Vocabulary } from '@leeward/engine';
import { cellOfNumber, createTestCell, layoutOf, type NumberEncoder, type TestCell } from '@leeward/engine/compiled';
import { states } from '@leeward/places/counties';
import type { BookColumns } from '../columns/book-columns.ts';
import { createRelatedKnowledge } from '../columns/related-knowledge.ts';
import type { EncodedRows } from '../planes/encoded-rows.ts';
import type { PlaneTable } from '../planes/plane-table.ts';
import type { FieldAxis } from '../planes/row-layout.ts';

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
      return direct ? directEncoder(at, encoder, direct, bounds) : numberEncoder(at, encoder, bounds);
    }
    return testEncoder(at, createTestCell(encoder.leaf, vocabulary), table.policyType, table.effectiveYear, vocabulary);
  });
}

interface AxisPlace {
  /** From 1; axis 0 is the place. */
  readonly number: number;
  readonly axisCount: number;
  readonly width: number;
  readonly axis: FieldAxis;
}

/** Returns the word of a row that does not give it, by its number from 1; 0 if it is unknown. */
export type WordFallback = (columns: BookColumns, row: number) => number;

/** The fallback of a field of words; undefined without one. */
export function fallbackOf(field: number, { fields }: Pick<Vocabulary, 'fields'>): WordFallback | undefined {
  const fallback = fields[field]?.fallback;
  if (!fallback) return undefined;
  const numberOf = (place: number, word: number | string): number => {
    const domain = fields[place]!.domain({ effectiveYear: 2000 });
    return domain.kind === 'words' ? domain.words.indexOf(word as string) + 1 : 0;
  };
  const word = numberOf(field, fallback.value);
  const { when } = fallback;
  if (!when) return () => word;
  const other = fields.findIndex(({ name }) => name === when.field);
  const condition = numberOf(other, when.value);
  const ofOther = fallbackOf(other, { fields });
  return (columns, row) => ((columns.fields[other]![row] || ofOther?.(columns, row)) === condition ? word : 0);
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
    for (let index = 0, at = 0; index < count; index++, at += axisCount) {
      const row = rows[from + index]!;
      const value = column[row]!;
      const cell = Number.isNaN(value) ? -1 : cellOfNumber(encoder, value);
      if (cell >= 0) offsets[at + number] = first + cell * width;
      else {
        offsets[at + number] = missingRow(firstRow, bounds, encoder, columns, row) * width;
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
    for (let index = 0, at = 0; index < count; index++, at += axisCount) {
      const row = rows[from + index]!;
      const place = column[row]! - min;
      // NaN (missing) fails both comparisons. Converting it to a whole number would be slow.
      const whole = place >= 0 && place < length ? place | 0 : -1;
      if (whole === place) offsets[at + number] = first + direct[whole]! * width;
      else {
        offsets[at + number] = missingRow(firstRow, bounds, encoder, columns, row) * width;
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

export function boundsOf({ field, fromRow, upToRow }: FieldAxis, vocabulary: Vocabulary): readonly Bound[] {
  const placeOf = (name: string) => vocabulary.fields.findIndex((each) => each.name === name);
  return vocabulary.relations.flatMap(({ lower, higher }): Bound[] => {
    if (placeOf(higher) === field && fromRow >= 0) return [{ field: placeOf(lower), base: fromRow, isMin: true }];
    if (placeOf(lower) === field && upToRow >= 0) return [{ field: placeOf(higher), base: upToRow, isMin: false }];
    return [];
  });
}

/** Evaluates a test of fact against fact for each row. */
function testEncoder(
  { number, axisCount, width, axis }: AxisPlace,
  testCell: TestCell,
  policyType: string,
  effectiveYear: number,
  vocabulary: Vocabulary,
): AxisEncoder {
  const layout = layoutOf(vocabulary);
  const domains = layout.domainsOf(effectiveYear);
  const related = new Set(layout.relations.flatMap(({ lower, higher }) => [lower, higher]));
  const relatedKnowledge = createRelatedKnowledge(vocabulary, effectiveYear);
  const fallbacks = vocabulary.fields.map((_, field) => fallbackOf(field, vocabulary));
  const knownValue = (columns: BookColumns, field: number, row: number): Knowledge => {
    const value = columns.fields[field]![row]!;
    const { domain } = domains[field]!;
    if (domain.kind === 'words') return domain.words[(value || (fallbacks[field]?.(columns, row) ?? 0)) - 1];
    return Number.isNaN(value) ? undefined : value;
  };
  return ({ offsets, loose, looseCount }, columns, rows, from, count) => {
    for (let index = 0, at = 0; index < count; index++, at += axisCount) {
      const row = rows[from + index]!;
      const county = columns.county[row]!;
      let bounded: readonly Knowledge[] | undefined;
      const cell = testCell(
        (field) => {
          const value = knownValue(columns, field, row);
          if (value !== undefined || !related.has(field)) return value;
          bounded ??= relatedKnowledge(columns, row);
          return bounded[field];
        },
        {
          state: states[columns.state[row]!]!.code,
          county: county > 0 ? String(county).padStart(5, '0') : undefined,
          policyType,
          effectiveYear,
        },
      );
      offsets[at + number] = (axis.firstRow + (cell >= 0 ? 2 + cell : 0)) * width;
      if (cell < 0) loose[at + looseCount[index]!++] = number;
    }
  };
}
