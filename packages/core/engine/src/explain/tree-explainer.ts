import type { Leaf, Tree } from '../condition/condition.ts';
import { negate, type Truth } from '../condition/truth.ts';
import type { ExplainedTest, ExplainedTree } from './explanation.ts';

/** Nodes of a rule that are told: more would be read by nobody. */
const MAX_NODES = 2000;
const MAX_TESTS = 200;

export interface TreeExplainer {
  /** The whole condition. */
  explain(tree: Tree): ExplainedTree;
  /**
   * The tests on which the truth of a condition rests, each once. Where a rule is surer than its tests are
   * one by one, they are those left undecided.
   */
  decisive(tree: Tree): readonly ExplainedTest[];
}

/** Makes an explainer from the truth of single tests. Each shared condition is judged once. */
export function createTreeExplainer(
  truthOfLeaf: (leaf: Leaf) => Truth,
  explainTest: (leaf: Leaf, truth: Truth) => ExplainedTest,
): TreeExplainer {
  const truths = new Map<Tree, Truth>();
  const truthOf = (tree: Tree): Truth => {
    const known = truths.get(tree);
    if (known) return known;
    const truth = tree.kind === 'leaf' ? truthOfLeaf(tree) : truthOfGroup(tree, truthOf);
    truths.set(tree, truth);
    return truth;
  };

  const tell = (tree: Tree, budget: { nodes: number }): ExplainedTree => {
    budget.nodes--;
    const truth = truthOf(tree);
    if (tree.kind === 'leaf') return { kind: 'test', ...explainTest(tree, truth) };
    const of = tree.kind === 'not' ? [tree.of] : tree.of;
    const children: ExplainedTree[] = [];
    for (const child of of) {
      if (budget.nodes <= 0) return { kind: tree.kind, truth, children, truncated: true };
      children.push(tell(child, budget));
    }
    return { kind: tree.kind, truth, children };
  };

  const collect = (tree: Tree, into: Set<Leaf>, seen: Set<Tree>): void => {
    if (seen.has(tree) || into.size >= MAX_TESTS) return;
    seen.add(tree);
    if (tree.kind === 'leaf') into.add(tree);
    else if (tree.kind === 'not') collect(tree.of, into, seen);
    else {
      // What makes `all` true, or `any` false, is every child; otherwise the children that are so themselves.
      const truth = truthOf(tree);
      const every = truth === (tree.kind === 'all' ? 'true' : 'false');
      for (const child of tree.of) if (every || truthOf(child) === truth) collect(child, into, seen);
    }
  };

  return {
    explain: (tree) => tell(tree, { nodes: MAX_NODES }),
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
