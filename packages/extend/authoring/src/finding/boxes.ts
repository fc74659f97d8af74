import {
  type Box,
  type CellSet,
  type CompiledProgram,
  cover,
  difference,
  intersection,
  isEmpty,
  openParts,
  PLACE,
  type Term,
  type TermPart,
} from '@leeward/engine/compiled';
import { spend, type Work } from './work.ts';

/** Every cell of every axis of a program; the place narrowed to `places`. */
export function wholeBox(program: CompiledProgram, places: CellSet = program.place.full): Box {
  return program.axes.map((known, axis) => (axis === PLACE || !known ? places : known.axis.full));
}

/** The part of a box in which a term holds; undefined where there is none. */
export function meet(box: Box, term: Term): Box | undefined {
  const inside = box.slice();
  for (const { axis, cells } of term) {
    const both = intersection(inside[axis]!, cells);
    if (isEmpty(both)) return undefined;
    inside[axis] = both;
  }
  return inside;
}

export function withAxis(box: Box, axis: number, cells: CellSet): Box {
  const copy = box.slice();
  copy[axis] = cells;
  return copy;
}

/** Boxes that searches may still look at, in all and for one question. */
export interface Allowance {
  left: number;
  readonly perQuestion: number;
  /** Spent by the terms that each box is compared with. Default: any amount. */
  readonly work?: Work | undefined;
}

/** Whether terms cover a box, within what is left of the allowance. */
export function covered(box: Box, terms: readonly Term[], allowance: Allowance): 'yes' | 'unknown' | { open: Box } {
  spend(allowance.work, terms.length);
  const given = Math.min(allowance.left, allowance.perQuestion);
  const budget = { nodes: given };
  const touching = terms.filter((term) => openParts(term, box) !== undefined);
  const found = cover(box, touching, budget);
  const looked = given - Math.max(0, budget.nodes);
  allowance.left -= looked;
  spend(allowance.work, looked * touching.length);
  if (found.kind === 'covered') return 'yes';
  return found.kind === 'exhausted' ? 'unknown' : { open: found.witness };
}

/** What is left of a term without another, as terms that do not meet: one for each part they differ in. */
export function subtract(term: Term, other: Term, fullOf: (axis: number) => CellSet): Term[] {
  const pieces: Term[] = [];
  let rest: Map<number, TermPart> = new Map(term.map((part) => [part.axis, part]));
  for (const { axis, cells } of other) {
    const mine = rest.get(axis) ?? { axis, cells: fullOf(axis), leaves: [] };
    const inside = intersection(mine.cells, cells);
    if (isEmpty(inside)) return [term];
    const outside = difference(mine.cells, cells);
    if (!isEmpty(outside)) {
      const piece = new Map(rest).set(axis, { axis, cells: outside, leaves: [] });
      pieces.push([...piece.values()].sort((a, b) => a.axis - b.axis));
    }
    rest = new Map(rest).set(axis, { axis, cells: inside, leaves: [] });
  }
  return pieces;
}
