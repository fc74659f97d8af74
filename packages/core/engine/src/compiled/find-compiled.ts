import type { Property } from '../request/property.ts';
import { coversState } from '../rule-set/places.ts';
import type { Moratorium, Rule } from '../rule-set/rule-set.ts';
import type { Outcome } from '../rule-set/schema.ts';
import type { Findings } from '../verdict/findings.ts';
import type { SettledStatus } from '../verdict/verdict.ts';
import { type CompiledProgram, PLACE } from './compile-program.ts';
import { areAxesIndependent } from './computed-axes.ts';
import { type Box, cover } from './cover.ts';
import { type Encoded, encode } from './encode.ts';
import { exactTruth, MAX_BOXES_A_RULE, missingNamesOf, truthOfRequirement } from './exact-truth.ts';
import { findOffers } from './find-offers.ts';
import { relatedAxes } from './impossible-terms.ts';
import { truthOfTerms } from './rule-truth.ts';
import { createVisitBudget, openStatusTerms, possibleStatuses, reduceTerms, searchWithin, settle } from './settle.ts';
import { placeTerm, statusTermsOf } from './status-terms.ts';
import type { Term } from './term.ts';

/**
 * Evaluates a compiled program for a property, exactly. Undefined if the policy type is not offered in the state.
 *
 * @param status the status, if already known, to skip its search
 * @param at the property on the axes of the program
 */
export function findCompiled(
  program: CompiledProgram,
  property: Property,
  status?: SettledStatus,
  at: Encoded = encode(program, property),
): Findings | undefined {
  const first = program.programs.find((each) => coversState(each.places, property.state));
  if (!first) return undefined;
  const box: Box = at.sets;
  const territory = placeTerm(program.territory);
  const moratoria = moratoriaInForce(program, property);
  let isUnsure = false;
  const rules: Findings['rules'][number][] = [];
  const budget = createVisitBudget();
  for (const { rule, terms: own } of program.rules) {
    const isRequirement = rule.outcome !== 'decline' && rule.outcome !== 'refer';
    const { truth, isExact } = isRequirement
      ? truthOfRequirement(own, at, box, budget)
      : exactTruth(own, at, box, budget);
    if (isRequirement && !rule.demands && !isExact) isUnsure = true;
    rules.push({ rule, truth });
  }
  const offers = findOffers(program, property, at);
  if (offers.isUnsure) isUnsure = true;
  const common = {
    rules,
    offers,
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
    missing: missingNamesOf(settled.decisiveAxes, program, property),
    conservative:
      isUnsure ||
      (settled.possible.size > 1 && (settled.exhausted || hasDependentTests(settled.decisiveAxes, program, at))),
  };
}

export interface MoratoriumInForce {
  readonly moratorium: Moratorium;
  readonly term: Term;
}

export function moratoriaInForce({ moratoria }: CompiledProgram, { asOfMs }: Property): readonly MoratoriumInForce[] {
  return moratoria
    .filter(({ moratorium }) => moratorium.fromMs <= asOfMs && asOfMs < moratorium.untilMs)
    .map(({ moratorium, cells }) => ({ moratorium, term: placeTerm(cells) }));
}

export interface PossibleStatuses {
  readonly possible: ReadonlySet<SettledStatus>;
  readonly conservative: boolean;
}

/**
 * The possible statuses, exactly, at a fraction of the cost of `findCompiled`. Undefined if the policy type is not offered in the state.
 */
export function findStatuses(
  program: CompiledProgram,
  property: Property,
  at: Encoded = encode(program, property),
): PossibleStatuses | undefined {
  if (!program.programs.some((each) => coversState(each.places, property.state))) return undefined;
  const isLoose = (axis: number) => at.sets[axis] !== undefined;
  const mayLean =
    program.axes.some((programAxis, axis) => (programAxis?.test || programAxis?.computed) && isLoose(axis)) ||
    relatedAxes(program).some(([lower, higher]) => isLoose(lower) && isLoose(higher));
  if (mayLean) return findCompiled(program, property);
  const stops = moratoriaInForce(program, property).map(({ term }) => term);
  const { possible, exhausted } = possibleStatuses(openStatusTerms(statusTermsOf(program), stops, at), at.sets);
  return { possible, conservative: exhausted && possible.size > 1 };
}

interface Decider {
  readonly terms: readonly Term[];
  readonly rule?: Rule;
  readonly moratorium?: Moratorium;
}

/**
 * A minimal set of rules that jointly decide, if no single rule does. Rules are removed one by one while the rest still cover the box
 * and the budget lasts. Empty if a single rule decides, or if the search is cut off.
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

/** True if the result depends on dependent tests that were treated as independent: between two facts, or bound by a relation. */
export function hasDependentTests(axes: ReadonlySet<number>, program: CompiledProgram, at: Encoded): boolean {
  if (!areAxesIndependent(program, [...axes], at.property)) return true;
  const fields = new Set<string>();
  for (const axis of axes) {
    if (axis === PLACE) continue;
    const programAxis = program.axes[axis]!;
    if (programAxis.test) return true;
    fields.add(programAxis.axis.name);
  }
  return at.property.vocabulary.relations.some(({ lower, higher }) => fields.has(lower) && fields.has(higher));
}
