import type { Leaf } from '../condition/condition.ts';
import { type CellSet, intersection, isEmpty, isSame, isWithinSet, union } from './cell-set.ts';

export interface SignedLeaf {
  readonly leaf: Leaf;
  readonly negated: boolean;
}

/** The part of a term on one axis: the cells that satisfy all its tests there. */
export interface TermPart {
  readonly axis: number;
  readonly cells: CellSet;
  readonly leaves: readonly SignedLeaf[];
}

/** A conjunction of tests: a box of cells. One part per axis, in their order. Without parts, always true. */
export type Term = readonly TermPart[];

/** The conjunction of two terms. */
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

/** True if no value satisfies the term. */
export function isImpossible(term: Term): boolean {
  return term.some((part) => isEmpty(part.cells));
}

/** True if `inner` is contained in `outer`. */
export function isInside(inner: Term, outer: Term): boolean {
  let at = 0;
  for (const part of outer) {
    while (at < inner.length && inner[at]!.axis < part.axis) at++;
    const innerPart = inner[at];
    if (!innerPart || innerPart.axis !== part.axis || !isWithinSet(innerPart.cells, part.cells)) return false;
  }
  return true;
}

/**
 * Merges terms that differ on one axis only: "cloth" and "knob and tube" become one test, and a test that every value meets disappears.
 * Repeats until nothing can be merged.
 */
export function mergeTerms(terms: readonly Term[], fullOf: (axis: number) => CellSet): Term[] {
  const numberOf = createSetNumbers();
  let result = [...terms];
  for (let before = -1; before !== result.length && result.length > 1; ) {
    before = result.length;
    const axes = new Set(result.flatMap((term) => term.map((part) => part.axis)));
    for (const axis of axes) {
      result = mergeOnAxis(axis, result, fullOf(axis), numberOf);
    }
  }
  return result;
}

export function mergeOnAxis(
  axis: number,
  terms: readonly Term[],
  full: CellSet,
  numberOf: (axis: number, set: CellSet) => number,
): Term[] {
  const places = new Map<string, number>();
  const result: Term[] = [];
  for (const term of terms) {
    const part = term.find((each) => each.axis === axis);
    if (!part) {
      result.push(term);
      continue;
    }
    let key = '';
    for (const each of term) if (each !== part) key += `${each.axis}:${numberOf(each.axis, each.cells)} `;
    const place = places.get(key);
    if (place === undefined) {
      places.set(key, result.push(term) - 1);
      continue;
    }
    const other = result[place]!;
    result[place] = other.map((each) =>
      each.axis === axis ? { axis, cells: union(each.cells, part.cells), leaves: [] } : each,
    );
  }
  // Remove parts that every value meets.
  for (const place of places.values()) {
    const term = result[place]!;
    if (term.some((part) => part.axis === axis && isSame(part.cells, full))) {
      result[place] = term.filter((part) => part.axis !== axis);
    }
  }
  return result;
}

/** Numbers sets by content: equal sets of one axis have one number. */
export function createSetNumbers(): (axis: number, set: CellSet) => number {
  const cache = new Map<CellSet, number>();
  const byContent = new Map<string, number>();
  return (axis, set) => {
    let number = cache.get(set);
    if (number === undefined) {
      const content = `${axis} ${set.join(' ')}`;
      number = byContent.get(content) ?? byContent.size;
      byContent.set(content, number);
      cache.set(set, number);
    }
    return number;
  };
}
