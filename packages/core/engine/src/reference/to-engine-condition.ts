import type { TopLevelCondition } from 'json-rules-engine';
import type { Leaf, Tree } from '../condition/condition.ts';

type Side = 'definitely' | 'possibly';
const other = { definitely: 'possibly', possibly: 'definitely' } as const;

/** Converts a tree to a condition of json-rules-engine, with each test under the decorator of its side. A `not` switches the side. */
export function toEngineCondition(tree: Tree, side: Side): TopLevelCondition {
  const condition = convert(tree, side);
  return (tree.kind === 'leaf' ? { all: [condition] } : condition) as TopLevelCondition;
}

function convert(tree: Tree, side: Side): Record<string, unknown> {
  switch (tree.kind) {
    case 'leaf':
      return leafCondition(tree, `${side}:`);
    case 'not':
      return { not: convert(tree.of, other[side]) };
    default:
      return { [tree.kind]: tree.of.map((child) => convert(child, side)) };
  }
}

export function leafCondition(leaf: Leaf, prefix = ''): Record<string, unknown> {
  return {
    fact: leaf.fact,
    operator: `${prefix}${leaf.operator}`,
    value: leaf.value,
    ...(leaf.path === undefined ? {} : { path: leaf.path }),
    ...(leaf.params === undefined ? {} : { params: leaf.params }),
  };
}
