import { type Leaf, type Tree, valueFact } from '../condition/condition.ts';
import { factIndex } from '../vocabulary/fact-index.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** What a condition comes to when it is written as AND-terms, any of which makes it true. */
export interface TermCount {
  /** At most so many terms. */
  readonly terms: number;
  /** The one axis that its one term tests, where it is no more than that. */
  readonly axis: string | undefined;
}

/** Counts terms, and all that were written on the way to them. */
export interface TermCounter {
  of(tree: Tree): number;
  /** Terms of all conditions counted so far, and of all their parts; a part that is shared counts once. */
  written(): number;
}

/** Beyond this a count says no more than that it is too large. */
const COUNTED = 1e15;

/**
 * Counts terms before any is written, from above: tests of one field in one `any` are one term. What it
 * costs grows with the text of the conditions, not with their terms.
 */
export function createTermCounter(vocabulary: Vocabulary): TermCounter {
  const known = [new Map<Tree, TermCount>(), new Map<Tree, TermCount>()] as const;
  const index = factIndex(vocabulary);
  let written = 0;
  const axisOf = (leaf: Leaf): string | undefined => {
    const reference = valueFact(leaf.value) ? undefined : index.find(leaf.fact);
    if (!reference) return undefined;
    return reference.kind === 'place'
      ? reference.name === 'policy_type'
        ? 'policy type'
        : 'place'
      : reference.field.name;
  };
  const count = (tree: Tree, isNegated: boolean): TermCount => {
    const before = known[isNegated ? 1 : 0].get(tree);
    if (before) return before;
    const found = countNew(tree, isNegated);
    written += found.terms;
    known[isNegated ? 1 : 0].set(tree, found);
    return found;
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
  for (const part of parts) terms = Math.min(COUNTED, terms * part.terms);
  return { terms, axis: sharedAxis(parts) };
}

function countSome(parts: readonly TermCount[]): TermCount {
  const axes = new Set<string>();
  let terms = 0;
  for (const part of parts) {
    if (part.axis === undefined) terms += part.terms;
    else axes.add(part.axis);
  }
  return { terms: Math.min(COUNTED, Math.max(1, terms + axes.size)), axis: sharedAxis(parts) };
}

function sharedAxis(parts: readonly TermCount[]): string | undefined {
  const axis = parts[0]?.axis;
  return parts.every((part) => part.axis === axis) ? axis : undefined;
}
