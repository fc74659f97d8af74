import { add, type CellSet, cellsOf, emptySet } from '../compiled/cell-set.ts';
import { hasSafeValue } from '../decide/carrier-status.ts';
import type { SettledStatus } from '../verdict/verdict.ts';
import { layoutOf } from '../vocabulary/layout.ts';
import { certainWithout } from './certain-terms.ts';
import type { ChangeProblem } from './change-problem.ts';
import { firstOf, type TermBits, take } from './term-bits.ts';

/**
 * The cells that a field alone may change to and that avoid every term, read off the bits; empty: none does.
 * Undefined where they do not tell: where tests of fact against fact rest on the field or are open, or what is unknown
 * has no value that is out of the way of all terms whatever the field becomes.
 */
export function cellsAlone(problem: ChangeProblem, place: number): CellSet | undefined {
  const { layout, reading, unwanted } = problem;
  const { axisNumber, tests, index } = layout.fields[place]!;
  if (tests.length > 0 || axisNumber < 0 || reading.tests.length > 0) return undefined;
  if (bindsUnknown(index, problem)) return undefined;
  const { rows, axes } = reading.table;
  const { allowed, axis } = problem.fieldAt(place);
  const certain = certainWithout(problem, axisNumber);
  if (reading.loose.length > 0 && !isElsewhereFree(problem, axisNumber)) return undefined;
  const { rowOfCell } = axes[axisNumber]!;
  const cells = emptySet(axis.size);
  for (const cell of cellsOf(allowed)) {
    const row = rowOfCell[cell]!;
    let word = 0;
    while (word < certain.length && (certain[word]! & unwanted[word]! & rows[row + word]!) === 0) word++;
    if (word === certain.length) add(cells, cell);
  }
  return cells;
}

/** Whether a change of the field may leave less room to another that is not known: then terms do not tell all. */
function bindsUnknown(field: number, { property }: ChangeProblem): boolean {
  const { values, vocabulary } = property;
  return layoutOf(vocabulary).relations.some(({ lower, higher }) => {
    if (field !== lower && field !== higher) return false;
    const other = field === lower ? higher : lower;
    if (typeof values[other] === 'number') return false;
    // A newer roof leaves its house all the room that it had.
    const { kind } = vocabulary.fields[field]!.change;
    const widens = field === higher ? kind === 'higher' : kind === 'lower';
    return !(widens && typeof values[field] === 'number');
  });
}

/** Whether all that is unknown but one axis has a value that fails what it could let through. */
function isElsewhereFree({ reading, looseAxes, inForce, unwanted }: ChangeProblem, but: number): boolean {
  const { table, rowAt, loose } = reading;
  const { rows } = table;
  const could: TermBits = inForce.map((word, index) => word & unwanted[index]!);
  for (let axis = 0; axis < rowAt.length; axis++)
    if (axis !== but && rowAt[axis]! >= 0) take(could, rows, rowAt[axis]!);
  const open: number[] = [];
  for (const [index, each] of loose.entries()) {
    if (looseAxes[index] === but) continue;
    for (let word = 0; word < could.length; word++) open[word] = could[word]! & ~each.every[each.everyFrom + word]!;
    if (!hasSafeValue(reading, 0, each, open, 0)) return false;
  }
  return true;
}

/** The status of a complete property with one field in another cell, all declines avoided or not. */
export function statusAlone(problem: ChangeProblem, place: number, cell: number): readonly SettledStatus[] {
  const { layout, reading } = problem;
  const { rows, axes, decline } = reading.table;
  const { axisNumber } = layout.fields[place]!;
  const bits = certainWithout(problem, axisNumber);
  take(bits, rows, axes[axisNumber]!.rowOfCell[cell]!);
  if (firstOf(bits, decline) >= 0) return ['ineligible'];
  return bits.some((word) => word !== 0) ? ['referral'] : ['eligible'];
}
