import { quoteValue } from '@leeward/terms';
import { findVocabularyFaults } from './check-vocabulary.ts';
import { eventList } from './event-list.ts';
import type { DerivedFact, Field } from './field.ts';
import { itemVocabulary } from './item-vocabulary.ts';
import type { ListField } from './list-field.ts';
import type { Vocabulary } from './vocabulary.ts';

/**
 * Checks the vocabulary of a line of business and returns it unchanged. Without this call, the first use checks it.
 *
 * @throws RangeError listing every fault: duplicate or reserved names, references to missing fields, empty domains.
 * @example
 *  const vocabulary = createVocabulary({ line: 'boat', policyTypes: ['hull'], fields: [], derivedFacts: [], relations: [], givenTogether: [], codes: [], policyTypeSpellings: {} });
 */
export function createVocabulary<const Line extends Vocabulary>(vocabulary: Line): Line {
  factIndex(vocabulary);
  return vocabulary;
}

/** The referent of a fact name in a rule. */
export type FactReference =
  | { readonly kind: 'field'; readonly field: Field }
  | { readonly kind: 'derived'; readonly field: Field; readonly derived: DerivedFact }
  /** Location and policy type, which every vocabulary has. */
  | { readonly kind: 'place'; readonly name: 'state' | 'county' | 'policy_type' };

const places = ['state', 'county', 'policy_type'] as const;

/** A set of words: one yes-or-no field for each word. */
export interface SetReference {
  readonly name: string;
  readonly label: string;
  readonly members: readonly Field[];
}

/** Resolves the fact names of one vocabulary. */
export interface FactIndex {
  /** Names that rules may use: facts and sets. */
  readonly names: readonly string[];
  /** Also accepts the internal names of axes and set members, but not the names of sets. */
  find(name: string): FactReference | undefined;
  readonly sets: ReadonlyMap<string, SetReference>;
  /** The lists of the line, and the events. */
  readonly lists: ReadonlyMap<string, ListField>;
}

/** The internal fact name of a field's axis, for fields that rules write in another form (flags, dates). */
export function axisFactOf({ name, form }: Field): string {
  return form ? `${name}:axis` : name;
}

const indexes = new WeakMap<Vocabulary, FactIndex>();

/** Throws a `RangeError` if the vocabulary has faults. */
export function factIndex(vocabulary: Vocabulary): FactIndex {
  const cached = indexes.get(vocabulary);
  if (cached) return cached;
  const faults = findVocabularyFaults(vocabulary);
  if (faults.length > 0) throw new RangeError(`The vocabulary ${quoteValue(vocabulary.line)}: ${faults.join(' ')}`);
  const index = createIndex(vocabulary, places);
  indexes.set(vocabulary, index);
  return index;
}

/** The fact index of the items of a list. Items have no place. */
export function itemIndex(list: ListField): FactIndex {
  const vocabulary = itemVocabulary(list);
  const index = indexes.get(vocabulary) ?? createIndex(vocabulary, []);
  indexes.set(vocabulary, index);
  return index;
}

function createIndex(vocabulary: Vocabulary, places: readonly ('state' | 'county' | 'policy_type')[]): FactIndex {
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
  return {
    names: [...references.keys(), ...sets.keys()],
    sets,
    lists: new Map(
      [...(vocabulary.lists ?? []), ...(places.length > 0 ? [eventList] : [])].map((list) => [list.name, list]),
    ),
    find: (name) => references.get(name) ?? hidden.get(name),
  };
}

/** Undefined for facts without a unit. */
export function unitOf(reference: FactReference): string | undefined {
  if (reference.kind === 'place') return undefined;
  return reference.kind === 'derived' ? reference.derived.unit : reference.field.unit;
}

/** The name of the field in `missing`. `fieldsToAskFor` turns it into a request name. */
export function missingNameOf({ givenAs, requestName }: Field): string {
  return givenAs ?? requestName;
}

/** The request field that determines the fact. */
export function requestNameOf(reference: FactReference): string {
  return reference.kind === 'place' ? reference.name : reference.field.requestName;
}
