import { type Leaf, valueFact } from '../condition/condition.ts';
import { operatorFunction, parseOperator } from '../condition/operators.ts';
import type { FactReference } from '../vocabulary/fact-index.ts';
import type { DomainContext } from '../vocabulary/field.ts';

export type LeafPlan =
  /** A test of one field against constants: cells of its axis, cut at `limits`. */
  | { readonly kind: 'field'; readonly field: string; readonly limits: readonly number[] }
  | { readonly kind: 'place' }
  /** A test of the policy type, evaluated when compiling. */
  | { readonly kind: 'policy type' }
  /** A test that cells cannot represent (between two facts, or a substring): a separate axis, true or false. */
  | { readonly kind: 'test'; readonly key: string }
  /** A test of a computed fact: cells of a separate axis, named by the fact. */
  | { readonly kind: 'computed'; readonly name: string; readonly limits: readonly number[] };

/** Undefined if the test needs the host. */
export function planLeaf(
  leaf: Leaf,
  find: (name: string) => FactReference | undefined,
  context: DomainContext,
): LeafPlan | undefined {
  if (leaf.computed) return { kind: 'computed', name: leaf.fact, limits: flatten(leaf.value).map(Number) };
  const reference = find(leaf.fact);
  const parsed = parseOperator(leaf.operator);
  if (!reference || !parsed) return undefined;
  const other = valueFact(leaf.value);
  if (other) {
    const otherReference = find(other.fact);
    if (!otherReference || (other.path ?? leaf.path) !== undefined) return undefined;
    return { kind: 'test', key: `${leaf.fact} ${leaf.operator} fact ${other.fact}` };
  }
  if (reference.kind === 'place') return reference.name === 'policy_type' ? { kind: 'policy type' } : { kind: 'place' };
  const { field } = reference;
  const constants = flatten(leaf.value);
  if (field.domain(context).kind === 'numbers') {
    const inText = parsed.base.shape === 'list' && constants.some((constant) => typeof constant === 'string');
    if (inText || throwsOn(leaf))
      return { kind: 'test', key: `${leaf.fact} ${leaf.operator} ${JSON.stringify(leaf.value)}` };
    const limits = constants.map(Number).filter((limit) => !Number.isNaN(limit));
    const cut =
      reference.kind === 'derived' ? limits.flatMap((limit) => reference.derived.cuts(limit, context)) : limits;
    return { kind: 'field', field: field.name, limits: cut };
  }
  if (throwsOn(leaf)) return { kind: 'test', key: `${leaf.fact} ${leaf.operator} ${JSON.stringify(leaf.value)}` };
  return { kind: 'field', field: field.name, limits: [] };
}

/** Such a test is evaluated for each property. */
function throwsOn(leaf: Leaf): boolean {
  const test = operatorFunction(leaf.operator);
  for (const sample of [0, 1.5, '', 'x']) {
    try {
      test?.(sample, leaf.value);
    } catch {
      return true;
    }
  }
  return false;
}

function flatten(value: unknown): unknown[] {
  return Array.isArray(value) ? value.flatMap(flatten) : [value];
}
