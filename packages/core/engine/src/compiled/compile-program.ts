/**
 * Compiled programs: the rules of one carrier, for one policy type and effective year, as boxes of cells.
 *
 * Every field that rules test is an axis, cut into cells at all limits that the rules name. Every condition is written in disjunctive
 * normal form: a list of terms, each a set of cells on some axes (a box). A rule holds if a term contains the property.
 *
 * An unknown field is a set of possible cells, so a partly known property is itself a box. A rule is true if its terms cover that box,
 * false if none intersects it, and else undecided. Unlike Kleene logic, this is exact, because all tests of an axis are one set.
 * `encode` finds the box, `cover` tests covering, `settle` derives the possible statuses and the missing fields.
 */
import { domainOfComputed } from '../condition/computed.ts';
import { type Computed, type Leaf, sourcesOf, type Tree } from '../condition/condition.ts';
import type { Demand } from '../rule-set/demand.ts';
import { byPriority } from '../rule-set/priority.ts';
import type { Moratorium, Program, Rule, RuleSet } from '../rule-set/rule-set.ts';
import { forEachLeafOfRule } from '../rule-set/rule-trees.ts';
import { MAX_TERMS_OF_COMPILED_RULE } from '../rule-set/work-limits.ts';
import { missingNames } from '../verdict/rule-words.ts';
import { type FactReference, factIndex, missingNameOf } from '../vocabulary/fact-index.ts';
import type { DomainContext } from '../vocabulary/field.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { type Axis, numberAxis, testAxis, wordAxis } from './axis.ts';
import { type CellSet, difference, isEmpty, isSame, setOf } from './cell-set.ts';
import { createExpander, TooManyTerms } from './expand.ts';
import { type LeafPlan, planLeaf } from './leaf-axis.ts';
import { leafCells, leafTest } from './leaf-cells.ts';
import { covers, createPlaceAxis, type Place, type PlaceAxis } from './place-axis.ts';
import { mergeTerms, type Term } from './term.ts';

/** The place is always axis 0. */
export const PLACE = 0;

/** An axis of a compiled program, and the source of its values. */
export interface ProgramAxis {
  readonly axis: Axis;
  /** Position of the field in the vocabulary; -1 for a computed fact or a test between two facts. */
  readonly field: number;
  readonly test: Leaf | undefined;
  /** The fact, if it is computed from fields and lists. */
  readonly computed?: Computed;
  readonly missingNames: readonly string[];
}

/** A rule with its terms. */
export interface CompiledRule {
  readonly rule: Rule;
  /** Undefined for rules of all programs. */
  readonly program: Program | undefined;
  /** The rule holds if any of them does. Each includes the place. */
  readonly terms: readonly Term[];
}

/** A demand of an offer with its terms. */
export interface CompiledDemand {
  readonly rule: Rule;
  readonly demand: Demand;
  /** The demand applies if any of them holds. Each includes the place. */
  readonly terms: readonly Term[];
}

/** The rules of one carrier for one policy type and effective year, as boxes of cells. */
export interface CompiledProgram {
  readonly ruleSet: RuleSet;
  readonly policyType: string;
  readonly effectiveYear: number;
  readonly vocabulary: Vocabulary;
  readonly place: PlaceAxis;
  /** The place, axis 0, is undefined here. */
  readonly axes: readonly (ProgramAxis | undefined)[];
  readonly programs: readonly Program[];
  /** Highest priority first. */
  readonly rules: readonly CompiledRule[];
  /** Without those that never apply. */
  readonly demands: readonly CompiledDemand[];
  /** Places outside all programs, in a state of the programs. */
  readonly territory: CellSet;
  readonly moratoria: readonly { readonly moratorium: Moratorium; readonly cells: CellSet }[];
}

/** Options of {@link compileProgram}. */
export interface CompileOptions {
  /** False for test-by-test evaluation (Kleene logic), as json-rules-engine does. @default true */
  readonly normalize?: boolean;
}

/** Reason for evaluating a rule set with json-rules-engine. */
export interface NotCompiled {
  readonly reason: string;
}

/**
 * Compiles the rules for one policy type. Undefined if it is not offered; a reason if json-rules-engine must evaluate the rule set.
 * Programs that are tiers are compiled together: see `withLadder`.
 */
