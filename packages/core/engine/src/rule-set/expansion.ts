import type { Tree } from '../condition/condition.ts';

/** What a tree comes to once its shared conditions are written out. */
export interface Expansion {
  /** Nodes, tests included. */
  readonly size: number;
  /** Levels from the root to the deepest test. */
  readonly depth: number;
}

/**
 * Measures trees and remembers what it measured: where every shared condition is measured before those
 * that name it, neither a long chain nor one that doubles at each step costs more than its text.
 */
export function createExpansionMeasure(): (tree: Tree) => Expansion {
  const known = new Map<Tree, Expansion>();
  const measure = (tree: Tree): Expansion => {
    const before = known.get(tree);
    if (before) return before;
    const parts = tree.kind === 'leaf' ? [] : tree.kind === 'not' ? [tree.of] : tree.of;
    let size = 1;
    let depth = 1;
    for (const part of parts) {
      const inner = measure(part);
      size += inner.size;
      depth = Math.max(depth, inner.depth + 1);
    }
    const expansion = { size, depth };
    known.set(tree, expansion);
    return expansion;
  };
  return measure;
}
