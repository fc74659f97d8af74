import type { ChangeProblem } from './change-problem.ts';
import { type TermBits, take } from './term-bits.ts';

/** What declines or refers whatever else is unknown, while some fields can be anything that they may change to. */
export function certainTerms(problem: ChangeProblem, fields: readonly number[]): TermBits {
  const { reading, layout } = problem;
  const { table, rowAt, loose } = reading;
  const { rows, axes } = table;
  const bits = problem.inForce.slice();
  for (let axis = 0; axis < axes.length; axis++) {
    const freed = fields.length > 0 ? freedOf(layout.restsOn[axis]!, fields) : -1;
    if (freed < 0) {
      if (rowAt[axis]! >= 0) take(bits, rows, rowAt[axis]!);
    } else if (axes[axis]!.testCell) take(bits, rows, axes[axis]!.untestedRow);
    else take(bits, problem.wherever(freed), 0);
  }
  for (let index = 0; index < loose.length; index++) {
    const { every, everyFrom } = loose[index]!;
    const axis = problem.looseAxes[index]!;
    if (fields.length === 0 || freedOf(layout.restsOn[axis]!, fields) < 0) take(bits, every, everyFrom);
  }
  return bits;
}

/** The same of one field, which is left out: what is to be avoided by its value alone. */
export function certainWithout(problem: ChangeProblem, axis: number): TermBits {
  const { rowAt, loose, table } = problem.reading;
  const bits = problem.inForce.slice();
  for (let other = 0; other < rowAt.length; other++)
    if (other !== axis && rowAt[other]! >= 0) take(bits, table.rows, rowAt[other]!);
  for (let index = 0; index < loose.length; index++) {
    const { every, everyFrom } = loose[index]!;
    if (problem.looseAxes[index] !== axis) take(bits, every, everyFrom);
  }
  return bits;
}

/** The first of an axis's fields that is set free; -1: none. */
function freedOf(restsOn: readonly number[], fields: readonly number[]): number {
  for (let index = 0; index < restsOn.length; index++) if (fields.includes(restsOn[index]!)) return restsOn[index]!;
  return -1;
}