export function compileProgram(
  ruleSet: RuleSet,
  policyType: string,
  effectiveYear: number,
  vocabulary: Vocabulary,
  options: CompileOptions = {},
): CompiledProgram | NotCompiled | undefined {
  const programs = ruleSet.programs.filter((program) => program.policyTypes.includes(policyType));
  if (programs.length === 0) return undefined;
  const context: DomainContext = { effectiveYear };
  const rules = [
    ...ruleSet.rules.map((rule) => ({ rule, program: undefined })),
    ...programs.flatMap((program) => program.rules.map((rule) => ({ rule, program }))),
  ];
  const find = (name: string) => factIndex(vocabulary).find(name);
  const plans = new Map<Leaf, LeafPlan>();
  const visited = new Set<Tree>();
  for (const { rule } of rules) {
    let unknown: Leaf | undefined;
    forEachLeafOfRule(
      rule,
      (leaf) => {
        const plan = planLeaf(leaf, find, context);
        if (plan) plans.set(leaf, plan);
        else unknown = leaf;
      },
      visited,
    );
    if (unknown)
      return { reason: `rule "${rule.id}" uses a fact or operator of the host: ${unknown.fact} ${unknown.operator}` };
  }
  const moratoria = ruleSet.moratoria.filter((each) => each.policyTypes?.includes(policyType) ?? true);
  const place = createPlaceAxis(
    new Set(programs.flatMap((program) => program.places.states ?? [])),
    namedCounties(programs, moratoria, plans),
  );
  const { axes, numbers } = createAxes(plans, vocabulary, context);
  const covered = place.cellsWhere((at) => programs.some((program) => covers(program.places, at)));
  const normalize = options.normalize ?? true;
  const fullOf = (axis: number) => (axis === PLACE ? place.full : axes[axis]!.axis.full);
  const expand = createExpander({
    cap: MAX_TERMS_OF_COMPILED_RULE,
    normalize,
    fullOf,
    termsOf: (leaf: Leaf, negated: boolean) =>
      leafTerms(leaf, negated, plans.get(leaf)!, { axes, numbers, place, policyType, find, context, normalize }),
  });
  const byProgram = new Map(programs.map((program) => [program, place.cellsWhere((at) => covers(program.places, at))]));
  try {
    const compiled: CompiledRule[] = [];
    const demands: CompiledDemand[] = [];
    const mergedOf = new Map<readonly Term[], readonly Term[]>();
    for (const { rule, program } of rules) {
      const placePart = { axis: PLACE, cells: program ? byProgram.get(program)! : covered, leaves: [] };
      const termsOf = (condition: Tree) => {
        const terms = expand(condition);
        const mergedTerms = normalize ? (mergedOf.get(terms) ?? mergeTerms(terms, fullOf)) : terms;
        mergedOf.set(terms, mergedTerms);
        return mergedTerms.flatMap((term) => withPlace(term, placePart, place));
      };
      const terms = termsOf(rule.condition);
      compiled.push({ rule, program, terms });
      for (const demand of rule.demands ?? []) {
        const own = demand.condition === rule.condition ? terms : termsOf(demand.condition);
        if (own.length > 0) demands.push({ rule, demand, terms: own });
      }
    }
    return {
      ruleSet,
      policyType,
      effectiveYear,
      vocabulary,
      place,
      axes,
      programs,
      rules: byPriority(compiled, (each) => each.rule),
      demands,
      territory: setOf(place.size, (cell) => !programs.some((program) => covers(program.places, place.samples[cell]!))),
      moratoria: moratoria.map((moratorium) => ({
        moratorium,
        cells: place.cellsWhere((at) => covers(moratorium.places, at)),
      })),
    };
  } catch (error) {
    if (error instanceof TooManyTerms)
      return { reason: `a rule expands into more than ${MAX_TERMS_OF_COMPILED_RULE} terms` };
    throw error;
  }
}

/** No term if the two exclude each other. */
function withPlace(term: Term, placePart: Term[number], place: PlaceAxis): Term[] {
  const ownPart = term[0]?.axis === PLACE ? term[0] : undefined;
  const cells = ownPart ? ownPart.cells.map((word, index) => word & placePart.cells[index]!) : placePart.cells;
  if (isEmpty(cells)) return [];
  const rest = ownPart ? term.slice(1) : term;
  return isSame(cells, place.full) ? [rest] : [[{ ...placePart, cells }, ...rest]];
}

function namedCounties(
  programs: readonly Program[],
  moratoria: readonly Moratorium[],
  plans: ReadonlyMap<Leaf, LeafPlan>,
): ReadonlySet<string> {
  const counties = new Set<string>();
  for (const { places } of [...programs, ...moratoria]) {
    for (const { fips } of places.counties.values()) for (const county of fips) counties.add(county);
  }
  for (const [leaf, plan] of plans) {
    if (plan.kind !== 'place' || leaf.fact !== 'county') continue;
    for (const value of [leaf.value].flat(4)) if (typeof value === 'string') counties.add(value);
  }
  return counties;
}

