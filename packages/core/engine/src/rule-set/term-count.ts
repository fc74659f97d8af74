import { type Leaf, type Tree, valueFact } from '../condition/condition.ts';
import { factIndex } from '../vocabulary/fact-index.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** Size of a condition in disjunctive normal form: AND-terms, any of which makes it true. */
export interface TermCount {
  /** Upper bound of the number of terms. */
  readonly terms: number;
  /** The only axis that a single term tests; undefined otherwise. */
  readonly axis: string | undefined;
}

export interface TermCounter {
  of(tree: Tree): number;
  /** Number of terms of all counted conditions and of their parts. Shared parts count once. */
  written(): number;
}

const MAX_COUNT = 1e15;

/**
 * Counts terms without building them. Counts are upper bounds; tests of one field in one `any` are one term. The cost is proportional to
 * the text of the conditions, not to the number of terms.
 */
export function createTermCounter(vocabulary: Vocabulary): TermCounter {
  const caches = [new Map<Tree, TermCount>(), new Map<Tree, TermCount>()] as const;
  const index = factIndex(vocabulary);
  let written = 0;
  const axisOf = (leaf: Leaf): string | undefined => {
    if (leaf.computed) return leaf.fact;
    const reference = valueFact(leaf.value) ? undefined : index.find(leaf.fact);
    if (!reference) return undefined;
    return reference.kind === 'place'
      ? reference.name === 'policy_type'
        ? 'policy type'
        : 'place'
      : reference.field.name;
  };
  const count = (tree: Tree, isNegated: boolean): TermCount => {
    const cached = caches[isNegated ? 1 : 0].get(tree);
    if (cached) return cached;
    const result = countNew(tree, isNegated);
    written += result.terms;
    caches[isNegated ? 1 : 0].set(tree, result);
    return result;
  };
  const countNew = (tree: Tree, isNegated: boolean): TermCount => {
    if (tree.kind === 'leaf') return { terms: 1, axis: axisOf(tree) };
    if (tree.kind === 'not') return count(tree.of, !isNegated);
    const parts = tree.of.map((part) => count(part, isNegated));
    return (tree.kind === 'all') !== isNegated ? countEvery(parts) : countSome(parts);
  };
  return { of: (tree) => count(tree, false).terms, written: () => written };
}

function countEvery(parts: readonly TermCount[]): TermCount {
  let terms = 1;
  for (const part of parts) terms = Math.min(MAX_COUNT, terms * part.terms);
  return { terms, axis: sharedAxis(parts) };
}

function countSome(parts: readonly TermCount[]): TermCount {
  const axes = new Set<string>();
  let terms = 0;
  for (const part of parts) {
    if (part.axis === undefined) terms += part.terms;
    else axes.add(part.axis);
  }
  return { terms: Math.min(MAX_COUNT, Math.max(1, terms + axes.size)), axis: sharedAxis(parts) };
}

function sharedAxis(parts: readonly TermCount[]): string | undefined {
  const axis = parts[0]?.axis;
  return parts.every((part) => part.axis === axis) ? axis : undefined;
}
