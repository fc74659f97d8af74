import { type CellSet, difference, intersection, intersects, isWithinSet } from './cell-set.ts';
import type { Term, TermPart } from './term.ts';

/** Possible cells of each unsettled axis; undefined for settled axes. */
export type Box = readonly (CellSet | undefined)[];

/** Number of boxes that a search may still examine. Shared by the searches of one verdict. */
export interface Budget {
  nodes: number;
}

export type Cover =
  | { readonly kind: 'covered' }
  /** A part of the box outside all terms. */
  | { readonly kind: 'uncovered'; readonly example: Box }
  | { readonly kind: 'exhausted' };

const covered: Cover = { kind: 'covered' };
const exhausted: Cover = { kind: 'exhausted' };

/**
 * Tests if terms cover a box. Splits the box along a term until every piece is inside one term or outside all. Requires terms without
 * settled parts.
 */
export function cover(box: Box, terms: readonly Term[], budget: Budget): Cover {
  if (--budget.nodes < 0) return exhausted;
  const touching: TermPart[][] = [];
  for (const term of terms) {
    const open = openParts(term, box);
    if (!open) continue;
    if (open.length === 0) return covered;
    touching.push(open);
  }
  if (touching.length === 0) return { kind: 'uncovered', example: box };
  // Splitting along the term nearest to covering the box produces the fewest pieces.
  let nearest = 0;
  for (let index = 1; index < touching.length; index++) {
    if (touching[index]!.length < touching[nearest]!.length) nearest = index;
  }
  const { axis, cells } = touching[nearest]![0]!;
  const side = box[axis]!;
  const outside = cover(withSide(box, axis, difference(side, cells)), without(touching, nearest), budget);
  if (outside.kind !== 'covered') return outside;
  return cover(withSide(box, axis, intersection(side, cells)), touching, budget);
}

/** The parts of a term that do not contain the box; undefined if the term and the box are disjoint. */
export function openParts(term: Term, box: Box): TermPart[] | undefined {
  // First pass: most terms are disjoint from most boxes.
  for (const { axis, cells } of term) if (!intersects(box[axis]!, cells)) return undefined;
  const open: TermPart[] = [];
  for (const part of term) if (!isWithinSet(box[part.axis]!, part.cells)) open.push(part);
  return open;
}

function withSide(box: Box, axis: number, side: CellSet): Box {
  const copy = box.slice();
  copy[axis] = side;
  return copy;
}

function without<T>(list: readonly T[], index: number): T[] {
  return list.filter((_, at) => at !== index);
}
