import { quoteValue } from '@leeward/terms';
import { checkVocabulary } from './check-vocabulary.ts';
import type { DerivedFact, Field } from './field.ts';
import type { Vocabulary } from './vocabulary.ts';

/**
 * A line of business of a host's own. Throws a `RangeError` with everything that does not fit: names taken
 * already (`state` is the engine's own), names of nothing, empty domains. A vocabulary that was not made here
 * is checked when it is first used.
 */
export function createVocabulary<const Line extends Vocabulary>(vocabulary: Line): Line {
  factIndex(vocabulary);
  return vocabulary;
}

/** What a name used as a fact in a rule refers to. */
export type FactReference =
  | { readonly kind: 'field'; readonly field: Field }
  | { readonly kind: 'derived'; readonly field: Field; readonly derived: DerivedFact }
  /** Where the property stands and what is asked for: known to the engine itself. */
  | { readonly kind: 'place'; readonly name: 'state' | 'county' | 'policy_type' };

const places = ['state', 'county', 'policy_type'] as const;

/** Words of which a property has any number: a field each. */
export interface SetReference {
  readonly name: string;
  readonly label: string;
  readonly members: readonly Field[];
}

/** Resolves fact names of one vocabulary; made once, shared. */
export interface FactIndex {
  /** Names that rules may use. */
  readonly names: readonly string[];
  /** Finds those but sets, and the names under which checked tests stand: of axes, and of words of a set. */
  find(name: string): FactReference | undefined;
  readonly sets: ReadonlyMap<string, SetReference>;
}

/** The fact under which a field stands as its axis holds it, where rules write it in another form. */
export function axisFactOf({ name, form }: Field): string {
  return form ? `${name}:axis` : name;
}

const indexes = new WeakMap<Vocabulary, FactIndex>();

export function factIndex(vocabulary: Vocabulary): FactIndex {
  const known = indexes.get(vocabulary);
  if (known) return known;
  const faults = checkVocabulary(vocabulary);
  if (faults.length > 0) throw new RangeError(`The vocabulary ${quoteValue(vocabulary.line)}: ${faults.join(' ')}`);
  const references = new Map<string, FactReference>();
  const hidden = new Map<string, FactReference>();
  const sets = new Map<string, SetReference>();
  for (const name of places) references.set(name, { kind: 'place', name });
  const fields = new Map(vocabulary.fields.map((field) => [field.name, field]));
  for (const field of vocabulary.fields) {
    const { member } = field;
    (member ? hidden : references).set(field.name, { kind: 'field', field });
    if (field.form) hidden.set(axisFactOf(field), { kind: 'field', field });
    if (!member || sets.has(member.set)) continue;
    const members = vocabulary.fields.filter((each) => each.member?.set === member.set);
    sets.set(member.set, { name: member.set, label: member.label, members });
  }
  for (const derived of vocabulary.derivedFacts) {
    references.set(derived.name, { kind: 'derived', field: fields.get(derived.field)!, derived });
  }
  const index: FactIndex = {
    names: [...references.keys(), ...sets.keys()],
    sets,
    find: (name) => references.get(name) ?? hidden.get(name),
  };
  indexes.set(vocabulary, index);
  return index;
}

/** The unit of a fact's numbers. */
export function unitOf(reference: FactReference): string | undefined {
  if (reference.kind === 'place') return undefined;
  return reference.kind === 'derived' ? reference.derived.unit : reference.field.unit;
}

/** The name under which a field is noted as missing: `fieldsToAskFor` makes of it what is asked for. */
export function missingNameOf({ givenAs, requestName }: Field): string {
  return givenAs ?? requestName;
}

/** The name under which a caller gives what the fact rests on. */
export function requestNameOf(reference: FactReference): string {
  return reference.kind === 'place' ? reference.name : reference.field.requestName;
}
