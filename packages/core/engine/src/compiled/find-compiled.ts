import type { Truth } from '../condition/truth.ts';
import type { Property } from '../request/property.ts';
import { coversState } from '../rule-set/places.ts';
import type { Moratorium, Rule } from '../rule-set/rule-set.ts';
import type { Outcome } from '../rule-set/schema.ts';
import type { Findings } from '../verdict/findings.ts';
import type { SettledStatus } from '../verdict/verdict.ts';
import { type CompiledProgram, PLACE } from './compile-program.ts';
import { type Box, cover } from './cover.ts';
import { type Encoded, encode } from './encode.ts';
import { impossibleTerms, relatedAxes } from './impossible-terms.ts';
import { truthOfTerms } from './rule-truth.ts';
import {
  createVisitBudget,
  meet,
  openStatusTerms,
  possibleStatuses,
  reduceTerms,
  searchWithin,
  settle,
  type VisitBudget,
} from './settle.ts';
import { placeTerm, statusTermsOf } from './status-terms.ts';
import type { Term } from './term.ts';

/** Maximum number of boxes that the search for one rule may examine. */
const MAX_BOXES_A_RULE = 200;

/**
 * Evaluates a compiled program for a property, exactly. Undefined if the policy type is not offered in the state.
 *
 * @param status the status, if already known; the search for it is then skipped
 */
export function findCompiled(
  program: CompiledProgram,
  property: Property,
  status?: SettledStatus,
): Findings | undefined {
  const first = program.programs.find((each) => coversState(each.places, property.state));
  if (!first) return undefined;
  const at = encode(program, property);
  const box: Box = at.sets;
  const territory = placeTerm(program.territory);
  const moratoria = program.moratoria
    .filter(({ moratorium }) => moratorium.fromMs <= property.asOfMs && property.asOfMs < moratorium.untilMs)
    .map(({ moratorium, cells }) => ({ moratorium, term: placeTerm(cells) }));
  let isUnsure = false;
  const rules: Findings['rules'][number][] = [];
  const budget = createVisitBudget();
  for (const { rule, terms: own } of program.rules) {
    const isRequirement = rule.outcome === 'require' || rule.outcome === 'inform';
    const { truth, isExact } = isRequirement
      ? truthOfRequirement(own, at, box, budget)
      : exactTruth(own, at, box, budget);
    if (isRequirement && !isExact) isUnsure = true;
    rules.push({ rule, truth });
  }
  const common = {
    rules,
    territory: truthOfTerms([territory], at),
    program: first,
    moratoria: moratoria.map(({ moratorium, term }) => ({ moratorium, truth: truthOfTerms([term], at) })),
  };
  const deciders = (outcome: Outcome): Decider[] => program.rules.filter(({ rule }) => rule.outcome === outcome);
  function joint(possible: ReadonlySet<SettledStatus>): Pick<Findings, 'jointly'> {
    if (possible.size !== 1) return {};
    if (possible.has('referral')) return jointly(deciders('refer'), at, box);
    if (!possible.has('ineligible')) return {};
    const stops = moratoria.map(({ moratorium, term }) => ({ moratorium, terms: [term] }));
    return jointly([{ terms: [territory] }, ...stops, ...deciders('decline')], at, box);
  }
  if (status) {
    const possible = new Set([status]);
    return { ...common, ...joint(possible), possible, missing: new Set(), conservative: isUnsure };
  }
  const open = openStatusTerms(
    statusTermsOf(program),
    moratoria.map(({ term }) => term),
    at,
  );
  const settled = settle(open, box);
  return {
    ...common,
    ...joint(settled.possible),
    possible: settled.possible,
    missing: namesOf(settled.decisiveAxes, program),
    conservative:
      isUnsure ||
      (settled.possible.size > 1 && (settled.exhausted || hasDependentTests(settled.decisiveAxes, program, at))),
  };
}

/** Possible statuses without reasons. */
export interface PossibleStatuses {
  readonly possible: ReadonlySet<SettledStatus>;
  /** As in `Findings`. */
  readonly conservative: boolean;
}

/**
 * Returns the possible statuses, exactly, at a fraction of the cost of `findCompiled`. Undefined if the policy type is
 * not offered in the state.
 */