/** One axis for each tested field, cut at all limits, and one for each test between two facts. */
export function createAxes(
  plans: ReadonlyMap<Leaf, LeafPlan>,
  vocabulary: Vocabulary,
  context: DomainContext,
): { axes: readonly (ProgramAxis | undefined)[]; numbers: ReadonlyMap<string, number> } {
  const limits = new Map<string, number[]>();
  const tests = new Map<string, Leaf>();
  const computed = new Map<string, { readonly fact: Computed; readonly limits: number[] }>();
  for (const [leaf, plan] of plans) {
    if (plan.kind === 'field') {
      const fieldLimits = limits.get(plan.field) ?? [];
      for (const limit of plan.limits) fieldLimits.push(limit);
      limits.set(plan.field, fieldLimits);
    } else if (plan.kind === 'test') tests.set(plan.key, leaf);
    else if (plan.kind === 'computed') {
      const entry = computed.get(plan.name) ?? { fact: leaf.computed!, limits: [] };
      for (const limit of plan.limits) entry.limits.push(limit);
      computed.set(plan.name, entry);
    }
  }
  const axes: (ProgramAxis | undefined)[] = [undefined];
  const numbers = new Map<string, number>();
  vocabulary.fields.forEach((field, index) => {
    const cuts = limits.get(field.name);
    if (!cuts) return;
    const domain = field.domain(context);
    const axis = domain.kind === 'words' ? wordAxis(field.name, domain.words) : numberAxis(field.name, domain, cuts);
    numbers.set(`field ${field.name}`, axes.length);
    axes.push({ axis, field: index, test: undefined, missingNames: [missingNameOf(field)] });
  });
  for (const [name, { fact, limits: cuts }] of computed) {
    const domain = domainOfComputed(fact, vocabulary, context.effectiveYear);
    numbers.set(`computed ${name}`, axes.length);
    axes.push({
      axis: numberAxis(name, domain, cuts),
      field: -1,
      test: undefined,
      computed: fact,
      missingNames: [...missingNames(sourcesOf(fact), vocabulary)],
    });
  }
  const index = factIndex(vocabulary);
  for (const [key, leaf] of tests) {
    numbers.set(`test ${key}`, axes.length);
    const names = [leaf.fact, (leaf.value as { fact?: string } | null)?.fact].flatMap((name) => {
      const reference = name === undefined ? undefined : index.find(name);
      if (!reference) return [];
      return [reference.kind === 'place' ? reference.name : missingNameOf(reference.field)];
    });
    axes.push({ axis: testAxis(key), field: -1, test: leaf, missingNames: [...new Set(names)] });
  }
  return { axes, numbers };
}

interface LeafContext {
  readonly axes: readonly (ProgramAxis | undefined)[];
  readonly numbers: ReadonlyMap<string, number>;
  readonly place: PlaceAxis;
  readonly policyType: string;
  readonly find: (name: string) => FactReference | undefined;
  readonly context: DomainContext;
  readonly normalize: boolean;
}

/** The test runs on the sample of every cell. */
function leafTerms(leaf: Leaf, negated: boolean, plan: LeafPlan, program: LeafContext): readonly Term[] {
  if (plan.kind === 'policy type') return leafTest(leaf)(program.policyType) !== negated ? [[]] : [];
  if (plan.kind === 'place') {
    const test = leafTest(leaf);
    const holds = (value: unknown) => test(value) !== negated;
    const placeValue = (place: Place) => (leaf.fact === 'state' ? place.state : place.county);
    return termOfCells(
      PLACE,
      program.place.cellsWhere((place) => holds(placeValue(place))),
      program.place.full,
      leaf,
      negated,
      program.normalize,
    );
  }
  const number = program.numbers.get(
    plan.kind === 'field'
      ? `field ${plan.field}`
      : plan.kind === 'computed'
        ? `computed ${plan.name}`
        : `test ${plan.key}`,
  )!;
  const { axis } = program.axes[number]!;
  if (plan.kind === 'test') {
    return termOfCells(
      number,
      setOf(2, (cell) => (cell === 1) !== negated),
      axis.full,
      leaf,
      negated,
      program.normalize,
    );
  }
  const reference = program.find(leaf.fact);
  const view =
    reference?.kind === 'derived' ? (value: number) => reference.derived.view(value, program.context) : undefined;
  const plain = leafCells(leaf, axis, view);
  return termOfCells(
    number,
    negated ? difference(axis.full, plain) : plain,
    axis.full,
    leaf,
    negated,
    program.normalize,
  );
}

function termOfCells(
  axis: number,
  cells: CellSet,
  full: CellSet,
  leaf: Leaf,
  negated: boolean,
  normalize: boolean,
): readonly Term[] {
  if (normalize && isEmpty(cells)) return [];
  if (normalize && isSame(cells, full)) return [[]];
  return [[{ axis, cells, leaves: [{ leaf, negated }] }]];
}

/** True for a compiled program, false for the reason against compiling. */
export function isCompiled(program: CompiledProgram | NotCompiled): program is CompiledProgram {
  return 'rules' in program;
}
