import type { Computed, Leaf } from '../condition/condition.ts';
import { type Axis, isNumberAxis, type NumberAxis, numberAxis, wordAxis } from './axis.ts';
import { type CellSet, has, setOf } from './cell-set.ts';
import { type CompiledProgram, PLACE } from './compile-program.ts';
import { createPlaceAxis, type PlaceAxis } from './place-axis.ts';

export interface CommonAxis {
  /** Position in the vocabulary's fields; -1 for a computed fact or a test between two facts. */
  readonly field: number;
  readonly test: Leaf | undefined;
  /** The fact, if it is computed from fields and lists. */
  readonly computed?: Computed;
  readonly axis: Axis;
  readonly missingNames: readonly string[];
}

/** The common axes of the programs of a table, each cut wherever one of them is. */
export interface TableAxes {
  readonly place: PlaceAxis;
  readonly states: readonly string[];
  /** From 1; the place is 0. */
  readonly fields: readonly CommonAxis[];
  numberOf(axis: number, program: CompiledProgram): number;
  /** The program's cell for each cell of the common axis (-1 if none); undefined if they are the same. */
  ownCells(axis: number, program: CompiledProgram): Int32Array | undefined;
  /** Translates cells of a program's axis to the common axis. */
  translate(axis: number, cells: CellSet, program: CompiledProgram): CellSet;
}

/** Creates the common axes of some programs. */
export function createTableAxes(programs: readonly CompiledProgram[]): TableAxes {
  const fields = [...commonFields(programs), ...commonComputed(programs), ...commonTests(programs)];
  const numbers = new Map(fields.map(({ axis }, index) => [axis.name, index + 1]));
  const states = [...new Set(programs.flatMap((program) => program.place.samples.map((sample) => sample.state)))];
  const named = new Set(programs.flatMap((program) => [...program.place.namedCounties]));
  const place = createPlaceAxis(states, named);
  const numberOf = (axis: number, program: CompiledProgram): number =>
    axis === PLACE ? 0 : numbers.get(program.axes[axis]!.axis.name)!;
  const mapsOfProgram = new Map<CompiledProgram, (Int32Array | undefined)[]>();
  const ownCells = (axis: number, program: CompiledProgram): Int32Array | undefined => {
    const maps = mapsOfProgram.get(program) ?? [];
    mapsOfProgram.set(program, maps);
    if (!(axis in maps)) maps[axis] = axis === PLACE ? ownPlaces(place, program) : ownFieldCells(axis, program);
    return maps[axis];
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
    for (const programAxis of program.axes) {
      if (!programAxis || programAxis.test || programAxis.computed) continue;
      axes.set(programAxis.field, programAxis);
      if (!isNumberAxis(programAxis.axis)) continue;
      const limits = cuts.get(programAxis.field) ?? [];
      for (const cut of programAxis.axis.cuts) limits.push(cut);
      cuts.set(programAxis.field, limits);
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

/** Computed facts, by name: facts computed in the same way share an axis. */
function commonComputed(programs: readonly CompiledProgram[]): readonly CommonAxis[] {
  const cuts = new Map<string, number[]>();
  const axes = new Map<string, CommonAxis & { readonly axis: NumberAxis }>();
  for (const program of programs) {
    for (const programAxis of program.axes) {
      if (!programAxis?.computed || !isNumberAxis(programAxis.axis)) continue;
      const { axis, computed, missingNames } = programAxis;
      const limits = cuts.get(axis.name) ?? [];
      cuts.set(axis.name, limits);
      for (const cut of axis.cuts) limits.push(cut);
      axes.set(axis.name, { field: -1, test: undefined, computed, axis, missingNames });
    }
  }
  return [...axes.values()].map((each) => ({
    ...each,
    axis: numberAxis(each.axis.name, each.axis.domain, cuts.get(each.axis.name)!),
  }));
}

/** By name. Programs with the same test share it. */
function commonTests(programs: readonly CompiledProgram[]): readonly CommonAxis[] {
  const tests = new Map<string, CommonAxis>();
  for (const program of programs) {
    for (const programAxis of program.axes) {
      if (!programAxis?.test) continue;
      const { axis, test, missingNames } = programAxis;
      tests.set(axis.name, { field: -1, test, axis, missingNames });
    }
  }
  return [...tests.values()];
}
