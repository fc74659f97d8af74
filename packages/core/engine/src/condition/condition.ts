/** A condition as a rule set writes it, in the syntax of json-rules-engine. */
export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  | { readonly condition: string }
  | LeafCondition;

/** A test in a rule file. */
export interface LeafCondition {
  readonly fact: string;
  readonly operator: string;
  readonly value: unknown;
  readonly path?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/**
 * A condition ready for evaluation: shared conditions are inlined, and values converted to their axes (a county to FIPS codes, miles to
 * meters).
 */
export type Tree =
  | { readonly kind: 'all' | 'any'; readonly of: readonly Tree[] }
  | { readonly kind: 'not'; readonly of: Tree }
  | Leaf;

/** A checked test. */
export interface Leaf {
  readonly kind: 'leaf';
  readonly fact: string;
  readonly operator: string;
  readonly value: unknown;
  readonly path?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** As its author wrote it, for explanations. */
  readonly written: LeafCondition;
}

/** The other fact, for a comparison of two facts. */
export function valueFact(
  value: unknown,
): { fact: string; path?: string; params?: Record<string, unknown> } | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, 'fact')) {
    return undefined;
  }
  return value as { fact: string };
}

/** Visits shared subtrees once. */
export function forEachLeaf(tree: Tree, visit: (leaf: Leaf) => void, visited = new Set<Tree>()): void {
  if (visited.has(tree)) return;
  visited.add(tree);
  if (tree.kind === 'leaf') visit(tree);
  else if (tree.kind === 'not') forEachLeaf(tree.of, visit, visited);
  else for (const child of tree.of) forEachLeaf(child, visit, visited);
}

/** All facts on either side of tests, in order of first mention. */
export function factsOf(tree: Tree): string[] {
  const names = new Set<string>();
  forEachLeaf(tree, (leaf) => {
    names.add(leaf.fact);
    const other = valueFact(leaf.value);
    if (other) names.add(other.fact);
  });
  return [...names];
}
