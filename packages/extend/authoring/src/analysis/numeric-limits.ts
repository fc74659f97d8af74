import type { Rule, Vocabulary } from '@leeward/engine';
import {
  type FactReference,
  factIndex,
  forEachLeaf,
  type LeafCondition,
  parseOperator,
  rangeOf,
  unitOf,
  valueFact,
} from '@leeward/engine/compiled';
import { wordsOfTest } from '../finding/words-of-term.ts';

/** A number that a rule compares a fact with, as written in the file. */
export interface NumericLimit {
  readonly written: LeafCondition;
  /** The test as a sentence: `age of the roof is more than 15 years`. */
  readonly words: string;
  readonly reference: Exclude<FactReference, { kind: 'place' }>;
  readonly fact: string;
  readonly label: string;
  readonly unit: string | undefined;
  readonly value: number;
  readonly isWhole: boolean;
  /**
   * The two neighboring values between which the result of the test changes. They are equal if the fact is not a whole number. Undefined
   * for a test of equality.
   */
  readonly cut: { readonly below: number; readonly above: number } | undefined;
}

const cache = new WeakMap<Vocabulary, WeakMap<Rule, readonly NumericLimit[]>>();

/** Excludes facts in another form, such as dates. Cached per rule. */
export function numericLimits(rule: Rule, vocabulary: Vocabulary): readonly NumericLimit[] {
  const byRule = cache.get(vocabulary) ?? new WeakMap<Rule, readonly NumericLimit[]>();
  cache.set(vocabulary, byRule);
  const limits = byRule.get(rule) ?? findLimits(rule, vocabulary);
  byRule.set(rule, limits);
  return limits;
}

function findLimits(rule: Rule, vocabulary: Vocabulary): NumericLimit[] {
  const limits: NumericLimit[] = [];
  const index = factIndex(vocabulary);
  forEachLeaf(rule.condition, (leaf) => {
    const { written } = leaf;
    const reference = index.find(written.fact);
    if (!reference || reference.kind === 'place' || valueFact(written.value)) return;
    if (reference.kind === 'field' && reference.field.form) return;
    const { label } = reference.kind === 'derived' ? reference.derived : reference.field;
    for (const value of [written.value].flat()) {
      if (typeof value !== 'number') continue;
      const whole = rangeOf(reference)?.integer ?? false;
      const cut = cutOf(written.operator, value, whole);
      const { fact } = written;
      const words = wordsOfTest(leaf, vocabulary);
      limits.push({ written, words, reference, fact, label, unit: unitOf(reference), value, isWhole: whole, cut });
    }
  });
  return limits;
}

function cutOf(operator: string, value: number, whole: boolean): NumericLimit['cut'] {
  const parsed = parseOperator(operator);
  if (parsed?.base.shape !== 'order') return undefined;
  if (!whole) return { below: value, above: value };
  // `swap` exchanges both sides: 15 > age.
  const isSwapped = parsed.decorators.filter((each) => each === 'swap').length % 2 === 1;
  const isBelow = (parsed.base.name === 'lessThan' || parsed.base.name === 'greaterThanInclusive') !== isSwapped;
  return isBelow
    ? { below: Math.ceil(value) - 1, above: Math.ceil(value) }
    : { below: Math.floor(value), above: Math.floor(value) + 1 };
}
