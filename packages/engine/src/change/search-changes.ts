import { type CellSet, intersection } from '../compiled/cell-set.ts';
import { type Box, type Budget, cover, openParts } from '../compiled/cover.ts';
import type { Term, TermPart } from '../compiled/term.ts';
import type { ChangePart } from './change-layout.ts';
import { bothAnswers, type ChangeProblem, canEscape } from './change-problem.ts';

/** A problem with some fields set free: cells of each on an axis of its own, after those of the program. */
export interface Freed {
  readonly fields: readonly number[];
  readonly box: Box;
  readonly terms: readonly Term[];
  /** False where a test of two of the fields against one another is taken to be free by itself. */
  readonly exact: boolean;
}

export interface FoundChanges {
  /** Sets of fields, by place in the problem's, that suffice; all of one size, and no smaller one does. */
  readonly sets: readonly Freed[];
  /** Searches ran out: there may be more. */
  readonly exhausted: boolean;
}

/** Boxes that one question may look at, times the terms to be looked at in each; sets of fields that it may try. */
const NODE_CAP = 20_000;
const TERM_CAP = 5_000_000;
const MOST_SETS = 4000;

/** How much one search of a problem may cost. */
export function budgetFor({ terms }: ChangeProblem): Budget {
  return { nodes: Math.min(NODE_CAP, Math.ceil(TERM_CAP / (terms.length + 1))) };
}

/** Where the cells of a field of the problem stand in a box. */
export function axisOfField(problem: ChangeProblem, field: number): number {
  return problem.program.axes.length + field;
}

/**
 * Finds the smallest sets of fields that, changed to what they may change to, avoid all terms for at least
 * one value of whatever is unknown: by number of fields, each set growing from what still stands in its way.
 * `accept` has the last word on a set.
 */
export function searchChanges(problem: ChangeProblem, accept: (freed: Freed) => boolean): FoundChanges {
  const budget = budgetFor(problem);
  let level: number[][] = [[]];
  const seen = new Set<string>(['']);
  let exhausted = false;
  while (level.length > 0) {
    const sets: Freed[] = [];
    const next: number[][] = [];
    for (const fields of level) {
      if (budget.nodes < 0) return { sets, exhausted: true };
      const freed = free(problem, fields);
      const found = cover(freed.box, freed.terms, budget);
      if (found.kind === 'exhausted') exhausted = true;
      if (found.kind === 'uncovered' && accept(freed)) {
        sets.push(freed);
        continue;
      }
      for (const field of obstacles(problem, freed)) {
        const wider = [...fields, field].sort((a, b) => a - b);
        const key = wider.join(' ');
        if (seen.has(key)) continue;
        if (seen.size >= MOST_SETS) exhausted = true;
        else {
          seen.add(key);
          next.push(wider);
        }
      }
    }
    if (sets.length > 0) return { sets, exhausted };
    level = next;
  }
  return { sets: [], exhausted };
}

/** Sets fields free: terms are left with what is not settled by all that stays as it is. */
export function free(problem: ChangeProblem, fields: readonly number[]): Freed {
  const { at, terms } = problem;
  const box: (CellSet | undefined)[] = [];
  for (const field of fields) box[axisOfField(problem, field)] = problem.fieldAt(field).allowed;
  let exact = true;
  const left: Term[] = [];
  for (const { parts } of terms) {
    if (!canHold(parts, fields)) continue;
    const term: TermPart[] = [];
    for (const part of parts) {
      const freed = part.restsOn.filter((field) => fields.includes(field));
      if (freed.length === 0) {
        if (part.standing !== 'open') continue;
        box[part.axis] ??= at.sets[part.axis];
        add(term, part.axis, part.cells);
      } else if (freed.length === 1 && problem.isExact(part, freed[0]!)) {
        add(term, axisOfField(problem, freed[0]!), problem.cellsOf(part, freed[0]!));
      } else {
        exact = false;
        box[part.axis] = bothAnswers;
        add(term, part.axis, part.cells);
      }
    }
    left.push(term);
  }
  return { fields, box, terms: left, exact };
}

/** Whether a term can hold while only these fields change. */
function canHold(parts: readonly ChangePart[], fields: readonly number[]): boolean {
  return parts.every((part) => part.standing !== 'fails' || part.restsOn.some((field) => fields.includes(field)));
}

/** One part an axis: a field can be tested by itself and against another fact. */
function add(term: TermPart[], axis: number, cells: CellSet): void {
  const same = term.findIndex((part) => part.axis === axis);
  if (same < 0) term.push({ axis, cells, leaves: [] });
  else term[same] = { axis, cells: intersection(term[same]!.cells, cells), leaves: [] };
}
/** Fields of which one more must change: those of a term that nothing so far avoids, else of all that can still hold. */
function obstacles(problem: ChangeProblem, { fields, box, terms }: Freed): Iterable<number> {
  const standing = problem.terms.filter(({ parts }) => canHold(parts, fields));
  const ways = (parts: readonly ChangePart[]): Set<number> => {
    const found = new Set<number>();
    for (const part of parts) {
      for (const field of part.restsOn)
        if (!fields.includes(field) && canEscape(problem, part, field)) found.add(field);
    }
    return found;
  };
  const certain = terms.findIndex((term) => openParts(term, box)?.length === 0);
  if (certain >= 0) return ways(standing[certain]!.parts);
  return new Set(standing.flatMap(({ parts }) => [...ways(parts)]));
}
