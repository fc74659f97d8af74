import type { Truth } from '../condition/truth.ts';
import type { Property } from '../request/property.ts';
import { type CompiledProgram, PLACE } from './compile-program.ts';
import { areAxesIndependent, looseNamesOf } from './computed-axes.ts';
import { type Box, cover } from './cover.ts';
import type { Encoded } from './encode.ts';
import { impossibleTerms, relatedAxes } from './impossible-terms.ts';
import { truthOfTerms } from './rule-truth.ts';
import { meet, reduceTerms, searchWithin, type VisitBudget } from './settle.ts';
import type { Term } from './term.ts';

/** Maximum number of boxes that the search for one rule may examine. */
export const MAX_BOXES_A_RULE = 200;

export interface ExactTruth {
  readonly truth: Truth;
  /** False if a search was cut off, or if dependent tests were treated as independent. */
  readonly isExact: boolean;
}

/** True also if the terms cover the box jointly. */
export function exactTruth(terms: readonly Term[], at: Encoded, box: Box, left: VisitBudget): ExactTruth {
  const truth = truthOfTerms(terms, at);
  if (truth !== 'undecided' || terms.length === 1) return { truth, isExact: true };
  const open = reduceTerms(terms, at);
  const result = searchWithin(left, terms.length, MAX_BOXES_A_RULE, (budget) => cover(box, open, budget));
  return { truth: result.kind === 'covered' ? 'true' : 'undecided', isExact: result.kind !== 'exhausted' };
}

/** The truth of a requirement, note or offer. Takes relations into account, because no status would reveal an inexact truth. */
export function truthOfRequirement(terms: readonly Term[], at: Encoded, box: Box, left: VisitBudget): ExactTruth {
  const exact = exactTruth(terms, at, box, left);
  if (exact.truth !== 'undecided') return exact;
  const open = reduceTerms(terms, at);
  const { program } = at;
  const isTested = (axis: number) => open.some((term) => term.some((part) => part.axis === axis));
  const tested = program.axes.flatMap((_, axis) => (axis !== PLACE && isTested(axis) ? [axis] : []));
  const isExact =
    exact.isExact &&
    !tested.some((axis) => program.axes[axis]!.test) &&
    areAxesIndependent(program, tested, at.property);
  if (
    !relatedAxes(program).some(
      ([lower, higher]) => at.sets[lower] && at.sets[higher] && isTested(lower) && isTested(higher),
    )
  )
    return { truth: 'undecided', isExact };
  const impossible = reduceTerms(impossibleTerms(program), at);
  return searchWithin(left, open.length + impossible.length, MAX_BOXES_A_RULE, (budget): ExactTruth => {
    const isUncovered = (inside: Box, some: readonly Term[]) => cover(inside, some, budget).kind !== 'covered';
    // Given values may contradict a relation; then the values count, not the relation.
    if (!isUncovered(box, impossible)) return { truth: 'undecided', isExact };
    const canHold = open.some((term) => isUncovered(meet(box, term)!, impossible));
    if (!canHold) return { truth: 'false', isExact: isExact && budget.nodes >= 0 };
    const truth = isUncovered(box, [...open, ...impossible]) ? 'undecided' : 'true';
    return { truth, isExact: isExact && budget.nodes >= 0 };
  });
}

export function missingNamesOf(axes: ReadonlySet<number>, program: CompiledProgram, property: Property): Set<string> {
  const names = new Set<string>();
  for (const axis of axes) {
    const programAxis = axis === PLACE ? undefined : program.axes[axis]!;
    const looseNames = programAxis?.computed && looseNamesOf(programAxis.computed, property);
    for (const name of looseNames ?? programAxis?.missingNames ?? ['county']) names.add(name);
  }
  return names;
}
