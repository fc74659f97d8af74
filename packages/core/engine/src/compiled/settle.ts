import type { SettledStatus } from '../verdict/verdict.ts';
import { add, type CellSet, cellsOf, emptySet, has, intersection } from './cell-set.ts';
import { type Box, type Budget, cover, openParts } from './cover.ts';
import { type KnownCells, partDefinite, partPossible } from './encode.ts';
import type { StatusTerms } from './status-terms.ts';
import type { Term } from './term.ts';

/** What the status can be once everything is known, and which axes it hangs on. */
export interface Settled {
  readonly possible: ReadonlySet<SettledStatus>;
  /** Axes on which the status hangs; empty where it is settled. */
  readonly hanging: ReadonlySet<number>;
  /** A search ran out of its budget: sound, but perhaps not the whole truth. */
  readonly exhausted: boolean;
}

/** Boxes that one search may look at, times the terms to be looked at in each. */
const MAX_BOXES = 2000;
const MAX_LOOKS = 60_000;
/** Looks at terms of all searches of one kind in one verdict together: for missing fields, for rules, for what decides together. */
const MAX_LOOKS_FOR_FIELDS = 240_000;

/** What all searches of one kind in one verdict may still look at. */
export interface LooksLeft {
  looks: number;
}

export function looksForVerdict(): LooksLeft {
  return { looks: MAX_LOOKS_FOR_FIELDS };
}

/** Searches within what is left for all of the kind. */
export function searchWithin<T>(left: LooksLeft, termCount: number, maxBoxes: number, run: (budget: Budget) => T): T {
  const boxes = Math.min(maxBoxes, Math.floor(left.looks / (termCount + 1)));
  const budget = budgetFor(termCount, boxes);
  const before = budget.nodes;
  const found = run(budget);
  left.looks -= (before - Math.max(0, budget.nodes)) * (termCount + 1);
  return found;
}

/** How much a search over some terms may cost. */
export function budgetFor(termCount: number, maxBoxes = MAX_BOXES): Budget {
  return { nodes: Math.min(maxBoxes, Math.ceil(MAX_LOOKS / (termCount + 1))) };
}

/** The terms of a status that are not settled. */
export interface OpenStatusTerms {
  readonly declining: readonly Term[];
  readonly referring: readonly Term[];
}

/**
 * What of a program's terms is open for a property, `stops` being its moratoria in force. Single decisions and books
 * search the same terms in the same order, so that a search that runs out leaves both with the same status.
 */
export function openStatusTerms(
  { declining, referring }: StatusTerms,
  stops: readonly Term[],
  at: KnownCells,
): OpenStatusTerms {
  const open = reducedTillCertain(stops.length > 0 ? [...stops, ...declining] : declining, at);
  return { declining: open, referring: open[0]?.length === 0 ? [] : reduced(referring, at) };
}

/** Terms that can still hold, without their parts on what is settled. */
export function reduced(terms: Iterable<Term>, at: KnownCells): Term[] {
  const result: Term[] = [];
  for (const term of terms) {
    const open = openPartsOf(term, at);
    if (open) result.push(open);
  }
  return result;
}

/** The same, or one term that always holds alone where there is one: nothing that the others say matters then. */
function reducedTillCertain(terms: Iterable<Term>, at: KnownCells): Term[] {
  const result: Term[] = [];
  for (const term of terms) {
    const open = openPartsOf(term, at);
    if (open?.length === 0) return [open];
    if (open) result.push(open);
  }
  return result;
}

const NOTHING_OPEN: Term = Object.freeze([]);

/** The parts of a term that are not settled; undefined where it cannot hold. */
function openPartsOf(term: Term, at: KnownCells): Term | undefined {
  const { cells } = at;
  // Most terms fail by a part that is settled: nothing is gathered before that is known.
  let isSettled = true;
  for (const part of term) {
    const cell = cells[part.axis]!;
    if (cell < 0) isSettled = false;
    else if (!has(part.cells, cell)) return undefined;
  }
  if (isSettled) return NOTHING_OPEN;
  for (const part of term) if (cells[part.axis]! < 0 && !partPossible(part, at)) return undefined;
  return term.filter((part) => !partDefinite(part, at));
}

/**
 * Settles a status exactly: over every value that the unknown fields can take, given terms reduced to
 * what is not settled.
 */
export function settle(open: OpenStatusTerms, box: Box): Settled {
  const { possible, exhausted } = possibleStatuses(open, box);
  if (possible.size <= 1) return { possible, hanging: new Set(), exhausted };
  const hanging = hangingAxes(open.declining, open.referring, box);
  return { possible, hanging: hanging.axes, exhausted: exhausted || hanging.exhausted };
}

