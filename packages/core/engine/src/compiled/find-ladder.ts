/**
 * Evaluates the tiers of a carrier together, exactly.
 *
 * A tier takes the home outside all of its terms. So the completions in which a tier is the tier are a region: inside some box, at which
 * the better tiers fail, and outside the terms of the tier. The boxes are the products of the terms that are still open for the home, which
 * are few. If they are too many, the tiers are combined one by one (`combineTiers`).
 */
import type { Property } from '../request/property.ts';
import { isBetter } from '../rule-set/ladder.ts';
import { coversState } from '../rule-set/places.ts';
import type { Moratorium, Program, Rule } from '../rule-set/rule-set.ts';
import type { Findings, Joint } from '../verdict/findings.ts';
import { combineTiers, countingParts, ladderOf } from '../verdict/ladder-findings.ts';
import { combineDemands, noOffers } from '../verdict/offers.ts';
import type { SettledStatus } from '../verdict/verdict.ts';
import { difference } from './cell-set.ts';
import { type CompiledProgram, PLACE } from './compile-program.ts';
import { areAxesIndependent } from './computed-axes.ts';
import { type Box, cover } from './cover.ts';
import { type Encoded, encode } from './encode.ts';
import { type ExactTruth, MAX_BOXES_A_RULE, missingNamesOf } from './exact-truth.ts';
import { findCompiled, hasDependentTests, moratoriaInForce, type PossibleStatuses } from './find-compiled.ts';
import { demandOracle, openAxes } from './find-offers.ts';
import { impossibleTerms } from './impossible-terms.ts';
import type { CompiledLadder, CompiledTier } from './ladder.ts';
import { productOf } from './product.ts';
import { truthOfTerms } from './rule-truth.ts';
import {
  budgetFor,
  createVisitBudget,
  meet,
  openStatusTerms,
  reduceTerms,
  type Settled,
  searchWithin,
  settle,
  type VisitBudget,
} from './settle.ts';
import { placeTerm, statusTermsOf } from './status-terms.ts';
import type { Term } from './term.ts';
import { widestTerms } from './widest-terms.ts';

/** The statuses of a ladder, as `findStatuses` for a program. Undefined if the policy type is not offered in the state. */
export function findLadderStatuses(ladder: CompiledLadder, property: Property): PossibleStatuses | undefined {
  const search = createSearch(ladder, property);
  if (!search) return undefined;
  const joint = settleTogether(search);
  if (!joint) return findOneByOne(search);
  const { settled } = joint;
  const isOpen = settled.possible.size > 1;
  return {
    possible: settled.possible,
    conservative: isOpen && (settled.exhausted || hasDependentTests(settled.decisiveAxes, ladder.whole, search.at)),
  };
}

/** Evaluates a ladder for a property. Undefined if the policy type is not offered in the state. */
export function findLadder(ladder: CompiledLadder, property: Property): Findings | undefined {
  const search = createSearch(ladder, property);
  if (!search) return undefined;
  const joint = settleTogether(search);
  if (!joint) return findOneByOne(search);
  const { at } = search;
  const { whole } = ladder;
  const { settled, regions, isUnsure } = joint;
  const [only] = settled.possible;
  const status = settled.possible.size === 1 ? only : undefined;
  const counting = countingParts(regions);
  const [part] = counting;
  const isOpen = counting.size > 1;
  const findings = isOpen
    ? findInRegions(search, regions, status)
    : findCompiled(part?.compiled ?? whole, property, status, part ? atPart(search, part) : at)!;
  const mayLean = isOpen && hasDependentTests(axesOf(search.parts.flatMap(({ failing }) => failing)), whole, at);
  return {
    ...findings,
    program: search.first,
    possible: settled.possible,
    missing: missingNamesOf(settled.decisiveAxes, whole, property),
    conservative:
      findings.conservative ||
      (isOpen && (isUnsure || mayLean)) ||
      (status === undefined && (settled.exhausted || hasDependentTests(settled.decisiveAxes, whole, at))),
    ...ladderOf(regions, search.parts, () => evaluateAlone(search)),
  };
}

