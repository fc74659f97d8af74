import { factsOf, forEachLeaf, type Leaf, type Tree } from '../condition/condition.ts';
import type { Rule } from './rule-set.ts';

/** Returns the condition of a rule and those of the tables of its terms. */
export function treesOf({ condition, demands }: Rule): readonly Tree[] {
  if (!demands) return [condition];
  return [...new Set([condition, ...demands.map((demand) => demand.condition)])];
}

/** Visits every test of a rule, including those of the tables of its terms. */
export function forEachLeafOfRule(rule: Rule, visit: (leaf: Leaf) => void, visited = new Set<Tree>()): void {
  for (const tree of treesOf(rule)) forEachLeaf(tree, visit, visited);
}

/** Returns every fact that a rule tests, including those of the tables of its terms. */
export function factsOfRule(rule: Rule): string[] {
  return [...new Set(treesOf(rule).flatMap(factsOf))];
}
