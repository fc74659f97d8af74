import { sizeOfComputed, type Tree } from '../condition/condition.ts';

/** Size of a tree with its shared conditions expanded. */
export interface Expansion {
  readonly size: number;
  readonly depth: number;
}

/**
 * Measures trees and caches the results. If shared conditions are measured before the conditions that name them, the cost is
 * proportional to the text, even for an exponential expansion.
 */
export function createExpansionMeasure(): (tree: Tree) => Expansion {
  const cache = new Map<Tree, Expansion>();
  const measure = (tree: Tree): Expansion => {
    const cached = cache.get(tree);
    if (cached) return cached;
    const parts = tree.kind === 'leaf' ? [] : tree.kind === 'not' ? [tree.of] : tree.of;
    let size = tree.kind === 'leaf' && tree.computed ? sizeOfComputed(tree.computed) : 1;
    let depth = 1;
    for (const part of parts) {
      const inner = measure(part);
      size += inner.size;
      depth = Math.max(depth, inner.depth + 1);
    }
    const expansion = { size, depth };
    cache.set(tree, expansion);
    return expansion;
  };
  return measure;
}
