import { forEachLeaf, type Leaf, type Tree } from '../condition/condition.ts';
import { byPriority } from '../rule-set/priority.ts';
import type { Moratorium, Program, Rule, RuleSet } from '../rule-set/rule-set.ts';
import { MAX_TERMS_OF_COMPILED_RULE } from '../rule-set/work-limits.ts';
import { type FactReference, factIndex, missingNameOf } from '../vocabulary/fact-index.ts';
import type { DomainContext } from '../vocabulary/field.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { type Axis, numberAxis, testAxis, wordAxis } from './axis.ts';
import { type CellSet, difference, isEmpty, isSame, setOf } from './cell-set.ts';
import { createExpander, TooManyTerms } from './expand.ts';
import { type LeafPlan, planLeaf } from './leaf-axis.ts';
import { leafCells, leafTest } from './leaf-cells.ts';
import { covers, createPlaceAxis, type Place, type PlaceAxis } from './place-axis.ts';
import { merged, type Term } from './term.ts';

/** Place is always axis 0. */
export const PLACE = 0;

/** An axis of a compiled program and how a property's knowledge reaches it. */
export interface KnownAxis {
  readonly axis: Axis;
  /** Place of the field in the vocabulary, or -1 for a test of its own. */
  readonly field: number;
  /** The test whose answer this axis is. */
  readonly test: Leaf | undefined;
  /** Names under which a caller gives what it rests on. */
  readonly missingNames: readonly string[];
}

/** A rule with its terms: the boxes of cells in which it holds. */
export interface CompiledRule {
  readonly rule: Rule;
  /** Undefined for the rules of every program. */
  readonly program: Program | undefined;
  /** Any of them makes the rule hold. The place is part of each. */
  readonly terms: readonly Term[];
}

/** One carrier's answer for one policy type in one effective year, as boxes of cells. */
export interface CompiledProgram {
  readonly ruleSet: RuleSet;
  readonly policyType: string;
  readonly effectiveYear: number;
  readonly vocabulary: Vocabulary;
  readonly place: PlaceAxis;
  /** Axes by number; the first is the place, and absent here. */
  readonly axes: readonly (KnownAxis | undefined)[];
  readonly programs: readonly Program[];
  /** Highest priority first. */
  readonly rules: readonly CompiledRule[];
  /** Places in a state where the policy type is offered, but not in their county. */
  readonly territory: CellSet;
  readonly moratoria: readonly { readonly moratorium: Moratorium; readonly cells: CellSet }[];
}

export interface CompileOptions {
  /** Off: leaf by leaf, as the reference judges (Kleene). Default on. */
  readonly normalize?: boolean;
}

/** Why a rule set is left to the reference. */
export interface NotCompiled {
  readonly reason: string;
}

/**
 * Compiles what a rule set says of one policy type. Undefined where it is not offered at all; a reason
 * where the reference must judge it.
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
  const seen = new Set<Tree>();
  for (const { rule } of rules) {
    let unknown: Leaf | undefined;
    forEachLeaf(
      rule.condition,
      (leaf) => {
        const plan = planLeaf(leaf, find, context);
        if (plan) plans.set(leaf, plan);
        else unknown = leaf;
      },
      seen,
    );
    if (unknown) return { reason: `rule "${rule.id}" rests on the host: ${unknown.fact} ${unknown.operator}` };
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
    const mergedOf = new Map<readonly Term[], readonly Term[]>();
    for (const { rule, program } of rules) {
      const where = { axis: PLACE, cells: program ? byProgram.get(program)! : covered, leaves: [] };
      const terms = expand(rule.condition);
      const wide = normalize ? (mergedOf.get(terms) ?? merged(terms, fullOf)) : terms;
      mergedOf.set(terms, wide);
      compiled.push({ rule, program, terms: wide.flatMap((term) => withPlace(term, where, place)) });
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

/** Adds the place of its program to a term; nothing is left of it where the two exclude each other. */
function withPlace(term: Term, where: Term[number], place: PlaceAxis): Term[] {
  const own = term[0]?.axis === PLACE ? term[0] : undefined;
  const cells = own ? own.cells.map((word, index) => word & where.cells[index]!) : where.cells;
  if (isEmpty(cells)) return [];
  const rest = own ? term.slice(1) : term;
  return isSame(cells, place.full) ? [rest] : [[{ ...where, cells }, ...rest]];
}

