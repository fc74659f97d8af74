import type { SettledStatus } from '../verdict/verdict.ts';
import { add, type CellSet, cellsOf, emptySet, has, intersection } from './cell-set.ts';
import { type Box, type Budget, cover, openParts } from './cover.ts';
import { type PossibleCells, partDefinite, partPossible } from './encode.ts';
import type { StatusTerms } from './status-terms.ts';
import type { Term } from './term.ts';

export interface Settled {
  readonly possible: ReadonlySet<SettledStatus>;
  /** Empty for a settled status. */
  readonly decisiveAxes: ReadonlySet<number>;
  /** True if a search was cut off: the result is sound but may be incomplete. */
  readonly exhausted: boolean;
}

/** Maximum number of boxes of one search, and of boxes times terms. */
const MAX_BOXES = 2000;
const MAX_VISITS = 60_000;
/** Maximum number of visits of terms by all searches of one kind in a verdict: missing fields, rules, joint reasons. */
const MAX_VISITS_OF_KIND = 240_000;

export interface VisitBudget {
  visits: number;
}

export function createVisitBudget(visits = MAX_VISITS_OF_KIND): VisitBudget {
  return { visits };
}

export function searchWithin<T>(
  visitBudget: VisitBudget,
  termCount: number,
  maxBoxes: number,
  run: (budget: Budget) => T,
): T {
  const boxes = Math.min(maxBoxes, Math.floor(visitBudget.visits / (termCount + 1)));
  const budget = budgetFor(termCount, boxes);
  const before = budget.nodes;
  const result = run(budget);
  visitBudget.visits -= (before - Math.max(0, budget.nodes)) * (termCount + 1);
  return result;
}

export function budgetFor(termCount: number, maxBoxes = MAX_BOXES): Budget {
  return { nodes: Math.min(maxBoxes, Math.ceil(MAX_VISITS / (termCount + 1))) };
}

export interface OpenStatusTerms {
  readonly declining: readonly Term[];
  readonly referring: readonly Term[];
}

/**
 * Open terms in one order for single decisions and books, so that a search that is cut off gives both the same status.
 *
 * @param stops the moratoria in force
 */
export function openStatusTerms(
  { declining, referring }: StatusTerms,
  stops: readonly Term[],
  at: PossibleCells,
): OpenStatusTerms {
  const open = reduceUntilCertain(stops.length > 0 ? [...stops, ...declining] : declining, at);
  return { declining: open, referring: open[0]?.length === 0 ? [] : reduceTerms(referring, at) };
}

/** The terms that can still hold, without their settled parts. */
export function reduceTerms(terms: Iterable<Term>, at: PossibleCells): Term[] {
  const result: Term[] = [];
  for (const term of terms) {
    const open = openPartsOf(term, at);
    if (open) result.push(open);
  }
  return result;
}

/** Like `reduceTerms`, but returns a single term if it always holds. */
function reduceUntilCertain(terms: Iterable<Term>, at: PossibleCells): Term[] {
  const result: Term[] = [];
  for (const term of terms) {
    const open = openPartsOf(term, at);
    if (open?.length === 0) return [open];
    if (open) result.push(open);
  }
  return result;
}

const NOTHING_OPEN: Term = Object.freeze([]);

