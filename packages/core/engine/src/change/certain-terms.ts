import { type ChangeProblem, wherever } from './change-problem.ts';
import { both, type TermBits, take } from './term-bits.ts';

/** What is to be avoided and holds whatever else is unknown, while some fields can be anything that they may change to. */
export function certainTerms(problem: ChangeProblem, fields: readonly number[]): TermBits {
  const { reading, layout, looseAxes } = problem;
  if (fields.length === 0) return both(reading.certain, problem.unwanted);
  const { table, rowAt, loose } = reading;
  const { rows, axes } = table;
  const bits = problem.unwanted.slice();
  for (let axis = 0; axis < rowAt.length; axis++) {
    const freed = freedOf(layout.restsOn[axis]!, fields);
    if (freed < 0) {
      if (rowAt[axis]! >= 0) take(bits, rows, rowAt[axis]!);
    } else if (axes[axis]!.testCell) take(bits, rows, axes[axis]!.untestedRow);
    else take(bits, wherever(problem, freed), 0);
  }
  for (let index = 0; index < loose.length; index++) {
    const { every, everyFrom } = loose[index]!;
    if (freedOf(layout.restsOn[looseAxes[index]!]!, fields) < 0) take(bits, every, everyFrom);
  }
  return bits;
}

/** The same of some fields that are left out: what is to be avoided by their values alone. */
export function certainWithout(problem: ChangeProblem, fields: readonly number[]): TermBits {
  const { reading, layout, looseAxes } = problem;
  const { rowAt, loose, table } = reading;
  const bits = problem.unwanted.slice();
  for (let axis = 0; axis < rowAt.length; axis++)
    if (rowAt[axis]! >= 0 && freedOf(layout.restsOn[axis]!, fields) < 0) take(bits, table.rows, rowAt[axis]!);
  for (let index = 0; index < loose.length; index++) {
    const { every, everyFrom } = loose[index]!;
    if (freedOf(layout.restsOn[looseAxes[index]!]!, fields) < 0) take(bits, every, everyFrom);
  }
  return bits;
}

/** What is to be avoided and can hold while only these fields change. */
export function possibleWithout(problem: ChangeProblem, fields: readonly number[]): TermBits {
  const { reading, layout, looseAxes } = problem;
  const { rowAt, loose, table } = reading;
  const { rows } = table;
  const bits = problem.unwanted.slice();
  for (let axis = 0; axis < rowAt.length; axis++)
    if (rowAt[axis]! >= 0 && freedOf(layout.restsOn[axis]!, fields) < 0) take(bits, rows, rowAt[axis]!);
  for (let index = 0; index < loose.length; index++) {
    const { rows: some, isUnknown } = loose[index]!;
    if (isUnknown || freedOf(layout.restsOn[looseAxes[index]!]!, fields) >= 0) continue;
    for (let word = 0; word < bits.length; word++) {
      let any = 0;
      for (let each = 0; each < some.length; each++) any |= rows[some[each]! + word]!;
      bits[word]! &= any;
    }
  }
  return bits;
}

/** The first of an axis's fields that is set free; -1: none. */
function freedOf(restsOn: readonly number[], fields: readonly number[]): number {
  for (let index = 0; index < restsOn.length; index++) if (fields.includes(restsOn[index]!)) return restsOn[index]!;
  return -1;
}
