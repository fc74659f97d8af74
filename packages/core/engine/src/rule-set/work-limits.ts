import { type Fault, quoteValue } from '@leeward/terms';
import { forEachLeaf, type Leaf, type Tree, valueFact } from '../condition/condition.ts';
import { parseOperator } from '../condition/operators.ts';
import { factIndex } from '../vocabulary/fact-index.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Rule } from './rule-set.ts';
import { createTermCounter } from './term-count.ts';

/** How much work the rules of one file may make for whoever judges by them. */
export interface WorkLimits {
  /** AND-terms that one rule may come to; absent: such a rule set is judged by the reference. */
  readonly maxTermsOfRule?: number;
  /** Terms of all rules. */
  readonly maxTerms: number;
  /** Terms written on the way to them. */
  readonly maxTermsWritten: number;
  /** Terms × cells, a cell being what lies between two values that some rule names, or one such value. */
  readonly maxTermCells: number;
  /** Comparisons of lists that are taken apart by `someValue:` and `everyValue:`. */
  readonly maxComparisons: number;
}

/** Rules that are compiled at all come to no more terms each. */
export const MAX_TERMS_OF_COMPILED_RULE = 1024;

/** Of files from strangers: milliseconds to compile, and a megabyte or two. */
export const strangerLimits: WorkLimits = {
  maxTermsOfRule: MAX_TERMS_OF_COMPILED_RULE,
  maxTerms: 4096,
  maxTermsWritten: 32_768,
  maxTermCells: 8_000_000,
  maxComparisons: 1_000_000,
};

/** Of an operator's own files: seconds to compile, and some hundred megabytes. */
export const operatorLimits: WorkLimits = {
  maxTerms: 100_000,
  maxTermsWritten: 2_000_000,
  maxTermCells: 1_000_000_000,
  maxComparisons: 200_000_000,
};

/**
 * Finds rules that would cost more than the limits to judge by, before anything is compiled. Each fault names the
 * rule (or the file), the count and the limit.
 */
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
  const refuse = (count: number, most: number, what: string) => {
    if (count <= most) return;
    const message = `The rules come to ${count} ${what}; at most ${most} are accepted. ${largest(rules, counter.of)}`;
    faults.push({ path: '', code, message });
  };
  refuse(terms, limits.maxTerms, 'combinations of tests');
  if (faults.length === 0) refuse(counter.written(), limits.maxTermsWritten, 'combinations of tests, parts included');
  if (faults.length > 0) return faults;
  const { cells, comparisons } = countCells(rules, vocabulary);
  refuse(terms * cells, limits.maxTermCells, 'combinations of tests times different values');
  refuse(comparisons, limits.maxComparisons, 'comparisons in lists under someValue or everyValue');
  return faults;
}

function largest(rules: readonly Rule[], termsOf: (tree: Tree) => number): string {
  let most: Rule | undefined;
  for (const rule of rules) if (!most || termsOf(rule.condition) > termsOf(most.condition)) most = rule;
  return most ? `The largest is ${quoteValue(most.id)} with ${termsOf(most.condition)}.` : '';
}

/** Into how many cells the tests cut their fields, from above. */
function countCells(rules: readonly Rule[], vocabulary: Vocabulary): { cells: number; comparisons: number } {
  const index = factIndex(vocabulary);
  const constants = new Map<string, Set<unknown>>();
  const lists: { readonly field: string; readonly length: number }[] = [];
  const seen = new Set<Tree>();
  const visit = (leaf: Leaf) => {
    const reference = index.find(leaf.fact);
    if (!reference || valueFact(leaf.value)) return;
    const field = reference.kind === 'place' ? 'place' : reference.field.name;
    const known = constants.get(field) ?? new Set();
    constants.set(field, known);
    // A list within a list has no more values than it is long.
    const values = [leaf.value].flat(4);
    for (const value of values) known.add(reference.kind === 'derived' ? `${reference.derived.name} ${value}` : value);
    const takesApart = parseOperator(leaf.operator)?.decorators.some((each) => each.endsWith('Value'));
    if (takesApart) lists.push({ field, length: values.length });
  };
  for (const rule of rules) {
    forEachLeaf(rule.condition, visit, seen);
  }
  const cellsOf = (field: string): number => {
    const most = 2 * (constants.get(field)?.size ?? 0) + 1;
    const domain = vocabulary.fields.find((each) => each.name === field)?.domain({ effectiveYear: 2200 });
    if (!domain) return most;
    if (domain.kind === 'words') return domain.words.length;
    return domain.integer ? Math.min(most, domain.max - domain.min + 1) : most;
  };
  let cells = 0;
  for (const field of constants.keys()) cells += cellsOf(field);
  let comparisons = 0;
  for (const { field, length } of lists) comparisons += length * cellsOf(field);
  return { cells, comparisons };
}