function namedCounties(
  programs: readonly Program[],
  moratoria: readonly Moratorium[],
  plans: ReadonlyMap<Leaf, LeafPlan>,
): ReadonlySet<string> {
  const named = new Set<string>();
  for (const { places } of [...programs, ...moratoria]) {
    for (const { fips } of places.counties.values()) for (const county of fips) named.add(county);
  }
  for (const [leaf, plan] of plans) {
    if (plan.kind !== 'place' || leaf.fact !== 'county') continue;
    for (const value of [leaf.value].flat(4)) if (typeof value === 'string') named.add(value);
  }
  return named;
}

/** One axis a field that is tested, cut at all limits at once; one a test that cells cannot carry. */
export function createAxes(
  plans: ReadonlyMap<Leaf, LeafPlan>,
  vocabulary: Vocabulary,
  context: DomainContext,
): { axes: readonly (KnownAxis | undefined)[]; numbers: ReadonlyMap<string, number> } {
  const limits = new Map<string, number[]>();
  const tests = new Map<string, Leaf>();
  for (const [leaf, plan] of plans) {
    if (plan.kind === 'field') {
      const known = limits.get(plan.field) ?? [];
      for (const limit of plan.limits) known.push(limit);
      limits.set(plan.field, known);
    } else if (plan.kind === 'test') tests.set(plan.key, leaf);
  }
  const axes: (KnownAxis | undefined)[] = [undefined];
  const numbers = new Map<string, number>();
  vocabulary.fields.forEach((field, index) => {
    const cuts = limits.get(field.name);
    if (!cuts) return;
    const domain = field.domain(context);
    const axis = domain.kind === 'words' ? wordAxis(field.name, domain.words) : numberAxis(field.name, domain, cuts);
    numbers.set(`field ${field.name}`, axes.length);
    axes.push({ axis, field: index, test: undefined, missingNames: [missingNameOf(field)] });
  });
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
  readonly axes: readonly (KnownAxis | undefined)[];
  readonly numbers: ReadonlyMap<string, number>;
  readonly place: PlaceAxis;
  readonly policyType: string;
  readonly find: (name: string) => FactReference | undefined;
  readonly context: DomainContext;
  readonly normalize: boolean;
}

/** A test as terms: run on the sample of every cell. */
function leafTerms(leaf: Leaf, negated: boolean, plan: LeafPlan, at: LeafContext): readonly Term[] {
  if (plan.kind === 'policy type') return leafTest(leaf)(at.policyType) !== negated ? [[]] : [];
  if (plan.kind === 'place') {
    const test = leafTest(leaf);
    const holds = (value: unknown) => test(value) !== negated;
    const placeValue = (place: Place) => (leaf.fact === 'state' ? place.state : place.county);
    return boxed(
      PLACE,
      at.place.cellsWhere((place) => holds(placeValue(place))),
      at.place.full,
      leaf,
      negated,
      at.normalize,
    );
  }
  const number = at.numbers.get(plan.kind === 'field' ? `field ${plan.field}` : `test ${plan.key}`)!;
  const { axis } = at.axes[number]!;
  if (plan.kind === 'test') {
    return boxed(
      number,
      setOf(2, (cell) => (cell === 1) !== negated),
      axis.full,
      leaf,
      negated,
      at.normalize,
    );
  }
  const reference = at.find(leaf.fact)!;
  const view = reference.kind === 'derived' ? (value: number) => reference.derived.view(value, at.context) : undefined;
  const plain = leafCells(leaf, axis, view);
  return boxed(number, negated ? difference(axis.full, plain) : plain, axis.full, leaf, negated, at.normalize);
}

function boxed(
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

/** True for a program that was compiled, false for the reason why it cannot be. */
export function isCompiled(program: CompiledProgram | NotCompiled): program is CompiledProgram {
  return 'rules' in program;
}
