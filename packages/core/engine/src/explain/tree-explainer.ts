import type { Leaf, Tree } from '../condition/condition.ts';
import { negate, type Truth } from '../condition/truth.ts';
import type { ExplainedTest, ExplainedTree } from './explanation.ts';

const MAX_NODES = 2000;
const MAX_TESTS = 200;

export interface TreeExplainer {
  explain(tree: Tree): ExplainedTree;
  /**
   * The tests that determine the truth of a condition, each once. If a rule is more certain than its separate tests, the undecided
   * tests.
   */
  decisive(tree: Tree): readonly ExplainedTest[];
}

/** Each shared condition is evaluated once. */
export function createTreeExplainer(
  truthOfLeaf: (leaf: Leaf) => Truth,
  explainTest: (leaf: Leaf, truth: Truth) => ExplainedTest,
): TreeExplainer {
  const truths = new Map<Tree, Truth>();
  const truthOf = (tree: Tree): Truth => {
    const cached = truths.get(tree);
    if (cached) return cached;
    const truth = tree.kind === 'leaf' ? truthOfLeaf(tree) : truthOfGroup(tree, truthOf);
    truths.set(tree, truth);
    return truth;
  };

  const explainNode = (tree: Tree, budget: { nodes: number }): ExplainedTree => {
    budget.nodes--;
    const truth = truthOf(tree);
    if (tree.kind === 'leaf') return { kind: 'test', ...explainTest(tree, truth) };
    const of = tree.kind === 'not' ? [tree.of] : tree.of;
    const children: ExplainedTree[] = [];
    for (const child of of) {
      if (budget.nodes <= 0) return { kind: tree.kind, truth, children, truncated: true };
      children.push(explainNode(child, budget));
    }
    return { kind: tree.kind, truth, children };
  };

  const collect = (tree: Tree, leaves: Set<Leaf>, visited: Set<Tree>): void => {
    if (visited.has(tree) || leaves.size >= MAX_TESTS) return;
    visited.add(tree);
    if (tree.kind === 'leaf') leaves.add(tree);
    else if (tree.kind === 'not') collect(tree.of, leaves, visited);
    else {
      // Every child matters for a true `all` or a false `any`; otherwise only the children with the same truth.
      const truth = truthOf(tree);
      const every = truth === (tree.kind === 'all' ? 'true' : 'false');
      for (const child of tree.of) if (every || truthOf(child) === truth) collect(child, leaves, visited);
    }
  };

  return {
    explain: (tree) => explainNode(tree, { nodes: MAX_NODES }),
    decisive(tree) {
      const leaves = new Set<Leaf>();
      collect(tree, leaves, new Set());
      return [...leaves].map((leaf) => explainTest(leaf, truthOf(leaf)));
    },
  };
}

function truthOfGroup(tree: Exclude<Tree, Leaf>, truthOf: (tree: Tree) => Truth): Truth {
  if (tree.kind === 'not') return negate(truthOf(tree.of));
  // json-rules-engine calls an empty list true, of either kind.
  if (tree.of.length === 0) return 'true';
  const decisive: Truth = tree.kind === 'all' ? 'false' : 'true';
  let truth = negate(decisive);
  for (const child of tree.of) {
    const each = truthOf(child);
    if (each === decisive) return decisive;
    if (each === 'undecided') truth = each;
  }
  return truth;
}
