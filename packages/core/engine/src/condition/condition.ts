import { type Area, LOCATION } from '../area/area.ts';
import { type EvidenceFactName, evidenceParts } from '../request/evidence.ts';
import type { ListField } from '../vocabulary/list-field.ts';

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
  /** Name of the fact; of a computed fact, its canonical JSON. */
  readonly fact: string;
  readonly operator: string;
  readonly value: unknown;
  readonly path?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Definition of the fact, if the test computes it from others. */
  readonly computed?: Computed;
  /** Both sides, if the fact is their difference. */
  readonly sides?: readonly [Operand, Operand];
  /** As its author wrote it, for explanations. */
  readonly written: LeafCondition;
}

/** A number that a test computes from the facts of a property. Plain data. */
export type Computed = Aggregate | Operation | Moment | EvidenceFact | AreaMeasure;

/** The count, sum, minimum or maximum over the items of a list that match a condition. */
export interface Aggregate {
  readonly kind: 'aggregate';
  readonly apply: 'count' | 'sum' | 'min' | 'max';
  readonly list: ListField;
  /** The number of each item; undefined for a count. */
  readonly field: string | undefined;
  /** Tests of an item, on the axes of its fields. Undefined: every item. */
  readonly where: Tree | undefined;
}

/** The age of a value's evidence in complete years, or its source. */
export interface EvidenceFact {
  readonly kind: 'evidence';
  readonly of: EvidenceFactName;
  /** Name of the field, set or list. */
  readonly subject: string;
  /** The fact is then 1 if the source is one of these, else 0. Undefined: the number of the source. */
  readonly words?: readonly string[];
}

/** A number that depends on the time of the request. Always known. */
export interface Moment {
  readonly kind: 'moment';
  readonly fact: MomentFact;
}

/**
 * `days_until_effective`: days from the day of the request, in the time zone of the state, to the effective date; negative
 * for a past date. `request_time`: epoch milliseconds; rules cannot name it, and windows of moratoria test it.
 */
export type MomentFact = 'days_until_effective' | 'request_time';

/** A number that measures how the building lies to an area. */
export interface AreaMeasure {
  readonly kind: 'area';
  /** `miles`: from the nearest part of the building, 0 if a part is inside. `entire`: 1 if the whole building is inside, else 0. */
  readonly apply: 'miles' | 'entire';
  readonly area: Area;
}

/** Arithmetic. */
export interface Operation {
  readonly kind: 'operation';
  readonly apply: OperationName;
  readonly of: readonly Operand[];
}

export type OperationName = 'add' | 'subtract' | 'multiply' | 'percent_of' | 'min' | 'max';

/** One side of an operation. */
export type Operand =
  | Computed
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'fact'; readonly fact: string };

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
    if (leaf.computed) {
      for (const name of sourcesOf(leaf.computed)) names.add(name);
      return;
    }
    names.add(leaf.fact);
    const other = valueFact(leaf.value);
    if (other) names.add(other.fact);
  });
  return [...names];
}

/** Returns the facts, lists and `LOCATION` from which a fact is computed, once each, in order of first mention. */
export function sourcesOf(operand: Operand, names = new Set<string>()): ReadonlySet<string> {
  if (operand.kind === 'fact') names.add(operand.fact);
  else if (operand.kind === 'aggregate') names.add(operand.list.name);
  else if (operand.kind === 'evidence') names.add(`${operand.subject}.${evidenceParts[operand.of]}`);
  else if (operand.kind === 'area') names.add(LOCATION);
  else if (operand.kind === 'operation') for (const each of operand.of) sourcesOf(each, names);
  return names;
}

/** Returns the number of nodes of a condition or of a computed fact. */
export function sizeOfComputed(operand: Operand): number {
  if (operand.kind === 'operation') return operand.of.reduce((sum, each) => sum + sizeOfComputed(each), 1);
  return operand.kind === 'aggregate' && operand.where ? 1 + sizeOfTree(operand.where) : 1;
}

export function sizeOfTree(tree: Tree): number {
  if (tree.kind === 'leaf') return 1;
  return tree.kind === 'not' ? 1 + sizeOfTree(tree.of) : tree.of.reduce((sum, each) => sum + sizeOfTree(each), 1);
}
