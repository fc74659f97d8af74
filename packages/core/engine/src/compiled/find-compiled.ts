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
  type LooksLeft,
  looksForVerdict,
  meet,
  openStatusTerms,
  possibleStatuses,
  reduced,
  searchWithin,
  settle,
} from './settle.ts';
import { placeTerm, statusTermsOf } from './status-terms.ts';
import type { Term } from './term.ts';

/** Boxes that the search for one rule's certainty may look at. */
const MAX_BOXES_A_RULE = 200;

/**
 * Finds what a compiled program says of a property, exactly; undefined where it is not offered in the
 * state. A status that is settled already need not be settled again.
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
  const left = looksForVerdict();
  for (const { rule, terms: own } of program.rules) {
    const asks = rule.outcome === 'require' || rule.outcome === 'inform';
    const { truth, isExact } = asks ? truthOfAsking(own, at, box, left) : exactTruth(own, at, box, left);
    if (asks && !isExact) isUnsure = true;
    rules.push({ rule, truth });
  }
  const found = {
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
    return { ...found, ...joint(possible), possible, missing: new Set(), conservative: isUnsure };
  }
  const open = openStatusTerms(
    statusTermsOf(program),
    moratoria.map(({ term }) => term),
    at,
  );
  const settled = settle(open, box);
  return {
    ...found,
    ...joint(settled.possible),
    possible: settled.possible,
    missing: namesOf(settled.hanging, program),
    conservative:
      isUnsure || (settled.possible.size > 1 && (settled.exhausted || leansOnMore(settled.hanging, program, at))),
  };
}

/** What a program can come to, and nothing of why. */
export interface FoundStatuses {
  readonly possible: ReadonlySet<SettledStatus>;
  /** As in `Findings`. */
  readonly conservative: boolean;
}

/**
 * The statuses that a program can come to, exactly, at a fraction of the cost of `findCompiled`; undefined where it
 * is not offered in the state.
 */
export function findStatuses(
  program: CompiledProgram,
  property: Property,
  at: Encoded = encode(program, property),
): FoundStatuses | undefined {
  if (!program.programs.some((each) => coversState(each.places, property.state))) return undefined;
  const isLoose = (axis: number) => at.sets[axis] !== undefined;
  const mayLean =
    program.axes.some((known, axis) => known?.test && isLoose(axis)) ||
    relatedAxes(program).some(([lower, higher]) => isLoose(lower) && isLoose(higher));
  if (mayLean) return findCompiled(program, property);
  const stops = program.moratoria
    .filter(({ moratorium }) => moratorium.fromMs <= property.asOfMs && property.asOfMs < moratorium.untilMs)
    .map(({ cells }) => placeTerm(cells));
  const { possible, exhausted } = possibleStatuses(openStatusTerms(statusTermsOf(program), stops, at), at.sets);
  return { possible, conservative: exhausted && possible.size > 1 };
}

/** Something that declines or refers where one of its terms holds. */
interface Decider {
  readonly terms: readonly Term[];
  readonly rule?: Rule;
  readonly moratorium?: Moratorium;
}

/**
 * What decides together though nothing does by itself: dropped one by one while the rest still leave no
 * room, as long as there are looks left. Nothing where one holds by itself, or the search gives up.
 */
function jointly(deciders: readonly Decider[], at: Encoded, box: Box): Pick<Findings, 'jointly'> {
  const possible = deciders.filter(({ terms }) => truthOfTerms(terms, at) !== 'false');
  if (possible.some(({ terms }) => truthOfTerms(terms, at) === 'true')) return {};
  const left = looksForVerdict();
  const covers = (some: readonly Decider[]) => {
    const terms = reduced(
      some.flatMap((each) => each.terms),
      at,
    );
    return searchWithin(left, terms.length, MAX_BOXES_A_RULE, (budget) => cover(box, terms, budget)).kind === 'covered';
  };
  if (!covers(possible)) return {};
  let needed = possible;
  for (const decider of possible.toReversed()) {
    if (left.looks < needed.length) break;
    const without = needed.filter((each) => each !== decider);
    if (covers(without)) needed = without;
  }
  return {
    jointly: {
      territory: needed.some(({ rule, moratorium }) => !rule && !moratorium),
      moratoria: needed.flatMap(({ moratorium }) => moratorium ?? []),
      rules: needed.flatMap(({ rule }) => rule ?? []),
    },
  };
}

interface FoundTruth {
  readonly truth: Truth;
  /** False where a search ran out, or tests taken as independent are not. */
  readonly isExact: boolean;
}

/** A rule whose terms together leave no room holds, though none of them does alone. */
function exactTruth(terms: readonly Term[], at: Encoded, box: Box, left: LooksLeft): FoundTruth {
  const truth = truthOfTerms(terms, at);
  if (truth !== 'undecided' || terms.length === 1) return { truth, isExact: true };
  const open = reduced(terms, at);
  const found = searchWithin(left, terms.length, MAX_BOXES_A_RULE, (budget) => cover(box, open, budget));
  return { truth: found.kind === 'covered' ? 'true' : 'undecided', isExact: found.kind !== 'exhausted' };
}

/**
 * The same of a rule that asks for something or says something, within what relations leave: no status hangs on
 * it that would tell of what was left open.
 */
function truthOfAsking(terms: readonly Term[], at: Encoded, box: Box, left: LooksLeft): FoundTruth {
  const found = exactTruth(terms, at, box, left);
  if (found.truth !== 'undecided') return found;
  const open = reduced(terms, at);
  const { program } = at;
  const tests = (axis: number) => open.some((term) => term.some((part) => part.axis === axis));
  const isExact = found.isExact && !program.axes.some((known, axis) => known?.test && tests(axis));
  if (
    !relatedAxes(program).some(([lower, higher]) => at.sets[lower] && at.sets[higher] && tests(lower) && tests(higher))
  )
    return { truth: 'undecided', isExact };
  const impossible = reduced(impossibleTerms(program), at);
  return searchWithin(left, open.length + impossible.length, MAX_BOXES_A_RULE, (budget): FoundTruth => {
    const leavesRoom = (inside: Box, some: readonly Term[]) => cover(inside, some, budget).kind !== 'covered';
    // What was given may contradict a relation: then it is believed, and the relation is not.
    if (!leavesRoom(box, impossible)) return { truth: 'undecided', isExact };
    const canHold = open.some((term) => leavesRoom(meet(box, term)!, impossible));
    if (!canHold) return { truth: 'false', isExact: isExact && budget.nodes >= 0 };
    const truth = leavesRoom(box, [...open, ...impossible]) ? 'undecided' : 'true';
    return { truth, isExact: isExact && budget.nodes >= 0 };
  });
}

function namesOf(axes: ReadonlySet<number>, program: CompiledProgram): Set<string> {
  const names = new Set<string>();
  for (const axis of axes)
    for (const name of axis === PLACE ? ['county'] : program.axes[axis]!.missingNames) names.add(name);
  return names;
}

/** Whether the answer hangs on tests taken as independent that are not: fact against fact, or a relation. */
function leansOnMore(axes: ReadonlySet<number>, program: CompiledProgram, at: Encoded): boolean {
  const fields = new Set<string>();
  for (const axis of axes) {
    if (axis === PLACE) continue;
    const known = program.axes[axis]!;
    if (known.test) return true;
    fields.add(known.axis.name);
  }
  return at.property.vocabulary.relations.some(({ lower, higher }) => fields.has(lower) && fields.has(higher));
}
