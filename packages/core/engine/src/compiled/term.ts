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

/**
 * Puts together terms that differ on one axis alone: "cloth" and "knob and tube" become one test, and a
 * test that everything meets is none. Works through the axes in turn until nothing fits together any more.
 */
export function merged(terms: readonly Term[], fullOf: (axis: number) => CellSet): Term[] {
  const numberOf = createSetNumbers();
  let result = [...terms];
  for (let before = -1; before !== result.length && result.length > 1; ) {
    before = result.length;
    const axes = new Set(result.flatMap((term) => term.map((part) => part.axis)));
    for (const axis of axes) {
      result = mergedOn(axis, result, fullOf(axis), numberOf);
    }
  }
  return result;
}

/** Unites the terms that differ on this axis alone. */
export function mergedOn(
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
  // What became a test of everything is none.
  for (const place of places.values()) {
    const term = result[place]!;
    if (term.some((part) => part.axis === axis && isSame(part.cells, full))) {
      result[place] = term.filter((part) => part.axis !== axis);
    }
  }
  return result;
}

/** Numbers sets by what is in them: equal sets of one axis have one number. */
export function createSetNumbers(): (axis: number, set: CellSet) => number {
  const known = new Map<CellSet, number>();
  const byContent = new Map<string, number>();
  return (axis, set) => {
    let number = known.get(set);
    if (number === undefined) {
      const content = `${axis} ${set.join(' ')}`;
      number = byContent.get(content) ?? byContent.size;
      byContent.set(content, number);
      known.set(set, number);
    }
    return number;
  };
}
