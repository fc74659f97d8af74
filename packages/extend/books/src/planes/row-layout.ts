import type { Vocabulary } from '@leeward/engine';
import {
  type CellSet,
  type CompiledProgram,
  type Computed,
  coversState,
  type Encoder,
  encoderOf,
  factIndex,
  has,
  intersects,
  isWithinSet,
  sourcesOf,
  type TableAxes,
  type TermPart,
} from '@leeward/engine/compiled';

export interface FieldAxis {
  /** Index in the vocabulary's fields; −1 if the axis is a test of fact against fact. */
  readonly field: number;
  /** The row of an unknown value (possible), followed by its certain row and the cells. */
  readonly firstRow: number;
  readonly size: number;
  readonly encoder: Encoder;
  /**
   * The first of two rows per cell (possible, certain) for an unknown value that a relation bounds from below: this cell or any above.
   * −1 without such a relation.
   */
  readonly fromRow: number;
  /** As `fromRow`, for a value bounded from above: this cell or any below. */
  readonly upToRow: number;
  /** The fact, if it is computed. */
  readonly computed: ComputedAxis | undefined;
  /**
   * The first of two rows per range of several cells (possible, certain), as numbered by `rangeNumber`, for a value known within bounds.
   * −1 for fields that are known or unknown, and for axes with many cells.
   */
  readonly rangeRow: number;
  /** Two rows for any other range: as for an unknown value. −1 unless `rangeRow` is needed. */
  readonly anyRangeRow: number;
}

export interface ComputedAxis {
  readonly fact: Computed;
  /** Indexes of the fields that it reads. */
  readonly fields: readonly number[];
}

/** Maximum number of cells of an axis with a row for each range, and of such rows of a table. */
const MAX_CELLS_OF_RANGES = 64;
const MAX_RANGE_ROWS = 1 << 14;

/** Number of ranges of two or more of `size` cells. */
export function rangeCount(size: number): number {
  return (size * (size - 1)) / 2;
}

/** The number of the range from one of `size` cells to a higher one. */
export function rangeNumber(first: number, last: number, size: number): number {
  return (first * (2 * size - first - 1)) / 2 + last - first - 1;
}

/** The row of a value in several cells. */
export function rowOfRange(axis: FieldAxis, first: number, last: number): number {
  const { firstRow, size, rangeRow, anyRangeRow } = axis;
  if (first === 0 && last === size - 1) return firstRow;
  return rangeRow >= 0 ? rangeRow + 2 * rangeNumber(first, last, size) : anyRangeRow;
}

export interface StatePlanes {
  /** The carriers that offer the policy type in the state, as bits. */
  readonly offeredLow: number;
  readonly offeredHigh: number;
  /** The cell of counties that no rule names; −1 if rules name all. */
  readonly otherCell: number;
  /** The row of an unknown county (possible), followed by its certain row. */
  readonly unknownRow: number;
}

/** Row numbers: cells of the place first, then its states, then the fields. */
export interface RowLayout {
  readonly states: ReadonlyMap<string, StatePlanes>;
  readonly axes: readonly FieldAxis[];
  readonly rowCount: number;
  /** Calls `visit` with every row of an axis, except rows of relations, and whether the part accepts it. */
  eachRow(part: TermPart, program: CompiledProgram, visit: (row: number, passes: boolean) => void): void;
}

