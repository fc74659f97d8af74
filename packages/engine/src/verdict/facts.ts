import { isWithin, type Knowledge } from '../request/knowledge.ts';
import type { Property } from '../request/property.ts';
import type { DerivedFact } from '../vocabulary/field.ts';

/** What is known of every fact that a rule may test: a value, bounds, or undefined. */
export type Facts = ReadonlyMap<string, unknown>;

/**
 * The facts of a property for one policy type in one county (FIPS, undefined where it does not matter).
 * Host facts are added by whoever has them.
 */
export function factsOfProperty(
  property: Property,
  policyType: string,
  county: string | undefined,
): Map<string, unknown> {
  const { vocabulary, effectiveYear } = property;
  const facts = new Map<string, unknown>([
    ['state', property.state],
    ['county', county],
    ['policy_type', policyType],
  ]);
  vocabulary.fields.forEach((field, index) => {
    facts.set(field.name, property.values[index]);
  });
  for (const derived of vocabulary.derivedFacts) {
    facts.set(derived.name, viewOf(facts.get(derived.field) as Knowledge, derived, effectiveYear));
  }
  return facts;
}

/** A field's knowledge as a derived fact has it. */
export function viewOf(value: Knowledge, derived: DerivedFact, effectiveYear: number): Knowledge {
  const view = (number: number) => derived.view(number, { effectiveYear });
  if (typeof value === 'number') return view(value);
  if (!isWithin(value) || value.kind !== 'between') return undefined;
  const [a, b] = [view(value.min), view(value.max)];
  return a === b ? a : { kind: 'between', min: Math.min(a, b), max: Math.max(a, b) };
}
