import { runSteps, type Steps } from '../turns/steps.ts';
import { type CellSet, isEmpty, isSame, isWithinSet, union } from './cell-set.ts';
import { type CompiledProgram, PLACE } from './compile-program.ts';
import { createSetNumbers, isInside, mergedOn, type Term } from './term.ts';
import { widestTermsInSteps } from './widest-terms.ts';

/**
 * The terms that decide the status of a program while no moratorium is in force. They cover what the territory and the
 * rules cover, with fewer and wider terms, so that a home whose county is unknown is settled without a search.
 */
export interface StatusTerms {
  readonly declining: readonly Term[];
  /** May reach into what is declined. */
  readonly referring: readonly Term[];
}

/** By the rules of a program, which its other effective years share. */
const known = new WeakMap<CompiledProgram['rules'], StatusTerms>();

/** The status terms of a program; computed once. */
export function statusTermsOf(program: CompiledProgram): StatusTerms {
  return known.get(program.rules) ?? runSteps(statusTermsInSteps(program));
}

/**
 * Like `statusTermsOf`, but yields between terms. The place of a term is widened by every place where a decline, or an
 * outcome no better than its own, holds whenever its other tests do: by the territory, which declines, and by the rules
 * of sibling programs. Terms inside others are then left out.
 */
export function* statusTermsInSteps(program: CompiledProgram): Steps<StatusTerms> {
  const before = known.get(program.rules);
  if (before) return before;
  const { rules, territory, place } = program;
  const own = (outcome: 'decline' | 'refer'): Term[] =>
    mergedOn(
      PLACE,
      rules.filter(({ rule }) => rule.outcome === outcome).flatMap(({ terms }) => terms),
      place.full,
      createSetNumbers(),
    );
  const outside = isEmpty(territory) ? [] : [placeTerm(territory)];
  const declines = yield* widenedInSteps(own('decline'), [], territory, place.full);
  const declining = yield* widestTermsInSteps([...outside, ...declines]);
  const refers = yield* widenedInSteps(own('refer'), declining, territory, place.full);
  const referring = yield* widestTermsInSteps(refers, declining);
  const terms = { declining, referring };
  known.set(program.rules, terms);
  return terms;
}

/** A term that tests the place alone. */
export function placeTerm(cells: CellSet): Term {
  return [{ axis: PLACE, cells, leaves: [] }];
}

/** Terms compared between two steps. */
const TERMS_A_STEP = 64;
/** Pairs of terms compared for one program. Beyond it, terms are widened by the territory alone. */
const MAX_PAIRS = 4_000_000;

/** A term that tests the place, and its other tests. */
interface PlacedTerm {
  readonly term: Term;
  readonly cells: CellSet;
  readonly others: Term;
  /** A bit for each axis of the other tests; axes from 32 on share bits. */
  readonly axes: number;
}

function* widenedInSteps(
  terms: readonly Term[],
  worse: readonly Term[],
  territory: CellSet,
  full: CellSet,
): Steps<Term[]> {
  const placed = terms.flatMap(placedTerm);
  const around = [...placed, ...worse.flatMap(placedTerm)];
  const siblings = placed.length * around.length <= MAX_PAIRS ? around : [];
  const widened = new Map<Term, Term>();
  for (const [index, { term, cells, others, axes }] of placed.entries()) {
    if (index % TERMS_A_STEP === TERMS_A_STEP - 1) yield;
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