/** A part of the ladder with the terms that are open for the home. */
interface OpenPart extends CompiledTier {
  readonly declining: readonly Term[];
  readonly referring: readonly Term[];
  /** All of them: the part takes the home outside. */
  readonly failing: readonly Term[];
  /** Tests that the place is in the part. Empty if it is not, one term without parts if it is. */
  readonly here: readonly Term[];
}

interface Search {
  readonly ladder: CompiledLadder;
  readonly property: Property;
  readonly at: Encoded;
  readonly first: Program;
  /** Best first; those of the state. */
  readonly parts: readonly OpenPart[];
}

function createSearch(ladder: CompiledLadder, property: Property): Search | undefined {
  const { whole, tiers } = ladder;
  const isInState = ({ places }: Program) => coversState(places, property.state);
  const first = whole.programs.find(isInState);
  if (!first) return undefined;
  const at = encode(whole, property);
  const stops = moratoriaInForce(whole, property).map(({ term }) => term);
  const parts = tiers
    .filter(({ programs }) => programs.some(isInState))
    .map((tier): OpenPart => {
      const { declining, referring } = openStatusTerms(statusTermsOf(tier.compiled), stops, at);
      const here = reduceTerms([placeTerm(difference(whole.place.full, tier.compiled.territory))], at);
      return { ...tier, declining, referring, failing: [...declining, ...referring], here };
    });
  return { ladder, property, at, first, parts };
}

/** The completions in which a part of the ladder counts, with one status: inside a box of `within` and outside all of `without`. */
interface Region {
  readonly status: SettledStatus;
  readonly part: OpenPart | undefined;
  readonly within: readonly Term[];
  readonly without: readonly Term[];
}

interface Together {
  readonly settled: Settled;
  readonly regions: readonly Region[];
  readonly isUnsure: boolean;
}

/** Undefined if the terms have too many products. */
function settleTogether(search: Search): Together | undefined {
  const { parts, at } = search;
  const box = at.sets;
  const declining = productOf(
    parts.map((each) => each.declining),
    box,
  );
  const failing =
    declining &&
    productOf(
      parts.map((each) => each.failing),
      box,
    );
  const all = failing && regionsOf(search);
  if (!all) return undefined;
  const referring = declining.some(isAlways) ? [] : widestTerms(failing, declining);
  const answer = settle({ declining, referring }, box);
  let isUnsure = false;
  const regions = all.filter(({ status, within, without }) => {
    if (!answer.possible.has(status)) return false;
    const budget = budgetFor(within.length + without.length);
    return within.some((term) => {
      const inside = meet(box, term);
      const kind = inside ? cover(inside, without, budget).kind : 'covered';
      if (kind === 'exhausted') isUnsure = true;
      return kind !== 'covered';
    });
  });
  const statuses = new Set(regions.map(({ status }) => status));
  const possible = new Set([...answer.possible].filter((status) => statuses.has(status)));
  const settled =
    possible.size > 1 ? { ...answer, possible } : { ...answer, possible, decisiveAxes: new Set<number>() };
  return { settled, regions, isUnsure };
}

function regionsOf({ parts, at, ladder }: Search): Region[] | undefined {
  const box = at.sets;
  const regions: Region[] = [];
  let isComplete = true;
  const add = (
    status: SettledStatus,
    part: OpenPart | undefined,
    factors: readonly (readonly Term[])[],
    without: readonly Term[],
  ) => {
    if (without.some(isAlways)) return;
    const within = productOf(factors, box);
    if (!within) isComplete = false;
    else if (within.length > 0) regions.push({ status, part, within, without });
  };
  for (const part of parts) {
    const better = parts.filter((each) => isBetter(each, part));
    const worse = parts.filter((each) => isBetter(part, each));
    const betterDeclining = better.map(({ declining }) => declining);
    add(
      'eligible',
      part,
      better.map(({ failing }) => failing),
      part.failing,
    );
    add('referral', part, [...betterDeclining, part.referring, ...worse.map(({ failing }) => failing)], part.declining);
    add(
      'ineligible',
      part,
      [part.here, ...betterDeclining, part.declining, ...worse.map(({ declining }) => declining)],
      worse.flatMap(({ here }) => here),
    );
  }
  add('ineligible', undefined, [reduceTerms([placeTerm(ladder.whole.territory)], at)], []);
  return isComplete ? regions : undefined;
}

