import {
  type CompiledProgram,
  coversState,
  type Encoder,
  encoderOf,
  has,
  intersects,
  isWithinSet,
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
  /** Calls `visit` with every row of an axis, except rows of bounds, and whether the part accepts it. */
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
  const relations = programs[0]?.vocabulary.relations ?? [];
  for (const { axis, field, test } of axes.fields) {
    const { size, name } = axis;
    const firstRow = next;
    next += size + 2;
    const rowsFor = (isBounded: boolean) => {
      if (!isBounded) return -1;
      next += 2 * size;
      return next - 2 * size;
    };
    fieldAxes.push({
      field,
      firstRow,
      size,
      encoder: test ? { kind: 'test', leaf: test } : encoderOf(axis),
      fromRow: rowsFor(relations.some((relation) => relation.higher === name)),
      upToRow: rowsFor(relations.some((relation) => relation.lower === name)),
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
      const { firstRow, size } = fieldAxes[number - 1]!;
      visit(firstRow, true);
      visit(firstRow + 1, false);
      for (let cell = 0; cell < size; cell++) visit(firstRow + 2 + cell, has(passing, cell));
    },
  };
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
