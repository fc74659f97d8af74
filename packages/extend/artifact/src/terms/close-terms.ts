/**
 * Closes the terms of an outcome: adds consensus terms until a box of possible values that the terms cover together is inside one of
 * them. An evaluator then needs no search: an outcome is certain if one term contains the box, possible if one intersects it.
 *
 * The axes are processed one by one (Tison's method). The consensus of some terms on an axis is the union of their cells there and the
 * intersection of their cells elsewhere. After an axis is processed, all later consensus terms keep the property for it, so one pass
 * suffices. The unions that matter depend on the possible knowledge of the axis: see `AxisKnowledge`.
 */
import {
  type CellSet,
  conjoin,
  difference,
  intersection,
  isEmpty,
  isImpossible,
  isInside,
  isSame,
  isWithinSet,
  mergeTerms,
  type Term,
  union,
  widestTerms,
} from '@leeward/engine/compiled';

/**
 * The possible knowledge of an axis. `known`: always one cell. `whole`: one cell, or nothing. `range`: neighbouring cells. `parts`: any
 * cells of one part, such as the counties of a state.
 */
export type AxisKnowledge =
  | { readonly kind: 'known' | 'whole' | 'range' }
  | { readonly kind: 'parts'; readonly parts: readonly CellSet[] };

/** The axes of some terms, by number. */
export interface ClosingAxes {
  readonly fullOf: (axis: number) => CellSet;
  readonly knowledgeOf: (axis: number) => AxisKnowledge;
}

/** Closed terms. Terms remain sound, but may not settle every home, if `isClosed` is false. */
export interface ClosedTerms {
  readonly terms: readonly Term[];
  readonly isClosed: boolean;
}

/** Maximum number of combined terms for an axis, and of new terms. Beyond it, the axis adds none. */
const MAX_STEPS = 20_000;
const MAX_NEW_TERMS = 400;

/** Closes terms. @example closeTerms(terms, axes).terms */
export function closeTerms(terms: readonly Term[], axes: ClosingAxes): ClosedTerms {
  let closed: readonly Term[] = widestTerms(mergeTerms(terms, axes.fullOf));
  let isClosed = true;
  const tested = new Set(closed.flatMap((term) => term.map(({ axis }) => axis)));
  for (const axis of [...tested].sort((a, b) => a - b)) {
    const knowledge = axes.knowledgeOf(axis);
    if (knowledge.kind === 'known') continue;
    const added =
      knowledge.kind === 'whole'
        ? coversOfAxis(closed, axis, axes.fullOf(axis))
        : unionsOnAxis(closed, axis, axes.fullOf(axis), knowledge);
    if (!added) isClosed = false;
    else if (added.length > 0) closed = widestTerms([...closed, ...added]);
  }
  return { terms: closed, isClosed };
}

interface AxisTerm {
  readonly cells: CellSet;
  /** The other parts of the term. */
  readonly rest: Term;
}

function splitBy(axis: number, terms: readonly Term[]): { readonly testing: AxisTerm[]; readonly others: Term[] } {
  const testing: AxisTerm[] = [];
  const others: Term[] = [];
  for (const term of terms) {
    const part = term.find((each) => each.axis === axis);
    if (part) testing.push({ cells: part.cells, rest: term.filter((each) => each !== part) });
    else others.push(term);
  }
  return { testing, others };
}

/** The conjunctions of terms whose cells together are the whole axis. Undefined if there are too many. */
function coversOfAxis(terms: readonly Term[], axis: number, full: CellSet): readonly Term[] | undefined {
  const { testing, others } = splitBy(axis, terms);
  const all = testing.reduce<CellSet>((cells, each) => union(cells, each.cells), new Uint32Array(full.length));
  if (!isSame(all, full)) return [];
  const covers: Term[] = [];
  let steps = 0;
  const search = (open: CellSet, rest: Term): boolean => {
    if (isEmpty(open)) {
      covers.push(rest);
      return covers.length <= MAX_NEW_TERMS;
    }
    const first = lowestOf(open);
    for (const each of testing) {
      if (!intersectsLowest(each.cells, first)) continue;
      if (++steps > MAX_STEPS) return false;
      const both = conjoin(rest, each.rest);
      if (isImpossible(both) || isInsideAny(both, others) || isInsideAny(both, covers)) continue;
      if (!search(difference(open, each.cells), both)) return false;
    }
    return true;
  };
  return search(full, []) ? covers : undefined;
}

interface LowestCell {
  readonly word: number;
  readonly bit: number;
}

function lowestOf(cells: CellSet): LowestCell {
  const word = cells.findIndex((bits) => bits !== 0);
  return { word, bit: cells[word]! & -cells[word]! };
}

function intersectsLowest(cells: CellSet, { word, bit }: LowestCell): boolean {
  return (cells[word]! & bit) !== 0;
}

function isInsideAny(term: Term, others: readonly Term[]): boolean {
  return others.some((other) => isInside(term, other));
}

/** The consensus terms of all terms on an axis with partial knowledge. Undefined if there are too many. */
function unionsOnAxis(
  terms: readonly Term[],
  axis: number,
  full: CellSet,
  knowledge: AxisKnowledge,
): readonly Term[] | undefined {
  const { testing, others } = splitBy(axis, terms);
  const list = testing.filter(({ cells }) => !isEmpty(cells));
  const added: Term[] = [];
  let steps = 0;
  for (let second = 1; second < list.length; second++) {
    for (let first = 0; first < second; first++) {
      if (++steps > MAX_STEPS) return undefined;
      const [a, b] = [list[first]!, list[second]!];
      const cells = union(a.cells, b.cells);
      if (!isWider(cells, a.cells, b.cells, knowledge)) continue;
      const rest = conjoin(a.rest, b.rest);
      if (isImpossible(rest) || isInsideAny(rest, others)) continue;
      if (list.some((each) => isWithinSet(cells, each.cells) && isInside(rest, each.rest))) continue;
      if (added.length === MAX_NEW_TERMS) return undefined;
      if (isSame(cells, full)) {
        others.push(rest);
        added.push(rest);
        continue;
      }
      list.push({ cells, rest });
      added.push([...rest, { axis, cells, leaves: [] }].sort((one, other) => one.axis - other.axis));
    }
  }
  return added;
}

/** True if some possible knowledge of the axis is within the union, but within neither set. */
function isWider(both: CellSet, a: CellSet, b: CellSet, knowledge: AxisKnowledge): boolean {
  if (isSame(both, a) || isSame(both, b)) return false;
  if (knowledge.kind === 'parts')
    return knowledge.parts.some((part) => {
      const here = intersection(both, part);
      return !isWithinSet(here, a) && !isWithinSet(here, b);
    });
  // A range outside both sets contains two neighbours, one of them outside the first set and the other outside the second.
  const onlyA = difference(a, b);
  const onlyB = difference(b, a);
  return hasRunWith(both, onlyA, onlyB);
}

/** True if a run of neighbouring cells contains a cell of each set. */
function hasRunWith(runs: CellSet, a: CellSet, b: CellSet): boolean {
  let seenA = false;
  let seenB = false;
  for (let cell = 0; cell < 32 * runs.length; cell++) {
    const bit = 1 << (cell & 31);
    const word = cell >>> 5;
    if ((runs[word]! & bit) === 0) {
      seenA = false;
      seenB = false;
      continue;
    }
    if ((a[word]! & bit) !== 0) seenA = true;
    if ((b[word]! & bit) !== 0) seenB = true;
    if (seenA && seenB) return true;
  }
  return false;
}
