import { factsOf, forEachLeaf, type Leaf, type Tree } from '../condition/condition.ts';
import type { Rule } from './rule-set.ts';

/** Includes the tables of its terms. */
export function treesOf({ condition, demands }: Rule): readonly Tree[] {
  if (!demands) return [condition];
  return [...new Set([condition, ...demands.map((demand) => demand.condition)])];
}

/** Includes the tables of its terms. */
export function forEachLeafOfRule(rule: Rule, visit: (leaf: Leaf) => void, visited = new Set<Tree>()): void {
  for (const tree of treesOf(rule)) forEachLeaf(tree, visit, visited);
}

/** Includes the tables of its terms. */
export function factsOfRule(rule: Rule): string[] {
  return [...new Set(treesOf(rule).flatMap(factsOf))];
}
