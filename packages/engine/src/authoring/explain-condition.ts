import { countyByFips } from '@leeward/places/counties';
import { type Leaf, type Tree, valueFact } from '../condition/condition.ts';
import { parseOperator } from '../condition/operators.ts';
import { treeTruth } from '../condition/tree-truth.ts';
import type { Facts } from '../verdict/facts.ts';
import { printFact } from '../verdict/message.ts';
import type { Truth } from '../verdict/truth.ts';
import { factIndex, type Vocabulary } from '../vocabulary/vocabulary.ts';

/** A condition as it came out for one home: each part in words, with the value that was found. */
export interface ExplainedCondition {
  readonly truth: Truth;
  readonly words: string;
  readonly of: readonly ExplainedCondition[];
}

export function explainCondition(tree: Tree, facts: Facts, vocabulary: Vocabulary): ExplainedCondition {
  const truth = treeTruth(tree, facts);
  switch (tree.kind) {
    case 'leaf':
      return { truth, words: `${testInWords(tree, vocabulary)} (${foundInWords(tree, facts, vocabulary)})`, of: [] };
    case 'not':
      return { truth, words: 'not', of: [explainCondition(tree.of, facts, vocabulary)] };
    default: {
      const words =
        tree.of.length === 0 ? 'always' : tree.kind === 'all' ? 'every one of these' : 'at least one of these';
      return { truth, words, of: tree.of.map((child) => explainCondition(child, facts, vocabulary)) };
    }
  }
}

/** "age of the roof is more than 15", from what the author wrote. */
export function testInWords({ written }: Leaf, vocabulary: Vocabulary): string {
  const parsed = parseOperator(written.operator);
  const other = valueFact(written.value);
  const right = other
    ? labelOf(other.fact, vocabulary)
    : [written.value]
        .flat()
        .map((value) => printValue(written.fact, value, vocabulary))
        .join(', ');
  const operator = parsed
    ? [...parsed.decorators.map((each) => `(${each})`), parsed.base.words].join(' ')
    : written.operator;
  return `${labelOf(written.fact, vocabulary)} ${operator} ${right}${unitOf(written.fact, vocabulary)}`;
}

function foundInWords({ written }: Leaf, facts: Facts, vocabulary: Vocabulary): string {
  const print = (fact: string) => {
    const value = facts.get(fact);
    return value === undefined ? 'not given' : `it is ${printFact(fact, value, vocabulary)}`;
  };
  const other = valueFact(written.value);
  return other
    ? `${print(written.fact)}; ${labelOf(other.fact, vocabulary)}: ${print(other.fact)}`
    : print(written.fact);
}

function printValue(fact: string, value: unknown, vocabulary: Vocabulary): string {
  if (fact === 'county' && typeof value === 'string') return countyByFips(value)?.label ?? value;
  return printFact(fact, value, vocabulary);
}

function labelOf(fact: string, vocabulary: Vocabulary): string {
  const reference = factIndex(vocabulary).find(fact);
  if (!reference || reference.kind === 'place') return fact.replaceAll('_', ' ');
  return reference.kind === 'derived' ? reference.derived.label : reference.field.label;
}

function unitOf(fact: string, vocabulary: Vocabulary): string {
  const reference = factIndex(vocabulary).find(fact);
  if (!reference || reference.kind === 'place') return '';
  const { unit } = reference.kind === 'derived' ? reference.derived : reference.field;
  return unit === undefined || unit === 'year' || unit === 'claims' ? '' : ` ${unit}`;
}
