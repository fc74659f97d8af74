/**
 * Counterfactual search, breadth-first by number of fields.
 *
 * The rules that decline or refer are a disjunction of terms; a term is a conjunction of parts, each a set of cells on one axis. A set
 * of fields works if some combination of their target cells makes every term to avoid fail for at least one value of the unknown fields.
 *
 * Start with no field. If a set does not work, some term still holds: extend the set by each field that can make a part of that term
 * fail. The first size with a working set is the answer. Most sets are tested with bit operations on the rule table (`certain-terms`,
 * `change-alone`, `change-together`); if tests between two facts are involved, a search over boxes decides (`fit-change`).
 */
import { type CellSet, intersection } from '../compiled/cell-set.ts';
import { type Box, type Budget, cover, openParts } from '../compiled/cover.ts';
import type { Term, TermPart } from '../compiled/term.ts';
import { certainTerms, possibleWithout } from './certain-terms.ts';
import type { ChangePart } from './change-layout.ts';
import {
  type ChangeProblem,
  canEscape,
  cellsOfPart,
  encodedAt,
  fieldAt,
  isExact,
  satisfiedEverywhere,
  termsOf,
} from './change-problem.ts';
import { exceeds, firstOf, type TermBits } from './term-bits.ts';

/** A problem with some fields free. Each free field has an additional axis after those of the program. */
export interface Freed {
  readonly fields: readonly number[];
  readonly box: Box;
  readonly terms: readonly Term[];
  readonly exact: boolean;
}

/** Tests whether changing some fields reaches the aim. */
export interface ChangeTester {
  /** Undefined if a search is required. */
  tryBitwise(fields: readonly number[]): boolean | undefined;
  /** By search, for fields that can avoid all terms. */
  trySearch(freed: Freed): boolean;
}

/** Maximum number of boxes of a search, of boxes times terms, and of sets of fields. */
const NODE_CAP = 20_000;
const TERM_CAP = 5_000_000;
const MAX_SETS = 4000;

export function budgetFor({ layout }: ChangeProblem): Budget {
  return { nodes: Math.min(NODE_CAP, Math.ceil(TERM_CAP / (layout.terms.length + 1))) };
}

export function axisOfField(problem: ChangeProblem, field: number): number {
  return problem.program.axes.length + field;
}

/**
 * Finds the smallest sets of fields that `tester` accepts. Returns true if a search was cut off, so that smaller or further sets may
 * exist.
 */
export function searchChanges(problem: ChangeProblem, tester: ChangeTester): boolean {
  const budget = budgetFor(problem);
  let level: (readonly number[])[] = [[]];
  let visited: Set<string> | undefined;
  let exhausted = false;
  while (level.length > 0) {
    let isFound = false;
    const next: (readonly number[])[] = [];
    for (const fields of level) {
      if (budget.nodes < 0) return true;
      const tried = tryFields(problem, fields, tester, budget);
      if (tried === 'found') {
        isFound = true;
        continue;
      }
      if (tried.exhausted) exhausted = true;
      if (isFound) continue;
      for (const field of tried.more) {
        const wider = fields.length === 0 ? [field] : [...fields, field].sort((a, b) => a - b);
        const key = wider.join(' ');
        visited ??= new Set();
        if (visited.has(key)) continue;
        if (visited.size >= MAX_SETS) exhausted = true;
        else {
          visited.add(key);
          next.push(wider);
        }
      }
    }
    if (isFound) return exhausted;
    level = next;
  }
  return exhausted;
}

interface Insufficient {
  readonly more: Iterable<number>;
  readonly exhausted: boolean;
}

function tryFields(
  problem: ChangeProblem,
  fields: readonly number[],
  tester: ChangeTester,
  budget: Budget,
): 'found' | Insufficient {
  const certain = firstOf(certainTerms(problem, fields), problem.unwanted);
  if (certain >= 0) return { more: waysOutOfTerm(problem, certain, fields), exhausted: false };
  const isFound = tester.tryBitwise(fields);
  if (isFound) return 'found';
  if (isFound === false && problem.layout.tests.length === 0)
    return { more: waysOutOfAny(problem, possibleWithout(problem, fields), fields), exhausted: false };
  const freed = freeFields(problem, fields);
  if (isFound === false) return { more: obstacles(problem, freed), exhausted: false };
  const result = cover(freed.box, freed.terms, budget);
  if (result.kind === 'uncovered' && tester.trySearch(freed)) return 'found';
  return { more: obstacles(problem, freed), exhausted: result.kind === 'exhausted' };
}

