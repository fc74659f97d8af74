import type { DerivedFact, Field, Relation } from './field.ts';

/**
 * A line of business as words: what can be known of a property and what rules may test. A new line is a
 * new vocabulary; the engine is the same.
 */
export interface Vocabulary {
  readonly line: string;
  readonly policyTypes: readonly string[];
  /** Folded other spellings of policy types (`windx` → `x-wind`). */
  readonly policyTypeSpellings: Readonly<Record<string, string>>;
  readonly fields: readonly Field[];
  readonly derivedFacts: readonly DerivedFact[];
  readonly relations: readonly Relation[];
  /** Fields that a request gives together or not at all, by request name. */
  readonly givenTogether: readonly (readonly [string, string])[];
  /** Registered reason codes. Others must begin with `x_`. */
  readonly codes: readonly string[];
}

/** What a name used as a fact in a rule refers to. */
export type FactReference =
  | { readonly kind: 'field'; readonly field: Field }
  | { readonly kind: 'derived'; readonly field: Field; readonly derived: DerivedFact }
  /** Where the property stands and what is asked for: known to the engine itself. */
  | { readonly kind: 'place'; readonly name: 'state' | 'county' | 'policy_type' };

const places = ['state', 'county', 'policy_type'] as const;

/** Resolves fact names of one vocabulary; made once, shared. */
export interface FactIndex {
  readonly names: readonly string[];
  find(name: string): FactReference | undefined;
}

const indexes = new WeakMap<Vocabulary, FactIndex>();

export function factIndex(vocabulary: Vocabulary): FactIndex {
  const known = indexes.get(vocabulary);
  if (known) return known;
  const references = new Map<string, FactReference>();
  for (const name of places) references.set(name, { kind: 'place', name });
  const fields = new Map(vocabulary.fields.map((field) => [field.name, field]));
  for (const field of vocabulary.fields) references.set(field.name, { kind: 'field', field });
  for (const derived of vocabulary.derivedFacts) {
    const field = fields.get(derived.field);
    if (!field) throw new Error(`The derived fact ${derived.name} names an unknown field ${derived.field}.`);
    references.set(derived.name, { kind: 'derived', field, derived });
  }
  const index: FactIndex = { names: [...references.keys()], find: (name) => references.get(name) };
  indexes.set(vocabulary, index);
  return index;
}

/** The unit of a fact's numbers. */
export function unitOf(reference: FactReference): string | undefined {
  if (reference.kind === 'place') return undefined;
  return reference.kind === 'derived' ? reference.derived.unit : reference.field.unit;
}

/** The name under which a caller gives what the fact rests on. */
export function requestNameOf(reference: FactReference): string {
  return reference.kind === 'place' ? reference.name : reference.field.requestName;
}