/** Undefined if the term cannot hold. */
function openPartsOf(term: Term, at: PossibleCells): Term | undefined {
  const { cells } = at;
  // First pass: most terms fail in a settled part.
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
 * Settles a status exactly, over all possible values of the unknown fields.
 *
 * @param open terms reduced to their open parts
 */
export function settle(open: OpenStatusTerms, box: Box): Settled {
  const { possible, exhausted } = possibleStatuses(open, box);
  if (possible.size <= 1) return { possible, decisiveAxes: new Set(), exhausted };
  const hanging = findDecisiveAxes(open.declining, open.referring, box);
  return { possible, decisiveAxes: hanging.axes, exhausted: exhausted || hanging.exhausted };
}

/** The possible statuses, without the axes they depend on. */
export function possibleStatuses(
  { declining, referring }: OpenStatusTerms,
  box: Box,
): Pick<Settled, 'possible' | 'exhausted'> {
  const possible = new Set<SettledStatus>();
  if (declining.some(isAlways)) return { possible: new Set(['ineligible']), exhausted: false };
  const budget = budgetFor(declining.length + referring.length);
  let exhausted = false;
  const isUncovered = (within: Box, terms: readonly Term[]): boolean => {
    const result = cover(within, terms, budget);
    if (result.kind === 'exhausted') exhausted = true;
    return result.kind !== 'covered';
  };
  if (isUncovered(box, [...declining, ...referring])) possible.add('eligible');
  const referral = referring.some((term) => {
    const inside = meet(box, term);
    return inside !== undefined && isUncovered(inside, declining);
  });
  if (referral) possible.add('referral');
  if (declining.length > 0) possible.add('ineligible');
  return { possible, exhausted };
}

function isAlways(term: Term): boolean {
  return term.length === 0;
}

/** Undefined if the intersection is empty. */
export function meet(box: Box, term: Term): Box | undefined {
  if (openParts(term, box) === undefined) return undefined;
  const inside = box.slice();
  for (const part of term) inside[part.axis] = intersection(inside[part.axis]!, part.cells);
  return inside;
}

/**
 * The axes whose knowledge could change the status: those for which two points that differ only there have different statuses. Includes
 * axes whose search was cut off.
 */
function findDecisiveAxes(
  declining: readonly Term[],
  referring: readonly Term[],
  box: Box,
): { axes: Set<number>; exhausted: boolean } {
  const tested = new Set([...declining, ...referring].flatMap((term) => term.map((part) => part.axis)));
  const axes = new Set<number>();
  let exhausted = false;
  const termCount = declining.length + referring.length;
  let boxesLeft = Math.ceil(MAX_VISITS_OF_KIND / (termCount + 1));
  for (const axis of tested) {
    const budget = budgetFor(termCount, Math.min(MAX_BOXES, boxesLeft));
    boxesLeft -= budget.nodes;
    if (isDecisive(axis, declining, referring, box, budget)) axes.add(axis);
    boxesLeft += Math.max(0, budget.nodes);
    if (budget.nodes < 0) {
      axes.add(axis);
      exhausted = true;
    }
  }
  return { axes, exhausted };
}

function isDecisive(
  axis: number,
  declining: readonly Term[],
  referring: readonly Term[],
  box: Box,
  budget: Budget,
): boolean {
  const cells = distinctCells(axis, [...declining, ...referring], box[axis]!);
  const elsewhere = box.slice();
  elsewhere[axis] = undefined;
  const declineAt = slicer(declining, axis);
  const referAt = slicer(referring, axis);
  const open = (term: Term, terms: readonly Term[]): boolean => {
    const inside = meet(elsewhere, term);
    return inside !== undefined && cover(inside, terms, budget).kind === 'uncovered';
  };
  for (const cell of cells) {
    for (const otherCell of cells) {
      if (cell === otherCell || budget.nodes < 0) continue;
      for (const term of declineAt(cell)) if (open(term, declineAt(otherCell))) return true;
      if (referAt(cell).length === 0) continue;
      const excluded = [...declineAt(cell), ...declineAt(otherCell), ...referAt(otherCell)];
      for (const term of referAt(cell)) if (open(term, excluded)) return true;
    }
  }
  return false;
}

/** One cell of each group that the terms do not distinguish. */
function distinctCells(axis: number, terms: readonly Term[], cells: CellSet): number[] {
  const all = cellsOf(cells);
  const groupOf = new Int32Array(all.length);
  let groups = Math.min(1, all.length);
  for (const term of terms) {
    const part = term.find((each) => each.axis === axis);
    if (!part) continue;
    if (groups === all.length) break;
    const split = new Int32Array(2 * groups).fill(-1);
    groups = 0;
    for (let index = 0; index < all.length; index++) {
      const side = 2 * groupOf[index]! + (has(part.cells, all[index]!) ? 1 : 0);
      if (split[side]! < 0) split[side] = groups++;
      groupOf[index] = split[side]!;
    }
  }
  const first: number[] = [];
  for (let index = 0; index < all.length; index++) if (groupOf[index] === first.length) first.push(all[index]!);
  return first;
}

/**
 * By cell of an axis, the terms that can hold there, without their part on the axis. On demand, because most searches end at the first
 * cells.
 */
function slicer(terms: readonly Term[], axis: number): (cell: number) => readonly Term[] {
  const parts = terms.map((term) => term.find((each) => each.axis === axis));
  const otherParts = terms.map((term, index) => (parts[index] ? term.filter((each) => each !== parts[index]) : term));
  const cache = new Map<number, readonly Term[]>();
  return (cell) => {
    let cached = cache.get(cell);
    if (!cached) {
      cached = otherParts.filter((_, index) => !parts[index] || has(parts[index].cells, cell));
      cache.set(cell, cached);
    }
    return cached;
  };
}

/** A set with one cell. */
export function singleCell(size: number, cell: number): CellSet {
  const set = emptySet(size);
  add(set, cell);
  return set;
}
