import { add, type CellSet, emptySet } from '../compiled/cell-set.ts';
import { hasSafeValue } from '../decide/carrier-status.ts';
import { layoutOf } from '../vocabulary/layout.ts';
import { certainWithout } from './certain-terms.ts';
import { type ChangeProblem, fieldAt, targetsAt } from './change-problem.ts';
import { take } from './term-bits.ts';

/**
 * True if bit operations alone determine the result of changing some fields. They do not if a test between two facts is open or depends
 * on one of the fields, or if an unknown field lacks a value that fails all terms.
 */
export function isBitwise(problem: ChangeProblem, fields: readonly number[]): boolean {
  const { layout, reading } = problem;
  if (reading.tests.length > 0) return false;
  for (let each = 0; each < fields.length; each++) {
    const { axisNumber, tests, index } = layout.fields[fields[each]!]!;
    if (tests.length > 0 || axisNumber < 0 || bindsUnknown(index, problem)) return false;
  }
  return reading.loose.length === 0 || isElsewhereFree(problem, fields);
}

/** The cells that a field alone may change to and that avoid every term. Requires `isBitwise`. */
export function findCellsAlone(problem: ChangeProblem, place: number): CellSet {
  const { layout, reading } = problem;
  const { rows, axes } = reading.table;
  const { cells } = targetsAt(problem, place);
  const certain = certainWithout(problem, [place]);
  const { rowOfCell } = axes[layout.fields[place]!.axisNumber]!;
  const avoiding = emptySet(fieldAt(problem, place).axis.size);
  for (let index = 0; index < cells.length; index++) {
    const row = rowOfCell[cells[index]!]!;
    let word = 0;
    while (word < certain.length && (certain[word]! & rows[row + word]!) === 0) word++;
    if (word === certain.length) add(avoiding, cells[index]!);
  }
  return avoiding;
}

/** True if changing the field may restrict an unknown field by a relation: then the terms do not determine the result. */
function bindsUnknown(field: number, { property }: ChangeProblem): boolean {
  const { values, vocabulary } = property;
  const { relations } = layoutOf(vocabulary);
  for (let index = 0; index < relations.length; index++) {
    const { lower, higher } = relations[index]!;
    if (field !== lower && field !== higher) continue;
    const other = field === lower ? higher : lower;
    if (typeof values[other] === 'number') continue;
    // A newer roof does not restrict its house further.
    const { kind } = vocabulary.fields[field]!.change;
    const widens = field === higher ? kind === 'higher' : kind === 'lower';
    if (!(widens && typeof values[field] === 'number')) return true;
  }
  return false;
}

/** True if every unknown axis, except those of some fields, has a value that fails all terms it could satisfy. */
function isElsewhereFree({ reading, looseAxes, unwanted, layout }: ChangeProblem, except: readonly number[]): boolean {
  const { table, rowAt, loose } = reading;
  const { rows } = table;
  const isExcepted = (axis: number) => except.some((place) => layout.fields[place]!.axisNumber === axis);
  const possible = unwanted.slice();
  for (let axis = 0; axis < rowAt.length; axis++)
    if (rowAt[axis]! >= 0 && !isExcepted(axis)) take(possible, rows, rowAt[axis]!);
  const open: number[] = [];
  for (let index = 0; index < loose.length; index++) {
    const each = loose[index]!;
    if (isExcepted(looseAxes[index]!)) continue;
    for (let word = 0; word < possible.length; word++)
      open[word] = possible[word]! & ~each.every[each.everyFrom + word]!;
    if (!hasSafeValue(reading, 0, each, open, 0)) return false;
  }
  return true;
}