export function layOutRows(programs: readonly CompiledProgram[], axes: TableAxes): RowLayout {
  const { place } = axes;
  let next = place.size;
  const states = new Map<string, StatePlanes>();
  for (const state of axes.states) {
    const offered = [0, 0];
    programs.forEach((program, carrier) => {
      if (program.programs.some((each) => coversState(each.places, state)))
        offered[carrier >> 5]! |= 1 << (carrier & 31);
    });
    states.set(state, {
      offeredLow: offered[0]!,
      offeredHigh: offered[1]!,
      otherCell: place.cellOf(state, ''),
      unknownRow: next,
    });
    next += 2;
  }
  const fieldAxes: FieldAxis[] = [];
  let rangeRows = 0;
  const vocabulary = programs[0]?.vocabulary;
  const relations = vocabulary?.relations ?? [];
  for (const { axis, field, test, computed } of axes.fields) {
    const { size, name } = axis;
    const firstRow = next;
    next += size + 2;
    const rowsFor = (isBounded: boolean) => {
      if (!isBounded) return -1;
      next += 2 * size;
      return next - 2 * size;
    };
    // A list bounds the field that counts its items.
    const hasRanges = computed !== undefined || vocabulary?.lists?.some(({ countedBy }) => countedBy?.field === name);
    const isSmall = size <= MAX_CELLS_OF_RANGES && rangeRows + 2 * rangeCount(size) <= MAX_RANGE_ROWS;
    const fromRow = rowsFor(relations.some((relation) => relation.higher === name));
    const upToRow = rowsFor(relations.some((relation) => relation.lower === name));
    const rangeRow = hasRanges && isSmall ? next : -1;
    if (rangeRow >= 0) {
      next += 2 * rangeCount(size);
      rangeRows += 2 * rangeCount(size);
    }
    const anyRangeRow = hasRanges && !isSmall ? next : -1;
    if (anyRangeRow >= 0) next += 2;
    fieldAxes.push({
      field,
      firstRow,
      size,
      encoder: test ? { kind: 'test', leaf: test } : encoderOf(axis),
      fromRow,
      upToRow,
      computed: computed && { fact: computed, fields: fieldsOfComputed(computed, vocabulary!) },
      rangeRow,
      anyRangeRow,
    });
  }
  return {
    states,
    axes: fieldAxes,
    rowCount: next,
    eachRow(part, program, visit) {
      const number = axes.numberOf(part.axis, program);
      const passing = axes.translate(part.axis, part.cells, program);
      if (number === 0) {
        for (const [state, { unknownRow }] of states) {
          const here = place.cellsOfState(state);
          visit(unknownRow, intersects(here, passing));
          visit(unknownRow + 1, isWithinSet(here, passing));
        }
        for (let cell = 0; cell < place.size; cell++) visit(cell, has(passing, cell));
        return;
      }
      const { firstRow, size, rangeRow, anyRangeRow } = fieldAxes[number - 1]!;
      for (const row of anyRangeRow < 0 ? [firstRow] : [firstRow, anyRangeRow]) {
        visit(row, true);
        visit(row + 1, false);
      }
      for (let cell = 0; cell < size; cell++) visit(firstRow + 2 + cell, has(passing, cell));
      if (rangeRow >= 0) visitRanges(rangeRow, size, passing, visit);
    },
  };
}

/** Visits the rows of ranges: possible if a cell passes, certain if all do. */
function visitRanges(
  rangeRow: number,
  size: number,
  passing: CellSet,
  visit: (row: number, passes: boolean) => void,
): void {
  let row = rangeRow;
  for (let first = 0; first < size; first++) {
    let some = has(passing, first);
    let every = some;
    for (let last = first + 1; last < size; last++, row += 2) {
      const passes = has(passing, last);
      some ||= passes;
      every &&= passes;
      visit(row, some);
      visit(row + 1, every);
    }
  }
}

function fieldsOfComputed(computed: Computed, vocabulary: Vocabulary): readonly number[] {
  return [...sourcesOf(computed)].flatMap((name) => {
    const reference = factIndex(vocabulary).find(name);
    return reference && reference.kind !== 'place' ? [vocabulary.fields.indexOf(reference.field)] : [];
  });
}

/** Fills the rows of bounds of an axis from the rows of its cells. */
export function accumulate({ firstRow, size, fromRow, upToRow }: FieldAxis, rows: Int32Array, width: number): void {
  const fill = (base: number, cell: number, previous: number | undefined) => {
    if (base < 0) return;
    for (let word = 0; word < width; word++) {
      const bits = rows[(firstRow + 2 + cell) * width + word]!;
      const before = previous === undefined ? undefined : (base + 2 * previous) * width + word;
      rows[(base + 2 * cell) * width + word] = before === undefined ? bits : bits | rows[before]!;
      rows[(base + 2 * cell + 1) * width + word] = before === undefined ? bits : bits & rows[before + width]!;
    }
  };
  for (let cell = 0; cell < size; cell++) fill(upToRow, cell, cell === 0 ? undefined : cell - 1);
  for (let cell = size - 1; cell >= 0; cell--) fill(fromRow, cell, cell === size - 1 ? undefined : cell + 1);
}
