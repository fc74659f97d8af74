import { type CellSet, intersection } from '../compiled/cell-set.ts';
import { type Box, type Budget, cover, openParts } from '../compiled/cover.ts';
import type { Term, TermPart } from '../compiled/term.ts';
import { certainTerms, possibleWithout } from './certain-terms.ts';
import type { ChangePart } from './change-layout.ts';
import {
  bothAnswers,
  type ChangeProblem,
  canEscape,
  cellsOfPart,
  encodedAt,
  fieldAt,
  isExact,
  termsOf,
  wherever,
} from './change-problem.ts';
import { exceeds, firstOf, type TermBits } from './term-bits.ts';

/** A problem with some fields set free: cells of each on an axis of its own, after those of the program. */
export interface Freed {
  readonly fields: readonly number[];
  readonly box: Box;
  readonly terms: readonly Term[];
  /** False where a test of two of the fields against one another is taken to be free by itself. */
  readonly exact: boolean;
}

/** Who judges sets of fields: true where changing them leads to the aim. */
export interface ChangeJudge {
  /** From bits; undefined where only a search can tell. */
  readOff(fields: readonly number[]): boolean | undefined;
  /** Fields that leave room, as far as terms say. */
  together(freed: Freed): boolean;
}

/** Boxes that one question may look at, times the terms to be looked at in each; sets of fields that it may try. */
const NODE_CAP = 20_000;
const TERM_CAP = 5_000_000;
const MAX_SETS = 4000;

/** How much one search of a problem may cost. */
export function budgetFor({ layout }: ChangeProblem): Budget {
  return { nodes: Math.min(NODE_CAP, Math.ceil(TERM_CAP / (layout.terms.length + 1))) };
}

/** Where the cells of a field of the problem stand in a box. */
export function axisOfField(problem: ChangeProblem, field: number): number {
  return problem.program.axes.length + field;
}

/**
 * Finds the smallest sets of fields that, changed to what they may change to, avoid all terms for at least
 * one value of whatever is unknown: by number of fields, each set growing from what still stands in its way.
 * `judge` has the last word on a set. True: searches ran out, there may be more.
 */
export function searchChanges(problem: ChangeProblem, judge: ChangeJudge): boolean {
  const budget = budgetFor(problem);
  let level: (readonly number[])[] = [[]];
  let seen: Set<string> | undefined;
  let exhausted = false;
  while (level.length > 0) {
    let isFound = false;
    const next: (readonly number[])[] = [];
    for (const fields of level) {
      if (budget.nodes < 0) return true;
      const tried = tryFields(problem, fields, judge, budget);
      if (tried === 'found') {
        isFound = true;
        continue;
      }
      if (tried.exhausted) exhausted = true;
      // No wider set is looked at once one of this size is found.
      if (isFound) continue;
      for (const field of tried.more) {
        const wider = fields.length === 0 ? [field] : [...fields, field].sort((a, b) => a - b);
        const key = wider.join(' ');
        seen ??= new Set();
        if (seen.has(key)) continue;
        if (seen.size >= MAX_SETS) exhausted = true;
        else {
          seen.add(key);
          next.push(wider);
        }
      }
    }
    if (isFound) return exhausted;
    level = next;
  }
  return exhausted;
}

/** Fields of which one more must change, where a set does not do. */
interface FallsShort {
  readonly more: Iterable<number>;
  readonly exhausted: boolean;
}

function tryFields(
  problem: ChangeProblem,
  fields: readonly number[],
  judge: ChangeJudge,
  budget: Budget,
): 'found' | FallsShort {
  const certain = firstOf(certainTerms(problem, fields), problem.unwanted);
  if (certain >= 0) return { more: waysOutOfTerm(problem, certain, fields), exhausted: false };
  const isFound = judge.readOff(fields);
  if (isFound) return 'found';
  // What can hold is read off the bits as well, where tests of fact against fact are none of it.
  if (isFound === false && problem.layout.tests.length === 0)
    return { more: waysOutOfAny(problem, possibleWithout(problem, fields), fields), exhausted: false };
  const freed = free(problem, fields);
  if (isFound === false) return { more: obstacles(problem, freed), exhausted: false };
  const found = cover(freed.box, freed.terms, budget);
  if (found.kind === 'uncovered' && judge.together(freed)) return 'found';
  return { more: obstacles(problem, freed), exhausted: found.kind === 'exhausted' };
}

/** Other fields that can be brought out of a term. */
function waysOutOfTerm(problem: ChangeProblem, bit: number, fields: readonly number[]): Iterable<number> {
  const { terms, tests } = problem.layout;
  if (tests.length > 0) {
    const parts = terms[bit]!.parts.map(({ standing }) => standing.holds);
    return waysOut(problem, parts, fields);
  }
  const only = new Int32Array(problem.unwanted.length);
  only[bit >>> 5] = 1 << (bit & 31);
  return waysOutOfAny(problem, only, fields);
}

/** The same of any of some terms, by their bits. */
function waysOutOfAny(problem: ChangeProblem, bits: TermBits, fields: readonly number[]): number[] {
  const { layout, reading } = problem;
  const { axes, rows } = reading.table;
  const found: number[] = [];
  for (let place = 0; place < layout.fields.length; place++) {
    if (fields.includes(place)) continue;
    const { untestedRow } = axes[layout.fields[place]!.axisNumber]!;
    let word = 0;
    while (word < bits.length && (bits[word]! & ~rows[untestedRow + word]!) === 0) word++;
    // Where it can go is found only for what is tested.
    if (word < bits.length && exceeds(bits, wherever(problem, place))) found.push(place);
  }
  return found;
}

/** Sets fields free: terms are left with what is not settled by all that stays as it is. */
export function free(problem: ChangeProblem, fields: readonly number[]): Freed {
  const { sets } = encodedAt(problem);
  const box: (CellSet | undefined)[] = [];
  for (const field of fields) box[axisOfField(problem, field)] = fieldAt(problem, field).allowed;
  let exact = true;
  const left: Term[] = [];
  for (const { parts } of termsOf(problem)) {
    if (!canHold(parts, fields)) continue;
    const term: TermPart[] = [];
    for (const part of parts) {
      const freed = part.restsOn.filter((field) => fields.includes(field));
      if (freed.length === 0) {
        if (part.standing !== 'open') continue;
        box[part.axis] ??= sets[part.axis];
        add(term, part.axis, part.cells);
      } else if (freed.length === 1 && isExact(problem, part, freed[0]!)) {
        add(term, axisOfField(problem, freed[0]!), cellsOfPart(problem, part, freed[0]!));
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
  const standing = termsOf(problem).filter(({ parts }) => canHold(parts, fields));
  const certain = terms.findIndex((term) => openParts(term, box)?.length === 0);
  if (certain >= 0) return waysOut(problem, standing[certain]!.parts, fields);
  return new Set(standing.flatMap(({ parts }) => [...waysOut(problem, parts, fields)]));
}

/** Other fields that can be brought out of a term. */
function waysOut(problem: ChangeProblem, parts: readonly ChangePart[], fields: readonly number[]): Set<number> {
  const found = new Set<number>();
  for (const part of parts) {
    for (const field of part.restsOn) if (!fields.includes(field) && canEscape(problem, part, field)) found.add(field);
  }
  return found;
}