/** The statuses alone, without what they hang on. */
export function possibleStatuses(
  { declining, referring }: OpenStatusTerms,
  box: Box,
): Pick<Settled, 'possible' | 'exhausted'> {
  const possible = new Set<SettledStatus>();
  if (declining.some(isAlways)) return { possible: new Set(['ineligible']), exhausted: false };
  const budget = budgetFor(declining.length + referring.length);
  let exhausted = false;
  const leavesRoom = (within: Box, terms: readonly Term[]): boolean => {
    const found = cover(within, terms, budget);
    if (found.kind === 'exhausted') exhausted = true;
    return found.kind !== 'covered';
  };
  if (leavesRoom(box, [...declining, ...referring])) possible.add('eligible');
  const referral = referring.some((term) => {
    const inside = meet(box, term);
    return inside !== undefined && leavesRoom(inside, declining);
  });
  if (referral) possible.add('referral');
  if (declining.length > 0) possible.add('ineligible');
  return { possible, exhausted };
}

function isAlways(term: Term): boolean {
  return term.length === 0;
}

/** What of a box a term leaves; undefined where it misses it. */
export function meet(box: Box, term: Term): Box | undefined {
  if (openParts(term, box) === undefined) return undefined;
  const inside = box.slice();
  for (const part of term) inside[part.axis] = intersection(inside[part.axis]!, part.cells);
  return inside;
}

/**
 * The axes whose knowledge could change the status: those for which two points that differ there alone
 * have different statuses. An axis whose search runs out is kept.
 */
function hangingAxes(
  declining: readonly Term[],
  referring: readonly Term[],
  box: Box,
): { axes: Set<number>; exhausted: boolean } {
  const tested = new Set([...declining, ...referring].flatMap((term) => term.map((part) => part.axis)));
  const axes = new Set<number>();
  let exhausted = false;
  const termCount = declining.length + referring.length;
  let boxesLeft = Math.ceil(MAX_LOOKS_FOR_FIELDS / (termCount + 1));
  for (const axis of tested) {
    const budget = budgetFor(termCount, Math.min(MAX_BOXES, boxesLeft));
    boxesLeft -= budget.nodes;
    if (hangsOn(axis, declining, referring, box, budget)) axes.add(axis);
    boxesLeft += Math.max(0, budget.nodes);
    if (budget.nodes < 0) {
      axes.add(axis);
      exhausted = true;
    }
  }
  return { axes, exhausted };
}

function hangsOn(
  axis: number,
  declining: readonly Term[],
  referring: readonly Term[],
  box: Box,
  budget: Budget,
): boolean {
  const cells = alikeCells(axis, [...declining, ...referring], box[axis]!);
  const elsewhere = box.slice();
  elsewhere[axis] = undefined;
  const declineAt = slicer(declining, axis);
  const referAt = slicer(referring, axis);
  const open = (term: Term, terms: readonly Term[]): boolean => {
    const inside = meet(elsewhere, term);
    return inside !== undefined && cover(inside, terms, budget).kind === 'uncovered';
  };
  for (const here of cells) {
    for (const there of cells) {
      if (here === there || budget.nodes < 0) continue;
      // Declined here, not there.
      for (const term of declineAt(here)) if (open(term, declineAt(there))) return true;
      // Referred here; there neither referred nor declined.
      if (referAt(here).length === 0) continue;
      const quiet = [...declineAt(here), ...declineAt(there), ...referAt(there)];
      for (const term of referAt(here)) if (open(term, quiet)) return true;
    }
  }
  return false;
}

/** One cell of each group that no term tells apart. */
function alikeCells(axis: number, terms: readonly Term[], cells: CellSet): number[] {
  const all = cellsOf(cells);
  const groupOf = new Int32Array(all.length);
  let groups = Math.min(1, all.length);
  for (const term of terms) {
    const part = term.find((each) => each.axis === axis);
    if (!part) continue;
    if (groups === all.length) break;
    // Each group falls into the cells in which the test fails, and those in which it holds.
    const parted = new Int32Array(2 * groups).fill(-1);
    groups = 0;
    for (let index = 0; index < all.length; index++) {
      const side = 2 * groupOf[index]! + (has(part.cells, all[index]!) ? 1 : 0);
      if (parted[side]! < 0) parted[side] = groups++;
      groupOf[index] = parted[side]!;
    }
  }
  // Groups are numbered by their first cells.
  const first: number[] = [];
  for (let index = 0; index < all.length; index++) if (groupOf[index] === first.length) first.push(all[index]!);
  return first;
}

/**
 * By cell of an axis, the terms that can hold with the axis there, without their part on it. Found when first asked
 * for: most searches end at the first cells.
 */
function slicer(terms: readonly Term[], axis: number): (cell: number) => readonly Term[] {
  const parts = terms.map((term) => term.find((each) => each.axis === axis));
  const rests = terms.map((term, index) => (parts[index] ? term.filter((each) => each !== parts[index]) : term));
  const known = new Map<number, readonly Term[]>();
  return (cell) => {
    let found = known.get(cell);
    if (!found) {
      found = rests.filter((_, index) => !parts[index] || has(parts[index].cells, cell));
      known.set(cell, found);
    }
    return found;
  };
}

/** A set of one cell. */
export function only(size: number, cell: number): CellSet {
  const set = emptySet(size);
  add(set, cell);
  return set;
}
