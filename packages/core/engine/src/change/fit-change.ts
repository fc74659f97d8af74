import { add, type CellSet, cellsOf, has, intersects } from '../compiled/cell-set.ts';
import { type Box, type Budget, cover } from '../compiled/cover.ts';
import { singleCell } from '../compiled/settle.ts';
import type { Term } from '../compiled/term.ts';
import { type ChangeProblem, fieldAt } from './change-problem.ts';
import { nearestFirst } from './nearest.ts';
import { axisOfField, type Freed } from './search-changes.ts';

export interface Fit {
  /** By place in `freed.fields`. */
  readonly cells: readonly number[];
  /** Any combination of these cells avoids every term, for the values of unknown fields that `cells` assumes. */
  readonly sets: readonly CellSet[];
}

/**
 * Finds the change nearest to the present values: the first field moves as little as possible, then the next. Then each field is widened
 * to every other cell that also works.
 *
 * @param except changes found earlier
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
  let example = uncovered(box, terms, budget);
  if (!example) return undefined;
  const cells: number[] = [];
  for (const [index, axis] of axes.entries()) {
    const { axis: cellAxis } = fieldAt(problem, freed.fields[index]!);
    for (const cell of nearestFirst(fieldAt(problem, freed.fields[index]!))) {
      const narrowed = withSide(box, axis, singleCell(cellAxis.size, cell));
      const narrowedExample = uncovered(narrowed, terms, budget);
      if (!narrowedExample) continue;
      box = narrowed;
      example = narrowedExample;
      cells.push(cell);
      break;
    }
    if (cells.length === index) return undefined;
  }
  return { cells, sets: freed.exact ? widen(problem, freed, axes, example) : axes.map((axis) => box[axis]!) };
}

function widen(problem: ChangeProblem, freed: Freed, axes: readonly number[], example: Box): CellSet[] {
  const sets = axes.map((axis) => example[axis]!.slice());
  // Terms that an unknown field avoids are avoided for any change of the fields.
  const near = freed.terms.filter((term) =>
    term.every((part) => axes.includes(part.axis) || intersects(example[part.axis]!, part.cells)),
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
  const result = cover(box, terms, budget);
  return result.kind === 'uncovered' ? result.example : undefined;
}

function withSide(box: Box, axis: number, side: CellSet): Box {
  const copy = box.slice();
  copy[axis] = side;
  return copy;
}
