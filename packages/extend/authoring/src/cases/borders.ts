import type { Rule, Truth, Vocabulary } from '@leeward/engine';
import {
  type FactReference,
  type Facts,
  factIndex,
  forEachLeaf,
  type Leaf,
  negate,
  parseOperator,
  type Tree,
  truthOfLeaf,
  valueFact,
} from '@leeward/engine/compiled';

/** The value nearest to one side of a limit. */
export interface BorderSide {
  /** In the unit of the fact. */
  readonly value: number;
  /** For facts with fractions, all values beyond the limit belong to this side. */
  readonly beyond: 'below' | 'above' | undefined;
  readonly words: string;
}

/** A limit of a numeric test. The test has different results on its two sides. */
export interface Border {
  readonly rule: Rule;
  readonly leaf: Leaf;
  readonly reference: Extract<FactReference, { kind: 'field' | 'derived' }>;
  readonly sides: readonly [BorderSide, BorderSide];
}

export function bordersOf(rule: Rule, vocabulary: Vocabulary, effectiveYear: number): Border[] {
  const borders: Border[] = [];
  const index = factIndex(vocabulary);
  forEachLeaf(rule.condition, (leaf) => {
    const { fact, operator, value } = leaf.written;
    const reference = index.find(fact);
    const base = parseOperator(operator)?.base;
    if (!reference || reference.kind === 'place' || !base || base.shape !== 'order') return;
    if (typeof value !== 'number' || valueFact(value)) return;
    const range = rangeOf(reference, effectiveYear);
    if (!range) return;
    // "greater than 15" changes between 15 and 16; "less than 15" between 14 and 15.
    const above = base.name === 'greaterThan' || base.name === 'lessThanInclusive';
    const step = above ? 1 : -1;
    const limit = range.integer ? (above ? Math.floor(value) : Math.ceil(value)) : value;
    const other = range.integer ? limit + step : value + step * Math.min(1, Math.max(0.01, Math.abs(value) / 100));
    if ([limit, other].some((each) => each < range.min || each > range.max)) return;
    const beyond = range.integer ? undefined : above ? ('above' as const) : ('below' as const);
    borders.push({
      rule,
      leaf,
      reference,
      sides: [
        { value: limit, beyond: undefined, words: `${fact} ${limit}` },
        { value: other, beyond, words: beyond ? `${fact} ${beyond} ${limit}` : `${fact} ${other}` },
      ],
    });
  });
  return borders;
}

function rangeOf(reference: Border['reference'], effectiveYear: number) {
  if (reference.kind === 'derived') return reference.derived.range;
  const domain = reference.field.domain({ effectiveYear });
  return domain.kind === 'numbers' ? domain : undefined;
}

/** True if a home has a value of the side, and the test of the border alone decides whether the rule holds. */
export function reaches(side: BorderSide, border: Border, facts: Facts): boolean {
  const value = facts.get(border.leaf.written.fact);
  if (typeof value !== 'number') return false;
  const limit = border.sides[0].value;
  const isOnSide =
    side.beyond === 'above' ? value > limit : side.beyond === 'below' ? value < limit : value === side.value;
  return isOnSide && decides(border.leaf, border.rule.condition, facts);
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
