import type { Leaf, Tree } from '../condition/condition.ts';
import { conjoin, isImpossible, type Term, withoutRedundant } from './term.ts';

/** A condition that expands into more terms than the cap. */
export class TooManyTerms extends Error {
  override readonly name = 'TooManyTerms';
}

export interface Expansion {
  /** The terms of one test: none where it can never hold, one without parts where it always does. */
  readonly termsOf: (leaf: Leaf, negated: boolean) => readonly Term[];
  readonly cap: number;
  /** Drops terms that no value meets and terms inside others. Off for leaf-by-leaf (Kleene) truth. */
  readonly normalize: boolean;
}

/** Writes a tree as a list of AND-terms, any of which makes it true. Throws `TooManyTerms` over the cap. */
export function expand(tree: Tree, expansion: Expansion): readonly Term[] {
  return walk(tree, false, expansion);
}

function walk(tree: Tree, negated: boolean, expansion: Expansion): readonly Term[] {
  switch (tree.kind) {
    case 'leaf':
      return expansion.termsOf(tree, negated);
    case 'not':
      return walk(tree.of, !negated, expansion);
    default:
      // An empty list is true, of either kind.
      if (tree.of.length === 0) return negated ? [] : [[]];
      return (tree.kind === 'all') !== negated ? every(tree.of, negated, expansion) : some(tree.of, negated, expansion);
  }
}

function some(children: readonly Tree[], negated: boolean, expansion: Expansion): readonly Term[] {
  const terms: Term[] = [];
  for (const child of children) {
    terms.push(...walk(child, negated, expansion));
    if (terms.length > expansion.cap) throw new TooManyTerms();
  }
  return tidy(terms, expansion);
}

function every(children: readonly Tree[], negated: boolean, expansion: Expansion): readonly Term[] {
  let product: readonly Term[] = [[]];
  for (const child of children) {
    const factors = walk(child, negated, expansion);
    if (product.length * factors.length > expansion.cap) throw new TooManyTerms();
    product = tidy(
      product.flatMap((term) => factors.map((factor) => conjoin(term, factor))),
      expansion,
    );
  }
  return product;
}

function tidy(terms: readonly Term[], { normalize }: Expansion): readonly Term[] {
  if (!normalize) return terms;
  const possible = terms.filter((term) => !isImpossible(term));
  return possible.length > 1 ? withoutRedundant(possible) : possible;
}