/** Other fields that can make a term fail. */
function waysOutOfTerm(problem: ChangeProblem, bit: number, fields: readonly number[]): Iterable<number> {
  const { terms, tests } = problem.layout;
  if (tests.length > 0) {
    const parts = terms[bit]!.parts.map(({ standing }) => standing.holds);
    return waysOut(problem, parts, fields);
  }
  const singleBit = new Int32Array(problem.unwanted.length);
  singleBit[bit >>> 5] = 1 << (bit & 31);
  return waysOutOfAny(problem, singleBit, fields);
}

function waysOutOfAny(problem: ChangeProblem, bits: TermBits, fields: readonly number[]): number[] {
  const { layout, reading } = problem;
  const { axes, rows } = reading.table;
  const places: number[] = [];
  for (let place = 0; place < layout.fields.length; place++) {
    if (fields.includes(place)) continue;
    const { untestedRow } = axes[layout.fields[place]!.axisNumber]!;
    let word = 0;
    while (word < bits.length && (bits[word]! & ~rows[untestedRow + word]!) === 0) word++;
    if (word < bits.length && exceeds(bits, satisfiedEverywhere(problem, place))) places.push(place);
  }
  return places;
}

/** Terms keep only the parts that the unchanged fields do not settle. */
export function freeFields(problem: ChangeProblem, fields: readonly number[]): Freed {
  const { sets } = encodedAt(problem);
  const box: (CellSet | undefined)[] = [];
  for (const field of fields) box[axisOfField(problem, field)] = fieldAt(problem, field).allowed;
  let exact = true;
  const remaining: Term[] = [];
  for (const { parts } of termsOf(problem)) {
    if (!canHold(parts, fields)) continue;
    const term: TermPart[] = [];
    for (const part of parts) {
      const freed = part.dependsOn.filter((field) => fields.includes(field));
      if (freed.length === 0) {
        if (part.standing !== 'open') continue;
        box[part.axis] ??= sets[part.axis];
        add(term, part.axis, part.cells);
      } else if (freed.length === 1 && isExact(problem, part, freed[0]!)) {
        add(term, axisOfField(problem, freed[0]!), cellsOfPart(problem, part, freed[0]!));
      } else {
        exact = false;
        box[part.axis] = problem.program.axes[part.axis]!.axis.full;
        add(term, part.axis, part.cells);
      }
    }
    remaining.push(term);
  }
  return { fields, box, terms: remaining, exact };
}

function canHold(parts: readonly ChangePart[], fields: readonly number[]): boolean {
  return parts.every((part) => part.standing !== 'fails' || part.dependsOn.some((field) => fields.includes(field)));
}

/** One part for each axis: a field may be tested against a constant and against another fact. */
function add(term: TermPart[], axis: number, cells: CellSet): void {
  const same = term.findIndex((part) => part.axis === axis);
  if (same < 0) term.push({ axis, cells, leaves: [] });
  else term[same] = { axis, cells: intersection(term[same]!.cells, cells), leaves: [] };
}

/** Fields to add to the set, at least one: those of a term that certainly holds, else of all terms that can hold. */
function obstacles(problem: ChangeProblem, { fields, box, terms }: Freed): Iterable<number> {
  const termsThatCanHold = termsOf(problem).filter(({ parts }) => canHold(parts, fields));
  const certain = terms.findIndex((term) => openParts(term, box)?.length === 0);
  if (certain >= 0) return waysOut(problem, termsThatCanHold[certain]!.parts, fields);
  return new Set(termsThatCanHold.flatMap(({ parts }) => [...waysOut(problem, parts, fields)]));
}

function waysOut(problem: ChangeProblem, parts: readonly ChangePart[], fields: readonly number[]): Set<number> {
  const fieldsOut = new Set<number>();
  for (const part of parts) {
    for (const field of part.dependsOn)
      if (!fields.includes(field) && canEscape(problem, part, field)) fieldsOut.add(field);
  }
  return fieldsOut;
}
