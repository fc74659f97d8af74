/** Counterfactuals: the fewest field changes that lead to another status of one carrier. */
import { type ChangeProblem, satisfiedEverywhere } from './change-problem.ts';
import { intersect, type TermBits, take } from './term-bits.ts';

/** Terms to avoid that hold for every value of the unknown fields, while some fields take any reachable value. */
export function certainTerms(problem: ChangeProblem, fields: readonly number[]): TermBits {
  const { reading, layout, looseAxes } = problem;
  if (fields.length === 0) return intersect(reading.certain, problem.unwanted);
  const { table, rowAt, loose } = reading;
  const { rows, axes } = table;
  const bits = problem.unwanted.slice();
  for (let axis = 0; axis < rowAt.length; axis++) {
    const freeField = firstFree(layout.dependsOn[axis]!, fields);
    if (freeField < 0) {
      if (rowAt[axis]! >= 0) take(bits, rows, rowAt[axis]!);
    } else if (axes[axis]!.testCell || axes[axis]!.computed) take(bits, rows, axes[axis]!.untestedRow);
    else take(bits, satisfiedEverywhere(problem, freeField), 0);
  }
  for (let index = 0; index < loose.length; index++) {
    const { every, everyFrom } = loose[index]!;
    if (firstFree(layout.dependsOn[looseAxes[index]!]!, fields) < 0) take(bits, every, everyFrom);
  }
  return bits;
}

/** Terms to avoid that hold on all axes except those of some fields. */
export function certainWithout(problem: ChangeProblem, fields: readonly number[]): TermBits {
  const { reading, layout, looseAxes } = problem;
  const { rowAt, loose, table } = reading;
  const bits = problem.unwanted.slice();
  for (let axis = 0; axis < rowAt.length; axis++)
    if (rowAt[axis]! >= 0 && firstFree(layout.dependsOn[axis]!, fields) < 0) take(bits, table.rows, rowAt[axis]!);
  for (let index = 0; index < loose.length; index++) {
    const { every, everyFrom } = loose[index]!;
    if (firstFree(layout.dependsOn[looseAxes[index]!]!, fields) < 0) take(bits, every, everyFrom);
  }
  return bits;
}

/** Terms to avoid that can hold while only these fields change. */
export function possibleWithout(problem: ChangeProblem, fields: readonly number[]): TermBits {
  const { reading, layout, looseAxes } = problem;
  const { rowAt, loose, table } = reading;
  const { rows } = table;
  const bits = problem.unwanted.slice();
  for (let axis = 0; axis < rowAt.length; axis++)
    if (rowAt[axis]! >= 0 && firstFree(layout.dependsOn[axis]!, fields) < 0) take(bits, rows, rowAt[axis]!);
  for (let index = 0; index < loose.length; index++) {
    const { rows: some, isUnknown } = loose[index]!;
    if (isUnknown || firstFree(layout.dependsOn[looseAxes[index]!]!, fields) >= 0) continue;
    for (let word = 0; word < bits.length; word++) {
      let any = 0;
      for (let each = 0; each < some.length; each++) any |= rows[some[each]! + word]!;
      bits[word]! &= any;
    }
  }
  return bits;
}

/** -1 if the axis depends on no free field. */
function firstFree(fieldPlaces: readonly number[], fields: readonly number[]): number {
  for (let index = 0; index < fieldPlaces.length; index++)
    if (fields.includes(fieldPlaces[index]!)) return fieldPlaces[index]!;
  return -1;
}
