import { type Leaf, valueFact } from '../condition/condition.ts';
import { operatorFunction, parseOperator } from '../condition/operators.ts';
import type { FactReference } from '../vocabulary/fact-index.ts';
import type { DomainContext } from '../vocabulary/field.ts';

/** How a test is cut into cells. */
export type LeafPlan =
  /** A test of one field against constants: cells of the field's own axis, cut at `limits`. */
  | { readonly kind: 'field'; readonly field: string; readonly limits: readonly number[] }
  /** A test of where the property stands. */
  | { readonly kind: 'place' }
  /** A test of what the table is made for: known when compiling. */
  | { readonly kind: 'policy type' }
  /** A test that cells cannot carry (fact against fact, text in text): an axis of its own, true or false. */
  | { readonly kind: 'test'; readonly key: string };

/** Plans a leaf; undefined where it rests on what only the host knows. */
export function planLeaf(
  leaf: Leaf,
  find: (name: string) => FactReference | undefined,
  context: DomainContext,
): LeafPlan | undefined {
  const reference = find(leaf.fact);
  const parsed = parseOperator(leaf.operator);
  if (!reference || !parsed) return undefined;
  const other = valueFact(leaf.value);
  if (other) {
    const there = find(other.fact);
    if (!there || (other.path ?? leaf.path) !== undefined) return undefined;
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

/** Some operators throw on some values, as json-rules-engine's do: such a test is tried when judged. */
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
