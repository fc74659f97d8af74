import { type CellSet, isEmpty, isSame, isWithinSet, union } from './cell-set.ts';
import { type CompiledProgram, PLACE } from './compile-program.ts';
import { createSetNumbers, isInside, mergeOnAxis, type Term } from './term.ts';
import { widestTerms } from './widest-terms.ts';

/**
 * The terms that decide the status of a program without moratoria. They cover the same boxes as the territory and the rules, but with
 * fewer and wider terms, so that a home with an unknown county is settled without a search.
 */
export interface StatusTerms {
  readonly declining: readonly Term[];
  /** May overlap declining terms. */
  readonly referring: readonly Term[];
}

/** By rules of a program, which its other effective years share. */
const cache = new WeakMap<CompiledProgram['rules'], StatusTerms>();

/**
 * Widens the place of each term by all places where an outcome that is at least as bad holds whenever its other tests do: by the
 * territory, and by the rules of sibling programs. Then removes terms inside others.
 */
export function statusTermsOf(program: CompiledProgram): StatusTerms {
  const cached = cache.get(program.rules);
  if (cached) return cached;
  const { rules, territory, place } = program;
  const own = (outcome: 'decline' | 'refer'): Term[] =>
    mergeOnAxis(
      PLACE,
      rules.filter(({ rule }) => rule.outcome === outcome).flatMap(({ terms }) => terms),
      place.full,
      createSetNumbers(),
    );
  const outside = isEmpty(territory) ? [] : [placeTerm(territory)];
  const declines = widenPlaces(own('decline'), [], territory, place.full);
  const declining = widestTerms([...outside, ...declines]);
  const refers = widenPlaces(own('refer'), declining, territory, place.full);
  const referring = widestTerms(refers, declining);
  const terms = { declining, referring };
  cache.set(program.rules, terms);
  return terms;
}

/** A term that tests only the place. */
export function placeTerm(cells: CellSet): Term {
  return [{ axis: PLACE, cells, leaves: [] }];
}

/** Maximum number of compared pairs of terms. Beyond it, terms are widened only by the territory. */
const MAX_PAIRS = 4_000_000;

interface PlacedTerm {
  readonly term: Term;
  readonly cells: CellSet;
  readonly others: Term;
  /** One bit for each axis of the other tests; axes from 32 on share bits. */
  readonly axes: number;
}

function widenPlaces(terms: readonly Term[], worse: readonly Term[], territory: CellSet, full: CellSet): Term[] {
  const placed = terms.flatMap(placedTerm);
  const around = [...placed, ...worse.flatMap(placedTerm)];
  const siblings = placed.length * around.length <= MAX_PAIRS ? around : [];
  const widened = new Map<Term, Term>();
  for (const { term, cells, others, axes } of placed) {
    let wide = union(cells, territory);
    for (const other of siblings) {
      if ((other.axes & ~axes) !== 0 || isWithinSet(other.cells, wide)) continue;
      if (isInside(others, other.others)) wide = union(wide, other.cells);
    }
    widened.set(term, isSame(wide, full) ? others : [...placeTerm(wide), ...others]);
  }
  return terms.map((term) => widened.get(term) ?? term);
}

function placedTerm(term: Term): PlacedTerm[] {
  const [part, ...others] = term;
  if (part?.axis !== PLACE) return [];
  const axes = others.reduce((bits, { axis }) => bits | (1 << (axis & 31)), 0);
  return [{ term, cells: part.cells, others, axes }];
}
