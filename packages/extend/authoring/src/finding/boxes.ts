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
import { spend, type Work } from './work-budget.ts';

/**
 * The analysis reasons about sets of homes. A box is a set of cells on each axis of a compiled program: `roof_age` 16 to 20 and `usage`
 * rental. Terms of rules are boxes too, so "does some home meet both rules?" is an intersection and "is there a home that no rule
 * covers?" is a search for the part of a box outside all terms.
 */

export function wholeBox(program: CompiledProgram, places: CellSet = program.place.full): Box {
  return program.axes.map((field, axis) => (axis === PLACE || !field ? places : field.axis.full));
}

/** The part of a box in which a term holds; undefined if empty. */
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

/** Budget of boxes for all searches together, and for one question. */
export interface Allowance {
  left: number;
  readonly perQuestion: number;
  /** Also charged, one unit per term that a box is compared with. @default unlimited */
  readonly work?: Work | undefined;
}

/** Tests if the terms together cover a box. Returns `unknown` if the budget ran out, or an open part. */
export function covered(box: Box, terms: readonly Term[], allowance: Allowance): 'yes' | 'unknown' | { open: Box } {
  spend(allowance.work, terms.length);
  const nodes = Math.min(allowance.left, allowance.perQuestion);
  const budget = { nodes };
  const touching = terms.filter((term) => openParts(term, box) !== undefined);
  const result = cover(box, touching, budget);
  const searchedBoxes = nodes - Math.max(0, budget.nodes);
  allowance.left -= searchedBoxes;
  spend(allowance.work, searchedBoxes * touching.length);
  if (result.kind === 'covered') return 'yes';
  return result.kind === 'exhausted' ? 'unknown' : { open: result.example };
}

/** The homes of `term` that are not in `other`, as disjoint terms. */
export function subtract(term: Term, other: Term, fullOf: (axis: number) => CellSet): Term[] {
  const pieces: Term[] = [];
  let inner: Map<number, TermPart> = new Map(term.map((part) => [part.axis, part]));
  for (const { axis, cells } of other) {
    const mine = inner.get(axis) ?? { axis, cells: fullOf(axis), leaves: [] };
    const inside = intersection(mine.cells, cells);
    if (isEmpty(inside)) return [term];
    const outside = difference(mine.cells, cells);
    if (!isEmpty(outside)) {
      const piece = new Map(inner).set(axis, { axis, cells: outside, leaves: [] });
      pieces.push([...piece.values()].sort((a, b) => a.axis - b.axis));
    }
    inner = new Map(inner).set(axis, { axis, cells: inside, leaves: [] });
  }
  return pieces;
}
