import type { TopLevelCondition } from 'json-rules-engine';
import type { Leaf, Tree } from '../condition/condition.ts';

type Side = 'definitely' | 'possibly';
const other = { definitely: 'possibly', possibly: 'definitely' } as const;

/**
 * A tree as json-rules-engine's condition, each test under the decorator of its side: what is under a
 * `not` is asked of the other side.
 */
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

/** A leaf in json-rules-engine's keys, `prefix` before its operator. */
export function leafCondition(leaf: Leaf, prefix = ''): Record<string, unknown> {
  return {
    fact: leaf.fact,
    operator: `${prefix}${leaf.operator}`,
    value: leaf.value,
    ...(leaf.path === undefined ? {} : { path: leaf.path }),
    ...(leaf.params === undefined ? {} : { params: leaf.params }),
  };
}
