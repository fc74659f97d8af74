import { add, type CellSet, has } from '../compiled/cell-set.ts';
import type { Budget } from '../compiled/cover.ts';
import { only } from '../compiled/settle.ts';
import { certainWithout } from './certain-terms.ts';
import { type ChangeProblem, fieldAt, targetsAt } from './change-problem.ts';
import type { Fit } from './fit-change.ts';
import { nearestFirst } from './nearest.ts';
import { allBits, both, meets, type TermBits, take } from './term-bits.ts';

/** Fields that are changed together, where bits tell what that leads to. Lists are by place among them. */
interface Together {
  readonly rows: Int32Array;
  /** First word of the row of each cell. */
  readonly rowOfCell: readonly Int32Array[];
  /** Cells that the field may change to. */
  readonly cells: readonly (readonly number[])[];
  /** What no value of this field and of those behind it avoids; behind the last, everything. */
  readonly everywhere: readonly TermBits[];
  readonly budget: Budget;
}

/**
 * Finds the ways to change some fields together, one after the other: the first field goes as near to what it is now as
 * it can, then the next. Then each field takes every other cell that does as well. What was found before is left out.
 */
export function* fitTogether(problem: ChangeProblem, fields: readonly number[], budget: Budget): Generator<Fit> {
  const { layout, reading } = problem;
  const { rows, axes, words } = reading.table;
  const targets = fields.map((place) => targetsAt(problem, place));
  const everywhere: TermBits[] = [allBits(words)];
  for (const each of targets.toReversed()) everywhere.unshift(both(everywhere[0]!, each.everywhere));
  const together: Together = {
    rows,
    rowOfCell: fields.map((place) => axes[layout.fields[place]!.axisNumber]!.rowOfCell),
    cells: targets.map(({ cells }) => cells),
    everywhere,
    budget,
  };
  const left = certainWithout(problem, fields);
  const found: Fit[] = [];
  if (!canAvoid(together, 0, left, found)) return;
  const nearest = fields.map((place) => nearestFirst(fieldAt(problem, place)));
  for (;;) {
    let bits = left;
    let alike: readonly Fit[] = found;
    const cells: number[] = [];
    for (const [place, nearestCells] of nearest.entries()) {
      for (const cell of nearestCells) {
        const next = withCell(together, bits, place, cell);
        const still = alike.filter(({ sets }) => has(sets[place]!, cell));
        if (!canAvoid(together, place + 1, next, still)) continue;
        cells.push(cell);
        bits = next;
        alike = still;
        break;
      }
      if (cells.length === place) return;
    }
    const fit = { cells, sets: widened(together, left, cells) };
    found.push(fit);
    yield fit;
  }
}

/** Whether the fields from a place on can avoid some terms, in a way that is none of those. */
function canAvoid(together: Together, from: number, bits: TermBits, ways: readonly Fit[]): boolean {
  const { rows, rowOfCell, cells, everywhere, budget } = together;
  if (--budget.nodes < 0 || meets(bits, everywhere[from]!)) return false;
  if (from === cells.length) return ways.length === 0;
  const own = cells[from]!;
  const rowOf = rowOfCell[from]!;
  const isLast = from + 1 === cells.length;
  for (let index = 0; index < own.length; index++) {
    const cell = own[index]!;
    if (isLast) {
      const row = rowOf[cell]!;
      let word = 0;
      while (word < bits.length && (bits[word]! & rows[row + word]!) === 0) word++;
      if (word === bits.length && !ways.some(({ sets }) => has(sets[from]!, cell))) return true;
      continue;
    }
    const next = withCell(together, bits, from, cell);
    const still = ways.length === 0 ? ways : ways.filter(({ sets }) => has(sets[from]!, cell));
    if (canAvoid(together, from + 1, next, still)) return true;
  }
  return false;
}

function withCell({ rows, rowOfCell }: Together, bits: TermBits, place: number, cell: number): TermBits {
  const next = bits.slice();
  take(next, rows, rowOfCell[place]![cell]!);
  return next;
}

/** Each field in turn with every cell that avoids all terms whatever cells the others take. */
function widened({ rows, rowOfCell, cells }: Together, left: TermBits, chosen: readonly number[]): CellSet[] {
  /** By field, what some of its cells let through. */
  const any = chosen.map((cell, place) => {
    const row = rowOfCell[place]![cell]!;
    return rows.slice(row, row + left.length);
  });
  return chosen.map((chosenCell, place) => {
    const rowOf = rowOfCell[place]!;
    const set = only(rowOf.length, chosenCell);
    const others = left.slice();
    for (const [other, bits] of any.entries()) if (other !== place) take(others, bits, 0);
    for (const cell of cells[place]!) {
      const row = rowOf[cell]!;
      let word = 0;
      while (word < others.length && (others[word]! & rows[row + word]!) === 0) word++;
      if (word < others.length) continue;
      add(set, cell);
      for (let each = 0; each < left.length; each++) any[place]![each]! |= rows[row + each]!;
    }
    return set;
  });
}
