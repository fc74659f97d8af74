import type { Leaf, Tree } from '../condition/condition.ts';
import { type CellSet, isSame, union } from './cell-set.ts';
import { conjoin, isImpossible, type Term } from './term.ts';
import { widestTerms } from './widest-terms.ts';

export class TooManyTerms extends Error {
  override readonly name = 'TooManyTerms';
}

export interface Expansion {
  /** The terms of one test: none if it never holds, one without parts if it always holds. */
  readonly termsOf: (leaf: Leaf, negated: boolean) => readonly Term[];
  readonly cap: number;
  /** True to drop impossible terms and terms inside others. False for test-by-test truth (Kleene logic). */
  readonly normalize: boolean;
  readonly fullOf: (axis: number) => CellSet;
}

/** Converts a tree to AND-terms, any of which makes it true. Throws `TooManyTerms` over the cap. */
export type Expander = (tree: Tree) => readonly Term[];

/** Cached: a shared condition is expanded once. */
export function createExpander(expansion: Expansion): Expander {
  const cache = { plain: new Map<Tree, readonly Term[]>(), negated: new Map<Tree, readonly Term[]>() };
  const walk = (tree: Tree, isNegated: boolean): readonly Term[] => {
    const cached = (isNegated ? cache.negated : cache.plain).get(tree);
    if (cached) return cached;
    const terms = write(tree, isNegated);
    (isNegated ? cache.negated : cache.plain).set(tree, terms);
    return terms;
  };
  const write = (tree: Tree, isNegated: boolean): readonly Term[] => {
    switch (tree.kind) {
      case 'leaf':
        return expansion.termsOf(tree, isNegated);
      case 'not':
        return walk(tree.of, !isNegated);
      default: {
        // An empty list is true, both in `all` and in `any`.
        if (tree.of.length === 0) return isNegated ? [] : [[]];
        const parts = tree.of.map((child) => walk(child, isNegated));
        return (tree.kind === 'all') !== isNegated ? every(parts, expansion) : some(parts, expansion);
      }
    }
  };
  return (tree) => walk(tree, false);
}

function some(parts: readonly (readonly Term[])[], expansion: Expansion): readonly Term[] {
  const terms: Term[] = [];
  for (const part of parts) for (const term of part) terms.push(term);
  const united = expansion.normalize ? uniteSingles(terms, expansion.fullOf) : terms;
  if (united.length > expansion.cap) throw new TooManyTerms();
  return simplify(united, expansion);
}

function every(parts: readonly (readonly Term[])[], expansion: Expansion): readonly Term[] {
  let product: readonly Term[] = [[]];
  // Factors with one term narrow the product, so they come first.
  for (const factors of [...parts].sort((a, b) => a.length - b.length)) {
    if (product.length * factors.length > expansion.cap) throw new TooManyTerms();
    const terms = product.flatMap((term) => factors.map((factor) => conjoin(term, factor)));
    product = factors.length > 1 ? simplify(terms, expansion) : removeImpossible(terms, expansion);
  }
  return product;
}

/** Merges terms that test a single common axis. */
function uniteSingles(terms: readonly Term[], fullOf: Expansion['fullOf']): Term[] {
  const places = new Map<number, number>();
  const united: Term[] = [];
  for (const term of terms) {
    const [part] = term;
    const place = term.length === 1 ? places.get(part!.axis) : undefined;
    if (place !== undefined) {
      const cells = union(united[place]![0]!.cells, part!.cells);
      united[place] = [{ axis: part!.axis, cells, leaves: [] }];
    } else {
      united.push(term);
      if (term.length === 1) places.set(part!.axis, united.length - 1);
    }
  }
  return united.map((term) => (term.length === 1 && isSame(term[0]!.cells, fullOf(term[0]!.axis)) ? [] : term));
}

function removeImpossible(terms: readonly Term[], { normalize }: Expansion): readonly Term[] {
  return normalize ? terms.filter((term) => !isImpossible(term)) : terms;
}

function simplify(terms: readonly Term[], expansion: Expansion): readonly Term[] {
  const remaining = removeImpossible(terms, expansion);
  return expansion.normalize && remaining.length > 1 ? widestTerms(remaining) : remaining;
}
