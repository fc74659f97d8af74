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
  /** Place in the vocabulary's fields, or -1 for a test of its own. */
  readonly field: number;
  /** First row: unknown (possible); then unknown (definite), then cells. */
  readonly firstRow: number;
  readonly size: number;
  readonly encoder: Encoder;
  /**
   * First of two rows a cell for "this cell or any above" (possible, definite), and likewise below: what
   * relations leave of a field nobody gave. -1 where no relation bounds the field.
   */
  readonly fromRow: number;
  readonly upToRow: number;
}

export interface StatePlanes {
  /** Carriers that offer the policy type in the state. */
  readonly offeredLow: number;
  readonly offeredHigh: number;
  /** Cell of counties that no rule names; -1 where there are none. */
  readonly otherCell: number;
  /** Row of an unknown county: what some county lets through, and (the next row) what every county does. */
  readonly unknownRow: number;
}

/** Which row stands for what: cells of the place first, then its states, then every field. */
export interface RowLayout {
  readonly states: ReadonlyMap<string, StatePlanes>;
  readonly axes: readonly FieldAxis[];
  readonly rowCount: number;
  /** Calls back with every row of an axis, but those of bounds, and whether the part lets it through. */
  eachRow(part: TermPart, program: CompiledProgram, visit: (row: number, passes: boolean) => void): void;
}

/** Numbers the rows of a table of these programs. */
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

/** Fills the rows of "this cell or any above" and "this cell or any below", once all others are. */
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
