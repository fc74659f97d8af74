import { add, type CellSet, emptySet } from '../compiled/cell-set.ts';
import { hasSafeValue } from '../decide/carrier-status.ts';
import { layoutOf } from '../vocabulary/layout.ts';
import { certainWithout } from './certain-terms.ts';
import { type ChangeProblem, fieldAt, targetsAt } from './change-problem.ts';
import { take } from './term-bits.ts';

/**
 * Whether bits alone tell what a change of some fields leads to. They do not where tests of fact against fact rest on
 * one of them or are open, or what is unknown has no value that is out of the way of all terms whatever the fields become.
 */
export function isReadOff(problem: ChangeProblem, fields: readonly number[]): boolean {
  const { layout, reading } = problem;
  if (reading.tests.length > 0) return false;
  for (let each = 0; each < fields.length; each++) {
    const { axisNumber, tests, index } = layout.fields[fields[each]!]!;
    if (tests.length > 0 || axisNumber < 0 || bindsUnknown(index, problem)) return false;
  }
  return reading.loose.length === 0 || isElsewhereFree(problem, fields);
}

/** The cells that a field alone may change to and that avoid every term, where bits tell; empty: none does. */
export function cellsAlone(problem: ChangeProblem, place: number): CellSet {
  const { layout, reading } = problem;
  const { rows, axes } = reading.table;
  const { cells } = targetsAt(problem, place);
  const certain = certainWithout(problem, [place]);
  const { rowOfCell } = axes[layout.fields[place]!.axisNumber]!;
  const found = emptySet(fieldAt(problem, place).axis.size);
  for (let index = 0; index < cells.length; index++) {
    const row = rowOfCell[cells[index]!]!;
    let word = 0;
    while (word < certain.length && (certain[word]! & rows[row + word]!) === 0) word++;
    if (word === certain.length) add(found, cells[index]!);
  }
  return found;
}

/** Whether a change of the field may leave less room to another that is not known: then terms do not tell all. */
function bindsUnknown(field: number, { property }: ChangeProblem): boolean {
  const { values, vocabulary } = property;
  const { relations } = layoutOf(vocabulary);
  for (let index = 0; index < relations.length; index++) {
    const { lower, higher } = relations[index]!;
    if (field !== lower && field !== higher) continue;
    const other = field === lower ? higher : lower;
    if (typeof values[other] === 'number') continue;
    // A newer roof leaves its house all the room that it had.
    const { kind } = vocabulary.fields[field]!.change;
    const widens = field === higher ? kind === 'higher' : kind === 'lower';
    if (!(widens && typeof values[field] === 'number')) return true;
  }
  return false;
}

/** Whether all that is unknown but some fields has a value that fails what it could let through. */
function isElsewhereFree({ reading, looseAxes, unwanted, layout }: ChangeProblem, but: readonly number[]): boolean {
  const { table, rowAt, loose } = reading;
  const { rows } = table;
  const isLeftOut = (axis: number) => but.some((place) => layout.fields[place]!.axisNumber === axis);
  const could = unwanted.slice();
  for (let axis = 0; axis < rowAt.length; axis++)
    if (rowAt[axis]! >= 0 && !isLeftOut(axis)) take(could, rows, rowAt[axis]!);
  const open: number[] = [];
  for (let index = 0; index < loose.length; index++) {
    const each = loose[index]!;
    if (isLeftOut(looseAxes[index]!)) continue;
    for (let word = 0; word < could.length; word++) open[word] = could[word]! & ~each.every[each.everyFrom + word]!;
    if (!hasSafeValue(reading, 0, each, open, 0)) return false;
  }
  return true;
}
