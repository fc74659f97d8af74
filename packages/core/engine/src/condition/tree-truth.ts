import { type Leaf, sourcesOf, type Tree, valueFact } from './condition.ts';
import { COMPUTE, type Compute, type Facts } from './fact-map.ts';
import { leafTruthOrUndecided } from './leaf-truth.ts';
import { type OperatorFunction, operatorFunction } from './operators.ts';
import { resolvePath } from './path.ts';
import { negate, type Truth } from './truth.ts';

export type FindOperator = (name: string) => OperatorFunction | undefined;

/** Test by test: `all` is the minimum of its parts in the order false, undecided, true; `any` is the maximum. */
export function treeTruth(tree: Tree, facts: Facts, find: FindOperator = operatorFunction): Truth {
  switch (tree.kind) {
    case 'leaf':
      return truthOfLeaf(tree, facts, find);
    case 'not':
      return negate(treeTruth(tree.of, facts, find));
    case 'all':
      return combine(tree.of, facts, find, 'false', 'true');
    case 'any':
      // json-rules-engine calls an empty list true, of either kind.
      return tree.of.length === 0 ? 'true' : combine(tree.of, facts, find, 'true', 'false');
  }
}

function combine(children: readonly Tree[], facts: Facts, find: FindOperator, decisive: Truth, neutral: Truth): Truth {
  let truth = neutral;
  for (const child of children) {
    const each = treeTruth(child, facts, find);
    if (each === decisive) return decisive;
    if (each === 'undecided') truth = 'undecided';
  }
  return truth;
}

/** The three-valued truth of one test. */
export function truthOfLeaf(leaf: Leaf, facts: Facts, find: FindOperator = operatorFunction): Truth {
  const test = find(leaf.operator);
  if (!test) throw new Error(`No operator "${leaf.operator}".`);
  const [left, right] = sidesOf(leaf, facts);
  return leafTruthOrUndecided(left, right, test);
}

/** Both sides of a comparison, as far as they are known. */
export function sidesOf(leaf: Leaf, facts: Facts): readonly [unknown, unknown] {
  const follow = (value: unknown, path: string | undefined) => (path === undefined ? value : resolvePath(value, path));
  if (leaf.computed) {
    const compute = facts.get(COMPUTE) as Compute | undefined;
    return [compute?.(leaf.computed), leaf.value];
  }
  const other = valueFact(leaf.value);
  const right = other ? follow(facts.get(other.fact), other.path) : leaf.value;
  return [follow(facts.get(leaf.fact), leaf.path), right];
}

/** In order of first mention. */
export function undecidedFacts(
  tree: Tree,
  facts: Facts,
  find: FindOperator = operatorFunction,
  names = new Set<string>(),
): Set<string> {
  if (treeTruth(tree, facts, find) !== 'undecided') return names;
  if (tree.kind === 'leaf') {
    if (tree.computed) {
      const compute = facts.get(COMPUTE) as Compute | undefined;
      for (const name of compute?.missing(tree.computed) ?? sourcesOf(tree.computed)) names.add(name);
      return names;
    }
    const other = valueFact(tree.value);
    for (const name of other ? [tree.fact, other.fact] : [tree.fact]) {
      const value = facts.get(name);
      if (value === undefined || (typeof value === 'object' && value !== null)) names.add(name);
    }
  } else if (tree.kind === 'not') undecidedFacts(tree.of, facts, find, names);
  else for (const child of tree.of) undecidedFacts(child, facts, find, names);
  return names;
}
