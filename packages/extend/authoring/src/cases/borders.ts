import type { Property, Rule, Truth, Vocabulary } from '@leeward/engine';
import {
  type Computed,
  type Demand,
  describeComputed,
  type FactReference,
  type Facts,
  factIndex,
  forEachLeaf,
  type Leaf,
  negate,
  parseOperator,
  readComputed,
  sourceOfProperty,
  type Tree,
  truthOfLeaf,
  unitOf,
  valueFact,
} from '@leeward/engine/compiled';
import { labelOf } from '@leeward/engine/vocabulary';
import { writeQuantity } from '@leeward/terms';

/** The values of one side of a limit. */
export interface BorderSide {
  /** The value nearest to the limit, in the unit of the fact. */
  readonly value: number;
  readonly words: string;
  includes(value: number): boolean;
}

/** A limit of a numeric test. The test has different results on its two sides. */
export interface Border {
  readonly rule: Rule;
  /** The bound of a term that the limit is a step of. */
  readonly demand: Demand | undefined;
  readonly leaf: Leaf;
  /** Undefined if the test computes a number. */
  readonly reference: Extract<FactReference, { kind: 'field' | 'derived' }> | undefined;
  readonly sides: readonly [BorderSide, BorderSide];
}

/** The limits of a rule: of its tests, of the numbers that they compute, and of the steps of its terms. */
export function bordersOf(rule: Rule, vocabulary: Vocabulary, effectiveYear: number): Border[] {
  const borders = bordersIn(rule.condition, rule, undefined, vocabulary, effectiveYear);
  const own = new Set<Leaf>();
  forEachLeaf(rule.condition, (leaf) => own.add(leaf));
  const names = new Set<string>();
  for (const demand of rule.demands ?? []) {
    for (const border of bordersIn(demand.condition, rule, demand, vocabulary, effectiveYear)) {
      // Several bounds share a step.
      const name = `${demand.term.name} ${border.sides.map(({ words }) => words).join(' ')}`;
      if (own.has(border.leaf) || names.has(name)) continue;
      names.add(name);
      borders.push(border);
    }
  }
  return borders;
}

function bordersIn(
  tree: Tree,
  rule: Rule,
  demand: Demand | undefined,
  vocabulary: Vocabulary,
  effectiveYear: number,
): Border[] {
  const borders: Border[] = [];
  const index = factIndex(vocabulary);
  forEachLeaf(tree, (leaf) => {
    const { fact, operator, value } = leaf.written;
    const base = parseOperator(operator)?.base;
    if (base?.shape !== 'order') return;
    // "greater than 15" changes between 15 and 16; "less than 15" between 14 and 15.
    const isAbove = base.name === 'greaterThan' || base.name === 'lessThanInclusive';
    if (leaf.computed) {
      const sides = sidesOfComputed(leaf, leaf.computed, isAbove, vocabulary);
      if (sides) borders.push({ rule, demand, leaf, reference: undefined, sides });
      return;
    }
    const reference = index.find(fact);
    if (!reference || reference.kind === 'place') return;
    if (typeof value !== 'number' || valueFact(value)) return;
    const range = rangeOf(reference, effectiveYear);
    if (!range) return;
    const step = isAbove ? 1 : -1;
    const limit = range.integer ? (isAbove ? Math.floor(value) : Math.ceil(value)) : value;
    const other = range.integer ? limit + step : value + step * Math.min(1, Math.max(0.01, Math.abs(value) / 100));
    if ([limit, other].some((each) => each < range.min || each > range.max)) return;
    const isBeyond = (each: number) => (isAbove ? each > limit : each < limit);
    const label = labelOf(fact, vocabulary);
    const written = (each: number) => writeQuantity(each, unitOf(reference), { label });
    borders.push({
      rule,
      demand,
      leaf,
      reference,
      sides: [
        { value: limit, words: `${label} ${written(limit)}`, includes: (each) => each === limit },
        range.integer
          ? { value: other, words: `${label} ${written(other)}`, includes: (each) => each === other }
          : // All values beyond the limit are on this side of a fact with fractions.
            { value: other, words: `${label} ${isAbove ? 'above' : 'below'} ${written(limit)}`, includes: isBeyond },
      ],
    });
  });
  return borders;
}

/** A count has a value next to its limit; another computed number any value on either side. */
function sidesOfComputed(
  leaf: Leaf,
  computed: Computed,
  isAbove: boolean,
  vocabulary: Vocabulary,
): Border['sides'] | undefined {
  const limit = leaf.value;
  if (typeof limit !== 'number' || (computed.kind === 'evidence' && computed.of === 'source')) return undefined;
  const step = isAbove ? 1 : -1;
  const [left, right] = leaf.sides ?? [computed, undefined];
  const words = describeComputed(left, vocabulary);
  if (computed.kind === 'aggregate' && computed.apply === 'count') {
    const at = isAbove ? Math.floor(limit) : Math.ceil(limit);
    if (Math.min(at, at + step) < 0) return undefined;
    return [
      { value: at, words: `${words} ${at}`, includes: (each) => each === at },
      { value: at + step, words: `${words} ${at + step}`, includes: (each) => each === at + step },
    ];
  }
  const border = right ? describeComputed(right, vocabulary) : limit.toLocaleString('en-US');
  const isBeyond = (each: number) => (isAbove ? each > limit : each < limit);
  const [near, beyond] = isAbove ? ['up to', 'above'] : ['from', 'below'];
  return [
    { value: limit, words: `${words} ${near} ${border}`, includes: (each) => !isBeyond(each) },
    { value: limit + step, words: `${words} ${beyond} ${border}`, includes: isBeyond },
  ];
}

function rangeOf(reference: NonNullable<Border['reference']>, effectiveYear: number) {
  if (reference.kind === 'derived') return reference.derived.range;
  const domain = reference.field.domain({ effectiveYear });
  return domain.kind === 'numbers' ? domain : undefined;
}

/** True if a home has a value of the side, and the test of the border alone decides whether the rule or its bound holds. */
export function reaches(side: BorderSide, border: Border, property: Property, facts: Facts): boolean {
  const { leaf, rule, demand } = border;
  const value = valueAt(leaf, property, facts);
  if (typeof value !== 'number' || !side.includes(value)) return false;
  return decides(leaf, (demand ?? rule).condition, facts);
}

function valueAt(leaf: Leaf, property: Property, facts: Facts): unknown {
  if (!leaf.computed) return facts.get(leaf.written.fact);
  const { min, max } = readComputed(leaf.computed, sourceOfProperty(property));
  return min === max ? min : undefined;
}

function decides(leaf: Leaf, tree: Tree, facts: Facts): boolean {
  const [one, other] = [truthWith(tree, facts, leaf, 'true'), truthWith(tree, facts, leaf, 'false')];
  return one !== other && one !== 'undecided' && other !== 'undecided';
}

function truthWith(tree: Tree, facts: Facts, leaf: Leaf, truth: Truth): Truth {
  if (tree === leaf) return truth;
  if (tree.kind === 'leaf') return truthOfLeaf(tree, facts);
  if (tree.kind === 'not') return negate(truthWith(tree.of, facts, leaf, truth));
  if (tree.of.length === 0) return 'true';
  const truths = tree.of.map((child) => truthWith(child, facts, leaf, truth));
  const decisive = tree.kind === 'all' ? 'false' : 'true';
  if (truths.includes(decisive)) return decisive;
  return truths.includes('undecided') ? 'undecided' : negate(decisive);
}