export function findStatuses(
  program: CompiledProgram,
  property: Property,
  at: Encoded = encode(program, property),
): PossibleStatuses | undefined {
  if (!program.programs.some((each) => coversState(each.places, property.state))) return undefined;
  const isLoose = (axis: number) => at.sets[axis] !== undefined;
  const mayLean =
    program.axes.some((programAxis, axis) => programAxis?.test && isLoose(axis)) ||
    relatedAxes(program).some(([lower, higher]) => isLoose(lower) && isLoose(higher));
  if (mayLean) return findCompiled(program, property);
  const stops = program.moratoria
    .filter(({ moratorium }) => moratorium.fromMs <= property.asOfMs && property.asOfMs < moratorium.untilMs)
    .map(({ cells }) => placeTerm(cells));
  const { possible, exhausted } = possibleStatuses(openStatusTerms(statusTermsOf(program), stops, at), at.sets);
  return { possible, conservative: exhausted && possible.size > 1 };
}

/** A source of a decline or referral: it applies if one of its terms holds. */
interface Decider {
  readonly terms: readonly Term[];
  readonly rule?: Rule;
  readonly moratorium?: Moratorium;
}

/**
 * Finds a minimal set of rules that jointly decide, if no single rule does. Rules are removed one by one while the rest
 * still cover the box and the budget lasts. Empty if a single rule decides, or if the search is cut off.
 */
function jointly(deciders: readonly Decider[], at: Encoded, box: Box): Pick<Findings, 'jointly'> {
  const possible = deciders.filter(({ terms }) => truthOfTerms(terms, at) !== 'false');
  if (possible.some(({ terms }) => truthOfTerms(terms, at) === 'true')) return {};
  const budget = createVisitBudget();
  const covers = (some: readonly Decider[]) => {
    const terms = reduceTerms(
      some.flatMap((each) => each.terms),
      at,
    );
    return (
      searchWithin(budget, terms.length, MAX_BOXES_A_RULE, (budget) => cover(box, terms, budget)).kind === 'covered'
    );
  };
  if (!covers(possible)) return {};
  let minimal = possible;
  for (const decider of possible.toReversed()) {
    if (budget.visits < minimal.length) break;
    const fewer = minimal.filter((each) => each !== decider);
    if (covers(fewer)) minimal = fewer;
  }
  return {
    jointly: {
      territory: minimal.some(({ rule, moratorium }) => !rule && !moratorium),
      moratoria: minimal.flatMap(({ moratorium }) => moratorium ?? []),
      rules: minimal.flatMap(({ rule }) => rule ?? []),
    },
  };
}

interface ExactTruth {
  readonly truth: Truth;
  /** False if a search was cut off, or if tests taken as independent are not. */
  readonly isExact: boolean;
}

/** Returns the truth of a rule. It also holds if its terms cover the box jointly. */
function exactTruth(terms: readonly Term[], at: Encoded, box: Box, left: VisitBudget): ExactTruth {
  const truth = truthOfTerms(terms, at);
  if (truth !== 'undecided' || terms.length === 1) return { truth, isExact: true };
  const open = reduceTerms(terms, at);
  const result = searchWithin(left, terms.length, MAX_BOXES_A_RULE, (budget) => cover(box, open, budget));
  return { truth: result.kind === 'covered' ? 'true' : 'undecided', isExact: result.kind !== 'exhausted' };
}

/**
 * Returns the truth of a requirement or note, taking relations into account, because no status depends on the rule that
 * would reveal an inexact truth.
 */
function truthOfRequirement(terms: readonly Term[], at: Encoded, box: Box, left: VisitBudget): ExactTruth {
  const exact = exactTruth(terms, at, box, left);
  if (exact.truth !== 'undecided') return exact;
  const open = reduceTerms(terms, at);
  const { program } = at;
  const isTested = (axis: number) => open.some((term) => term.some((part) => part.axis === axis));
  const isExact = exact.isExact && !program.axes.some((programAxis, axis) => programAxis?.test && isTested(axis));
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

function namesOf(axes: ReadonlySet<number>, program: CompiledProgram): Set<string> {
  const names = new Set<string>();
  for (const axis of axes)
    for (const name of axis === PLACE ? ['county'] : program.axes[axis]!.missingNames) names.add(name);
  return names;
}

/** True if the result depends on tests taken as independent that are not: between two facts, or bound by a relation. */
function hasDependentTests(axes: ReadonlySet<number>, program: CompiledProgram, at: Encoded): boolean {
  const fields = new Set<string>();
  for (const axis of axes) {
    if (axis === PLACE) continue;
    const programAxis = program.axes[axis]!;
    if (programAxis.test) return true;
    fields.add(programAxis.axis.name);
  }
  return at.property.vocabulary.relations.some(({ lower, higher }) => fields.has(lower) && fields.has(higher));
}