function isAlways(term: Term): boolean {
  return term.length === 0;
}

function atPart({ at }: Search, { compiled }: CompiledTier): Encoded {
  return { ...at, program: compiled };
}

function findAlone(search: Search, part: OpenPart): Findings {
  return findCompiled(part.compiled, search.property, undefined, atPart(search, part))!;
}

function evaluateAlone(search: Search): readonly (OpenPart & { readonly findings: Findings })[] {
  return search.parts.map((part) => ({ ...part, findings: findAlone(search, part) }));
}

function findOneByOne(search: Search): Findings {
  const { whole } = search.ladder;
  const parts = search.parts.map((part) => ({
    ...part,
    findings: findAlone(search, part),
    offers: {
      demands: part.compiled.demands,
      oracle: demandOracle(part.compiled, search.property, atPart(search, part)),
    },
  }));
  return combineTiers(parts, { rules: whole.rules.map(({ rule }) => rule), program: search.first });
}

function axesOf(terms: readonly Term[]): Set<number> {
  return new Set(terms.flatMap((term) => term.map(({ axis }) => axis)));
}

type OpenFindings = Omit<Findings, 'possible' | 'missing' | 'ladder'>;

/** The rules of several parts count, each in its regions. */
function findInRegions(search: Search, regions: readonly Region[], status: SettledStatus | undefined): OpenFindings {
  const { ladder, property, at } = search;
  const { whole } = ladder;
  const moratoria = moratoriaInForce(whole, property);
  const budget = createVisitBudget();
  const partOf = partsByRule(search);
  let isUnsure = false;
  const rules = whole.rules.map(({ rule, terms }) => {
    const decides = rule.outcome === 'decline' || rule.outcome === 'refer';
    const owner = partOf.get(rule);
    const own = (part: OpenPart | undefined) => (owner === undefined || owner === part ? terms : []);
    const { truth, isExact } = truthInRegions(search, regions, own, decides, budget);
    if (!isExact && !rule.demands) isUnsure = true;
    return { rule, truth };
  });
  const counting = countingParts(regions);
  const demands = whole.demands.filter(({ rule }) => {
    const owner = partOf.get(rule);
    return owner === undefined || counting.has(owner);
  });
  const ofRegions = axesOf(regions.flatMap(({ within, without }) => [...within, ...without]));
  const offers =
    demands.length === 0
      ? noOffers
      : combineDemands(demands, {
          truthOf: (some) => {
            const own = (part: OpenPart | undefined) =>
              some.flatMap(({ rule, terms }) => ([undefined, part].includes(partOf.get(rule)) ? terms : []));
            return truthInRegions(search, regions, own, false, budget);
          },
          missingOf: (some) => missingNamesOf(new Set([...openAxes(some, at), ...ofRegions]), whole, property),
        });
  return {
    rules,
    territory: truthOfTerms([placeTerm(whole.territory)], at),
    program: search.first,
    moratoria: moratoria.map(({ moratorium, term }) => ({ moratorium, truth: truthOfTerms([term], at) })),
    offers,
    conservative: isUnsure || offers.isUnsure,
    ...(status && status !== 'eligible' ? jointly(search, regions, status) : {}),
  };
}

function partsByRule({ parts }: Search): ReadonlyMap<Rule, OpenPart> {
  return new Map(
    parts.flatMap((part) => part.programs.flatMap(({ rules }) => rules.map((rule) => [rule, part] as const))),
  );
}

/**
 * The truth of a rule over the completions of some regions. For other rules than those that decide a status, completions that contradict a
 * relation do not count.
 */
