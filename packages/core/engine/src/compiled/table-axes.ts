import type { Leaf } from '../condition/condition.ts';
import { type Axis, isNumberAxis, numberAxis, wordAxis } from './axis.ts';
import { type CellSet, has, setOf } from './cell-set.ts';
import { type CompiledProgram, PLACE } from './compile-program.ts';
import { createPlaceAxis, type PlaceAxis } from './place-axis.ts';

export interface CommonAxis {
  /** Place in the vocabulary's fields, or -1 for a test of its own. */
  readonly field: number;
  readonly test: Leaf | undefined;
  readonly axis: Axis;
  /** Names under which a caller gives what it rests on. */
  readonly missingNames: readonly string[];
}

/** The axes that the programs of a table have in common: each cut wherever one of them cuts. */
export interface TableAxes {
  readonly place: PlaceAxis;
  readonly states: readonly string[];
  /** Numbered from 1; the place is 0. */
  readonly fields: readonly CommonAxis[];
  /** The number of a program's own axis here. */
  numberOf(axis: number, program: CompiledProgram): number;
  /** For each cell of the common axis, the program's own (-1 for none); undefined where they are the same. */
  ownCells(axis: number, program: CompiledProgram): Int32Array | undefined;
  /** A set of cells of a program's own axis, as cells of the common one. */
  translate(axis: number, cells: CellSet, program: CompiledProgram): CellSet;
}

/** Finds the common axes. */
export function createTableAxes(programs: readonly CompiledProgram[]): TableAxes {
  const fields = [...commonFields(programs), ...commonTests(programs)];
  const numbers = new Map(fields.map(({ axis }, index) => [axis.name, index + 1]));
  const states = [...new Set(programs.flatMap((program) => program.place.samples.map((sample) => sample.state)))];
  const named = new Set(programs.flatMap((program) => [...program.place.namedCounties]));
  const place = createPlaceAxis(states, named);
  const numberOf = (axis: number, program: CompiledProgram): number =>
    axis === PLACE ? 0 : numbers.get(program.axes[axis]!.axis.name)!;
  const found = new Map<CompiledProgram, (Int32Array | undefined)[]>();
  const ownCells = (axis: number, program: CompiledProgram): Int32Array | undefined => {
    const known = found.get(program) ?? [];
    found.set(program, known);
    if (!(axis in known)) known[axis] = axis === PLACE ? ownPlaces(place, program) : ownFieldCells(axis, program);
    return known[axis];
  };
  const ownFieldCells = (axis: number, program: CompiledProgram): Int32Array | undefined => {
    const own = program.axes[axis]!.axis;
    const { size, samples } = fields[numberOf(axis, program) - 1]!.axis;
    return cellMap(size, own.size, (cell) => own.cellOf(samples[cell]));
  };
  return {
    place,
    states,
    fields,
    numberOf,
    ownCells,
    translate(axis, cells, program) {
      const own = ownCells(axis, program);
      if (own === undefined) return cells;
      return setOf(own.length, (cell) => own[cell]! >= 0 && has(cells, own[cell]!));
    },
  };
}

function ownPlaces(place: PlaceAxis, program: CompiledProgram): Int32Array | undefined {
  const { samples, size } = place;
  return cellMap(size, program.place.size, (cell) => program.place.cellOf(samples[cell]!.state, samples[cell]!.county));
}

function cellMap(size: number, ownSize: number, ownOf: (cell: number) => number): Int32Array | undefined {
  const map = Int32Array.from({ length: size }, (_, cell) => ownOf(cell));
  return size === ownSize && map.every((own, cell) => own === cell) ? undefined : map;
}

function commonFields(programs: readonly CompiledProgram[]): readonly CommonAxis[] {
  const cuts = new Map<number, number[]>();
  const axes = new Map<number, { axis: Axis; missingNames: readonly string[] }>();
  for (const program of programs) {
    for (const known of program.axes) {
      if (!known || known.test) continue;
      axes.set(known.field, known);
      if (!isNumberAxis(known.axis)) continue;
      const limits = cuts.get(known.field) ?? [];
      for (const cut of known.axis.cuts) limits.push(cut);
      cuts.set(known.field, limits);
    }
  }
  return [...axes]
    .sort(([a], [b]) => a - b)
    .map(([field, { axis, missingNames }]) => ({
      field,
      test: undefined,
      missingNames,
      axis: isNumberAxis(axis)
        ? numberAxis(axis.name, axis.domain, cuts.get(field)!)
        : wordAxis(axis.name, axis.samples as readonly string[]),
    }));
}

/** Tests of their own, by name: two programs that make the same test share it. */
function commonTests(programs: readonly CompiledProgram[]): readonly CommonAxis[] {
  const tests = new Map<string, CommonAxis>();
  for (const program of programs) {
    for (const known of program.axes) {
      if (!known?.test) continue;
      const { axis, test, missingNames } = known;
      tests.set(axis.name, { field: -1, test, axis, missingNames });
    }
  }
  return [...tests.values()];
}
