import { type CellSet, difference, intersection, intersects, isWithinSet } from './cell-set.ts';
import type { Term, TermPart } from './term.ts';

/** For each axis that is not settled, the cells it can be in; undefined for settled ones. */
export type Box = readonly (CellSet | undefined)[];

/** How many boxes a search may still look at; shared by the searches of one verdict. */
export interface Budget {
  nodes: number;
}

export type Cover =
  | { readonly kind: 'covered' }
  /** A part of the box that no term meets. */
  | { readonly kind: 'uncovered'; readonly witness: Box }
  /** The budget ran out: nothing is claimed. */
  | { readonly kind: 'exhausted' };

const covered: Cover = { kind: 'covered' };
const exhausted: Cover = { kind: 'exhausted' };

/**
 * Whether the terms together cover a box. Splits the box along a term until every piece lies inside one
 * term or outside all. The parts of a term on settled axes must have been left out already.
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
  if (touching.length === 0) return { kind: 'uncovered', witness: box };
  // The term nearest to covering the box splits it least.
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

/** Parts of a term that the box does not lie inside of; undefined where the term misses the box. */
export function openParts(term: Term, box: Box): TermPart[] | undefined {
  // Most terms miss most boxes: nothing is gathered before that is known.
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
