import { add, type CellSet, cellsOf, has, intersects } from '../compiled/cell-set.ts';
import { type Box, type Budget, cover } from '../compiled/cover.ts';
import { only } from '../compiled/settle.ts';
import type { Term } from '../compiled/term.ts';
import { type ChangeProblem, fieldAt } from './change-problem.ts';
import { nearestFirst } from './nearest.ts';
import { axisOfField, type Freed } from './search-changes.ts';

/** A way to change some fields: for each, the cell to go to, and all cells that do as well. */
export interface Fit {
  /** By place in `freed.fields`. */
  readonly cells: readonly number[];
  /** Any combination of these avoids every term, whatever of the rest is unknown taken as it was for `cells`. */
  readonly sets: readonly CellSet[];
}

/**
 * Fits a change near to what the property is now: the first field goes as near as it can, then the next.
 * Then each field takes every other cell that does as well. `except` are changes found already.
 */
export function fitChange(
  problem: ChangeProblem,
  freed: Freed,
  except: readonly Fit[],
  budget: Budget,
): Fit | undefined {
  const axes = freed.fields.map((field) => axisOfField(problem, field));
  const terms = [...freed.terms, ...except.map((fit) => asTerm(fit, axes))];
  let box: Box = freed.box;
  let witness = uncovered(box, terms, budget);
  if (!witness) return undefined;
  const cells: number[] = [];
  for (const [index, axis] of axes.entries()) {
    const { axis: cellAxis } = fieldAt(problem, freed.fields[index]!);
    for (const cell of nearestFirst(fieldAt(problem, freed.fields[index]!))) {
      const narrowed = withSide(box, axis, only(cellAxis.size, cell));
      const found = uncovered(narrowed, terms, budget);
      if (!found) continue;
      box = narrowed;
      witness = found;
      cells.push(cell);
      break;
    }
    if (cells.length === index) return undefined;
  }
  return { cells, sets: freed.exact ? widen(problem, freed, axes, witness) : axes.map((axis) => box[axis]!) };
}

/** Widens each field in turn to the cells that keep every term away from all combinations. */
function widen(problem: ChangeProblem, freed: Freed, axes: readonly number[], witness: Box): CellSet[] {
  const sets = axes.map((axis) => witness[axis]!.slice());
  // Terms that something unknown keeps away are away however the fields change.
  const near = freed.terms.filter((term) =>
    term.every((part) => axes.includes(part.axis) || intersects(witness[part.axis]!, part.cells)),
  );
  for (const [index, axis] of axes.entries()) {
    const { allowed } = fieldAt(problem, freed.fields[index]!);
    const isAway = (term: Term, cell: number) =>
      term.some((part) => {
        const place = axes.indexOf(part.axis);
        if (place < 0) return false;
        return part.axis === axis ? !has(part.cells, cell) : !intersects(sets[place]!, part.cells);
      });
    for (const cell of cellsOf(allowed)) {
      if (!has(sets[index]!, cell) && near.every((term) => isAway(term, cell))) add(sets[index]!, cell);
    }
  }
  return sets;
}

function asTerm({ sets }: Fit, axes: readonly number[]): Term {
  return axes.map((axis, index) => ({ axis, cells: sets[index]!, leaves: [] }));
}

function uncovered(box: Box, terms: readonly Term[], budget: Budget): Box | undefined {
  const found = cover(box, terms, budget);
  return found.kind === 'uncovered' ? found.witness : undefined;
}

function withSide(box: Box, axis: number, side: CellSet): Box {
  const copy = box.slice();
  copy[axis] = side;
  return copy;
}
