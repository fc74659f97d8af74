import { quoteValue } from '@leeward/terms';
import type { DerivedFact, Field, Relation } from './field.ts';
import { factIndex, type Vocabulary } from './vocabulary.ts';

/** What a host adds to a line of business. */
export interface VocabularyExtension {
  /** Made by `integerField`, `decimalField`, `choiceField`, `yearField`, `ageOrYearField`, or by hand. */
  readonly fields?: readonly Field[];
  readonly derivedFacts?: readonly DerivedFact[];
  readonly relations?: readonly Relation[];
  readonly givenTogether?: readonly (readonly [string, string])[];
  /** Reason codes to be used without `x_`. */
  readonly codes?: readonly string[];
}

/** Names of a request that are no fields. */
const reserved = [
  'state',
  'county',
  'policy_type',
  'as_of',
  'effective_date',
  'address',
  'lat',
  'lng',
  'distance_to_coast_miles',
  'distance_to_ocean_miles',
  'include_declined',
  'explain',
];

/**
 * A line of business with a host's own fields: given in requests, tested by rules, compiled, explained and
 * asked for like all others. Make it once and share it. Throws a `RangeError` with everything that does not
 * fit: names taken already, names of nothing.
 */
export function extendVocabulary(vocabulary: Vocabulary, extension: VocabularyExtension): Vocabulary {
  const { fields = [], derivedFacts = [], relations = [], givenTogether = [], codes = [] } = extension;
  const extended: Vocabulary = {
    ...vocabulary,
    fields: [...vocabulary.fields, ...fields],
    derivedFacts: [...vocabulary.derivedFacts, ...derivedFacts],
    relations: [...vocabulary.relations, ...relations],
    givenTogether: [...vocabulary.givenTogether, ...givenTogether],
    codes: [...new Set([...vocabulary.codes, ...codes])],
  };
  const faults = [
    ...takenNames(vocabulary, fields, derivedFacts),
    ...takenRequestNames(vocabulary, fields),
    ...namesOfNothing(extended, derivedFacts, relations, givenTogether),
  ];
  if (faults.length > 0) throw new RangeError(`The vocabulary ${quoteValue(vocabulary.line)}: ${faults.join(' ')}`);
  return extended;
}

function takenNames(vocabulary: Vocabulary, fields: readonly Field[], derivedFacts: readonly DerivedFact[]): string[] {
  const taken = new Set(factIndex(vocabulary).names);
  return [...fields, ...derivedFacts].flatMap(({ name }) => {
    if (taken.has(name)) return [`${quoteValue(name)} is a fact already; give this one another name.`];
    taken.add(name);
    return /^[a-z][a-z0-9_]{0,63}$/.test(name)
      ? []
      : [`${quoteValue(name)} is no name; use lower-case letters, digits and underscores.`];
  });
}

function takenRequestNames(vocabulary: Vocabulary, fields: readonly Field[]): string[] {
  const given = (field: Field) => (field.schema ? [field.requestName] : []);
  const taken = new Set([...reserved, ...vocabulary.fields.flatMap(given)]);
  return fields.flatMap((field) => {
    if (!field.schema) return [];
    if (taken.has(field.requestName)) return [`A request has ${quoteValue(field.requestName)} already.`];
    taken.add(field.requestName);
    return [];
  });
}

function namesOfNothing(
  extended: Vocabulary,
  derivedFacts: readonly DerivedFact[],
  relations: readonly Relation[],
  givenTogether: readonly (readonly [string, string])[],
): string[] {
  const fields = new Map(extended.fields.map((field) => [field.name, field]));
  const requestNames = new Set(extended.fields.map((field) => field.requestName));
  const missing = (what: string, name: string) => `${what} names ${quoteValue(name)}, which is no field.`;
  return [
    ...derivedFacts.flatMap(({ name, field }) =>
      fields.has(field) ? [] : [missing(`The derived fact ${quoteValue(name)}`, field)],
    ),
    ...relations.flatMap((relation) =>
      [relation.lower, relation.higher].flatMap((name) => (fields.has(name) ? [] : [missing('A relation', name)])),
    ),
    ...givenTogether.flat().flatMap((name) => (requestNames.has(name) ? [] : [missing('A pair given together', name)])),
  ];
}
