import { type Fault, quoteValue } from '@leeward/terms';
import { forEachLeaf, type Leaf, type Tree, valueFact } from '../condition/condition.ts';
import { parseOperator } from '../condition/operators.ts';
import { factIndex } from '../vocabulary/fact-index.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Rule } from './rule-set.ts';
import { forEachLeafOfRule } from './rule-trees.ts';
import { createTermCounter } from './term-count.ts';

/** Limits on the work that the rules of one file cause. */
export interface WorkLimits {
  /** Maximum number of AND-terms of a rule. @default unlimited: json-rules-engine evaluates such a rule set */
  readonly maxTermsOfRule?: number;
  /** Maximum number of terms of all rules. */
  readonly maxTerms: number;
  /** Maximum number of terms including intermediate ones. */
  readonly maxTermsWritten: number;
  /** Maximum product of terms and cells. A cell is a value that some rule names, or the gap between two. */
  readonly maxTermCells: number;
  /** Maximum number of different computed facts: counts, sums, arithmetic. */
  readonly maxComputed: number;
  /** Maximum number of comparisons of lists under `someValue:` and `everyValue:`. */
  readonly maxComparisons: number;
}

export const MAX_TERMS_OF_COMPILED_RULE = 1024;

/** Limits for untrusted authors: milliseconds to compile, and a few megabytes. */
export const strangerLimits: WorkLimits = {
  maxTermsOfRule: MAX_TERMS_OF_COMPILED_RULE,
  maxTerms: 4096,
  maxTermsWritten: 32_768,
  maxTermCells: 8_000_000,
  maxComputed: 50,
  maxComparisons: 1_000_000,
};

/** Limits for files of the operator: seconds to compile, and some hundred megabytes. */
export const operatorLimits: WorkLimits = {
  maxTerms: 100_000,
  maxTermsWritten: 2_000_000,
  maxTermCells: 1_000_000_000,
  maxComputed: 2_000,
  maxComparisons: 200_000_000,
};

/** Finds rules that exceed the limits, before compiling. Each fault names the rule (or the file), the count and the limit. */
export function workFaults(rules: readonly Rule[], vocabulary: Vocabulary, limits: WorkLimits): Fault[] {
  const faults: Fault[] = [];
  const counter = createTermCounter(vocabulary);
  let terms = 0;
  const code = 'expansion_too_large';
  const { maxTermsOfRule = Number.POSITIVE_INFINITY } = limits;
  for (const rule of rules) {
    const own = counter.of(rule.condition);
    if (own > MAX_TERMS_OF_COMPILED_RULE && limits.maxTermsOfRule === undefined) return [];
    terms += own;
    if (own <= maxTermsOfRule) continue;
    const message = `The rule ${quoteValue(rule.id)} comes to ${own} combinations of tests; at most ${maxTermsOfRule} are accepted. Split it, or test lists of values with "in".`;
    faults.push({ path: rule.path, code, message });
  }
  if (faults.length > 0) return faults;
  const refuse = (count: number, max: number, what: string) => {
    if (count <= max) return;
    const message = `The rules come to ${count} ${what}; at most ${max} are accepted. ${largest(rules, counter.of)}`;
    faults.push({ path: '', code, message });
  };
  refuse(terms, limits.maxTerms, 'combinations of tests');
  if (faults.length === 0) refuse(counter.written(), limits.maxTermsWritten, 'combinations of tests, parts included');
  if (faults.length > 0) return faults;
  refuse(countComputed(rules), limits.maxComputed, 'different computed numbers');
  if (faults.length > 0) return faults;
  const { cells, comparisons } = countCells(rules, vocabulary);
  refuse(terms * cells, limits.maxTermCells, 'combinations of tests times different values');
  refuse(comparisons, limits.maxComparisons, 'comparisons in lists under someValue or everyValue');
  return faults;
}

function countComputed(rules: readonly Rule[]): number {
  const names = new Set<string>();
  const visited = new Set<Tree>();
  for (const rule of rules) {
    forEachLeafOfRule(rule, (leaf) => leaf.computed && names.add(leaf.fact), visited);
  }
  return names.size;
}

function largest(rules: readonly Rule[], termsOf: (tree: Tree) => number): string {
  let largestRule: Rule | undefined;
  for (const rule of rules)
    if (!largestRule || termsOf(rule.condition) > termsOf(largestRule.condition)) largestRule = rule;
  return largestRule ? `The largest is ${quoteValue(largestRule.id)} with ${termsOf(largestRule.condition)}.` : '';
}

function countCells(rules: readonly Rule[], vocabulary: Vocabulary): { cells: number; comparisons: number } {
  const index = factIndex(vocabulary);
  const constants = new Map<string, Set<unknown>>();
  const lists: { readonly field: string; readonly length: number }[] = [];
  const visited = new Set<Tree>();
  const visit = (leaf: Leaf) => {
    const reference = index.find(leaf.fact);
    if (leaf.computed) {
      const distinct = constants.get(leaf.fact) ?? new Set();
      constants.set(leaf.fact, distinct);
      for (const value of [leaf.value].flat()) distinct.add(value);
      return;
    }
    if (!reference || valueFact(leaf.value)) return;
    const field = reference.kind === 'place' ? 'place' : reference.field.name;
    const distinct = constants.get(field) ?? new Set();
    constants.set(field, distinct);
    const values = [leaf.value].flat(4);
    for (const value of values)
      distinct.add(reference.kind === 'derived' ? `${reference.derived.name} ${value}` : value);
    const takesApart = parseOperator(leaf.operator)?.decorators.some((each) => each.endsWith('Value'));
    if (takesApart) lists.push({ field, length: values.length });
  };
  for (const rule of rules) {
    forEachLeaf(rule.condition, visit, visited);
  }
  const cellsOf = (field: string): number => {
    const maxCells = 2 * (constants.get(field)?.size ?? 0) + 1;
    const domain = vocabulary.fields.find((each) => each.name === field)?.domain({ effectiveYear: 2200 });
    if (!domain) return maxCells;
    if (domain.kind === 'words') return domain.words.length;
    return domain.integer ? Math.min(maxCells, domain.max - domain.min + 1) : maxCells;
  };
  let cells = 0;
  for (const field of constants.keys()) cells += cellsOf(field);
  let comparisons = 0;
  for (const { field, length } of lists) comparisons += length * cellsOf(field);
  return { cells, comparisons };
}
