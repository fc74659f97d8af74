import { add, type CellSet, has } from '../compiled/cell-set.ts';
import type { Budget } from '../compiled/cover.ts';
import { singleCell } from '../compiled/settle.ts';
import { certainWithout } from './certain-terms.ts';
import { type ChangeProblem, fieldAt, targetsAt } from './change-problem.ts';
import type { Fit } from './fit-change.ts';
import { nearestFirst } from './nearest.ts';
import { allBits, intersect, meets, type TermBits, take } from './term-bits.ts';

/** Fields that are changed together, evaluated bitwise. Lists are by place in the field list. */
interface Together {
  readonly rows: Int32Array;
  readonly rowOfCell: readonly Int32Array[];
  readonly cells: readonly (readonly number[])[];
  /** Terms that no value of this field and the following ones avoids. After the last field, all bits. */
  readonly everywhere: readonly TermBits[];
  readonly budget: Budget;
}

/**
 * Yields the ways to change some fields together. The first field moves as little as possible, then the next. Then each field is widened
 * to every other cell that also works. Ways found earlier are excluded.
 */
export function* fitTogether(problem: ChangeProblem, fields: readonly number[], budget: Budget): Generator<Fit> {
  const { layout, reading } = problem;
  const { rows, axes, words } = reading.table;
  const targets = fields.map((place) => targetsAt(problem, place));
  const everywhere: TermBits[] = [allBits(words)];
  for (const each of targets.toReversed()) everywhere.unshift(intersect(everywhere[0]!, each.everywhere));
  const together: Together = {
    rows,
    rowOfCell: fields.map((place) => axes[layout.fields[place]!.axisNumber]!.rowOfCell),
    cells: targets.map(({ cells }) => cells),
    everywhere,
    budget,
  };
  const remaining = certainWithout(problem, fields);
  const fits: Fit[] = [];
  if (!canAvoid(together, 0, remaining, fits)) return;
  const nearest = fields.map((place) => nearestFirst(fieldAt(problem, place)));
  for (;;) {
    let bits = remaining;
    let candidates: readonly Fit[] = fits;
    const cells: number[] = [];
    for (const [place, nearestCells] of nearest.entries()) {
      for (const cell of nearestCells) {
        const next = withCell(together, bits, place, cell);
        const stillMatching = candidates.filter(({ sets }) => has(sets[place]!, cell));
        if (!canAvoid(together, place + 1, next, stillMatching)) continue;
        cells.push(cell);
        bits = next;
        candidates = stillMatching;
        break;
      }
      if (cells.length === place) return;
    }
    const fit = { cells, sets: widenCells(together, remaining, cells) };
    fits.push(fit);
    yield fit;
  }
}

/** True if the fields from a place on can avoid some terms in a way that is not in `ways`. */
function canAvoid(together: Together, from: number, bits: TermBits, ways: readonly Fit[]): boolean {
  const { rows, rowOfCell, cells, everywhere, budget } = together;
  if (--budget.nodes < 0 || meets(bits, everywhere[from]!)) return false;
  if (from === cells.length) return ways.length === 0;
  const targetCells = cells[from]!;
  const rowOf = rowOfCell[from]!;
  const isLast = from + 1 === cells.length;
  for (let index = 0; index < targetCells.length; index++) {
    const cell = targetCells[index]!;
    if (isLast) {
      const row = rowOf[cell]!;
      let word = 0;
      while (word < bits.length && (bits[word]! & rows[row + word]!) === 0) word++;
      if (word === bits.length && !ways.some(({ sets }) => has(sets[from]!, cell))) return true;
      continue;
    }
    const next = withCell(together, bits, from, cell);
    const stillMatching = ways.length === 0 ? ways : ways.filter(({ sets }) => has(sets[from]!, cell));
    if (canAvoid(together, from + 1, next, stillMatching)) return true;
  }
  return false;
}

function withCell({ rows, rowOfCell }: Together, bits: TermBits, place: number, cell: number): TermBits {
  const next = bits.slice();
  take(next, rows, rowOfCell[place]![cell]!);
  return next;
}

/** Widens each field to all cells that avoid every term for any choice of cells in the other fields. */
function widenCells({ rows, rowOfCell, cells }: Together, remaining: TermBits, chosen: readonly number[]): CellSet[] {
  const any = chosen.map((cell, place) => {
    const row = rowOfCell[place]![cell]!;
    return rows.slice(row, row + remaining.length);
  });
  return chosen.map((chosenCell, place) => {
    const rowOf = rowOfCell[place]!;
    const set = singleCell(rowOf.length, chosenCell);
    const others = remaining.slice();
    for (const [other, bits] of any.entries()) if (other !== place) take(others, bits, 0);
    for (const cell of cells[place]!) {
      const row = rowOf[cell]!;
      let word = 0;
      while (word < others.length && (others[word]! & rows[row + word]!) === 0) word++;
      if (word < others.length) continue;
      add(set, cell);
      for (let each = 0; each < remaining.length; each++) any[place]![each]! |= rows[row + each]!;
    }
    return set;
  });
}
