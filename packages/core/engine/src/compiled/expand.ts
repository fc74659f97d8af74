import type { Leaf, Tree } from '../condition/condition.ts';
import { type CellSet, isSame, union } from './cell-set.ts';
import { conjoin, isImpossible, type Term } from './term.ts';
import { widestTerms } from './widest-terms.ts';

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
  /** All cells of an axis. */
  readonly fullOf: (axis: number) => CellSet;
}

/** Writes a tree as a list of AND-terms, any of which makes it true. Throws `TooManyTerms` over the cap. */
export type Expander = (tree: Tree) => readonly Term[];

/** Expands trees and remembers what it expanded: a condition that many rules share is written out once. */
export function createExpander(expansion: Expansion): Expander {
  const known = { plain: new Map<Tree, readonly Term[]>(), negated: new Map<Tree, readonly Term[]>() };
  const walk = (tree: Tree, isNegated: boolean): readonly Term[] => {
    const before = (isNegated ? known.negated : known.plain).get(tree);
    if (before) return before;
    const terms = write(tree, isNegated);
    (isNegated ? known.negated : known.plain).set(tree, terms);
    return terms;
  };
  const write = (tree: Tree, isNegated: boolean): readonly Term[] => {
    switch (tree.kind) {
      case 'leaf':
        return expansion.termsOf(tree, isNegated);
      case 'not':
        return walk(tree.of, !isNegated);
      default: {
        // An empty list is true, of either kind.
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
  return tidy(united, expansion);
}

function every(parts: readonly (readonly Term[])[], expansion: Expansion): readonly Term[] {
  let product: readonly Term[] = [[]];
  // What is one term multiplies nothing: it narrows first.
  for (const factors of [...parts].sort((a, b) => a.length - b.length)) {
    if (product.length * factors.length > expansion.cap) throw new TooManyTerms();
    const terms = product.flatMap((term) => factors.map((factor) => conjoin(term, factor)));
    product = factors.length > 1 ? tidy(terms, expansion) : possible(terms, expansion);
  }
  return product;
}

/** Tests of one axis alone are one test: any of their cells will do. */
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

function possible(terms: readonly Term[], { normalize }: Expansion): readonly Term[] {
  return normalize ? terms.filter((term) => !isImpossible(term)) : terms;
}

function tidy(terms: readonly Term[], expansion: Expansion): readonly Term[] {
  const left = possible(terms, expansion);
  return expansion.normalize && left.length > 1 ? widestTerms(left) : left;
}
