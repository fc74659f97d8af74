import type { Leaf } from '../condition/condition.ts';
import { type CellSet, intersection, isEmpty, isSame, isWithinSet, union } from './cell-set.ts';

/** A test under an even or odd number of nots. */
export interface SignedLeaf {
  readonly leaf: Leaf;
  readonly negated: boolean;
}

/** What a term asks of one axis: the cells that satisfy all its tests there. */
export interface TermPart {
  readonly axis: number;
  readonly cells: CellSet;
  readonly leaves: readonly SignedLeaf[];
}

/** Tests that must all hold: a box of cells. Parts ascend by axis, one an axis; no parts: always true. */
export type Term = readonly TermPart[];

/** Both terms at once. */
export function conjoin(a: Term, b: Term): Term {
  const parts: TermPart[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const left = a[i];
    const right = b[j];
    if (left && right && left.axis === right.axis) {
      parts.push({
        axis: left.axis,
        cells: intersection(left.cells, right.cells),
        leaves: [...left.leaves, ...right.leaves],
      });
      i++;
      j++;
    } else if (left && (!right || left.axis < right.axis)) {
      parts.push(left);
      i++;
    } else {
      parts.push(right!);
      j++;
    }
  }
  return parts;
}

/** Whether no value meets the term. */
export function isImpossible(term: Term): boolean {
  return term.some((part) => isEmpty(part.cells));
}

/** Whether every point of `inner` lies in `outer`. */
export function isInside(inner: Term, outer: Term): boolean {
  let at = 0;
  for (const part of outer) {
    while (at < inner.length && inner[at]!.axis < part.axis) at++;
    const mine = inner[at];
    if (!mine || mine.axis !== part.axis || !isWithinSet(mine.cells, part.cells)) return false;
  }
  return true;
}

/** Leaves out terms that lie inside another. */
export function withoutRedundant(terms: readonly Term[]): Term[] {
  const kept: Term[] = [];
  for (const term of terms) {
    if (kept.some((other) => isInside(term, other))) continue;
    for (let index = kept.length - 1; index >= 0; index--) if (isInside(kept[index]!, term)) kept.splice(index, 1);
    kept.push(term);
  }
  return kept;
}

/**
 * Puts together terms that differ on one axis alone: "cloth" and "knob and tube" become one test, and a
 * test that everything meets is none.
 */
export function merged(terms: readonly Term[], fullOf: (axis: number) => CellSet): Term[] {
  const result = [...terms];
  for (let i = 0; i < result.length; i++) {
    for (let j = i + 1; j < result.length; j++) {
      const both = mergeTwo(result[i]!, result[j]!);
      if (!both) continue;
      result[i] = both.filter((part) => !isSame(part.cells, fullOf(part.axis)));
      result.splice(j, 1);
      // The wider term may now fit one that it did not fit before.
      j = i;
    }
  }
  return result;
}

function mergeTwo(a: Term, b: Term): Term | undefined {
  if (a.length !== b.length || a.length === 0) return undefined;
  let differs = -1;
  for (let index = 0; index < a.length; index++) {
    if (a[index]!.axis !== b[index]!.axis) return undefined;
    if (isSame(a[index]!.cells, b[index]!.cells)) continue;
    if (differs !== -1) return undefined;
    differs = index;
  }
  if (differs === -1) return a;
  return a.map((part, index) =>
    index === differs ? { axis: part.axis, cells: union(part.cells, b[index]!.cells), leaves: [] } : part,
  );
}