function truthInRegions(
  { at, ladder }: Search,
  regions: readonly Region[],
  termsOf: (part: OpenPart | undefined) => readonly Term[],
  decides: boolean,
  left: VisitBudget,
): ExactTruth {
  const box = at.sets;
  const { whole } = ladder;
  const contradictions = decides ? [] : relationsWithin(whole, at, left);
  const tested = new Set<number>();
  let isSome = false;
  let isAll = true;
  let isExact = true;
  for (const { part, within, without } of regions) {
    const terms = reduceTerms(termsOf(part), at);
    const ignored = [...without, ...contradictions];
    // The rule is tested within the regions, so their tests count too.
    for (const axis of axesOf([...terms, ...within, ...without])) tested.add(axis);
    searchWithin(left, terms.length + ignored.length, MAX_BOXES_A_RULE * within.length, (budget) => {
      const isCovered = (inside: Box, some: readonly Term[]) => {
        const { kind } = cover(inside, some, budget);
        if (kind === 'exhausted') isExact = false;
        return kind === 'covered';
      };
      for (const term of within) {
        const inside = meet(box, term);
        if (!inside || isCovered(inside, ignored)) continue;
        isAll &&= isCovered(inside, [...ignored, ...terms]);
        isSome ||= terms.some((each) => {
          const both = meet(inside, each);
          return both !== undefined && !isCovered(both, ignored);
        });
      }
    });
  }
  const truth = !isSome ? 'false' : isAll ? 'true' : 'undecided';
  if (truth !== 'undecided' || decides) return { truth, isExact };
  const axes = [...tested].filter((axis) => axis !== PLACE);
  return {
    truth,
    isExact: isExact && !axes.some((axis) => whole.axes[axis]!.test) && areAxesIndependent(whole, axes, at.property),
  };
}

/** Given values may contradict a relation; then the values count, not the relation. */
function relationsWithin(program: CompiledProgram, at: Encoded, left: VisitBudget): readonly Term[] {
  const impossible = reduceTerms(impossibleTerms(program), at);
  if (impossible.length === 0) return [];
  const { kind } = searchWithin(left, impossible.length, MAX_BOXES_A_RULE, (budget) =>
    cover(at.sets, impossible, budget),
  );
  return kind === 'covered' ? [] : impossible;
}

interface Decider {
  readonly rule?: Rule;
  readonly moratorium?: Moratorium;
  readonly terms: readonly Term[];
}

/** A minimal set of rules: in every completion, one of them holds. See `findCompiled`. */
function jointly(search: Search, regions: readonly Region[], status: SettledStatus): { readonly jointly?: Joint } {
  const { ladder, property } = search;
  const { whole } = ladder;
  const partOf = partsByRule(search);
  const deciders: Decider[] = [
    ...(status === 'ineligible' ? [{ terms: [placeTerm(whole.territory)] }, ...stopsOf(whole, property)] : []),
    ...whole.rules.filter(({ rule }) => rule.outcome === (status === 'ineligible' ? 'decline' : 'refer')),
  ];
  const budget = createVisitBudget();
  const truthOf = (some: readonly Decider[]) => {
    const own = (part: OpenPart | undefined) =>
      some.flatMap(({ rule, terms }) => (!rule || [undefined, part].includes(partOf.get(rule)) ? terms : []));
    return truthInRegions(search, regions, own, true, budget).truth;
  };
  const truths = deciders.map((each) => truthOf([each]));
  if (truths.includes('true')) return {};
  let minimal = deciders.filter((_, index) => truths[index] !== 'false');
  if (truthOf(minimal) !== 'true') return {};
  for (const decider of minimal.toReversed()) {
    if (budget.visits < minimal.length) break;
    const fewer = minimal.filter((each) => each !== decider);
    if (truthOf(fewer) === 'true') minimal = fewer;
  }
  return {
    jointly: {
      territory: minimal.some(({ rule, moratorium }) => !rule && !moratorium),
      moratoria: minimal.flatMap(({ moratorium }) => moratorium ?? []),
      rules: minimal.flatMap(({ rule }) => rule ?? []),
    },
  };
}

function stopsOf(whole: CompiledProgram, property: Property): Decider[] {
  return moratoriaInForce(whole, property).map(({ moratorium, term }) => ({ moratorium, terms: [term] }));
}
