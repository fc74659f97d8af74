import { quoteValue } from '@leeward/terms';
import { type Field, inDomain } from './field.ts';
import { listFaults } from './list-field.ts';
import type { Vocabulary } from './vocabulary.ts';

const places = ['state', 'county', 'policy_type'];
/** The list and the fact of the time of a request, which every line has. */
const namesOfEvents = ['events', 'days_until_effective'];

/** Request names that fields may not use. */
const reserved = [
  ...places,
  ...namesOfEvents,
  'as_of',
  'effective_date',
  'address',
  'lat',
  'lng',
  'radius_meters',
  'footprint',
  'distance_to_coast_miles',
  'distance_to_ocean_miles',
  'distance_to_mean_high_water_miles',
  'distance_to_coast_feet',
  'distance_to_tidal_water_miles',
  'distance_to_tidal_water_feet',
  'distance_to_ocean_feet',
  'distance_to_mean_high_water_feet',
  'distance_to_tidal_water_meters',
  'distance_to_ocean_meters',
  'distance_to_mean_high_water_meters',
  'include_declined',
  'include_not_offered',
  'explain',
];

/** Limits of a column of a book. */
const MAX_WORDS = 65_535;
const MAX_POLICY_TYPES = 255;

/** All faults of a vocabulary: duplicate or reserved names, references to missing fields, empty domains. */
export function findVocabularyFaults(vocabulary: Vocabulary): string[] {
  const { policyTypes } = vocabulary;
  const faults = [
    ...findDuplicateNames(vocabulary),
    ...findDuplicateRequestNames(vocabulary),
    ...findMissingFields(vocabulary),
    ...listFaults(vocabulary),
  ];
  if (policyTypes.length === 0 || policyTypes.length > MAX_POLICY_TYPES) {
    faults.push(`A line has 1 to ${MAX_POLICY_TYPES} policy types; this one has ${policyTypes.length}.`);
  }
  faults.push(...findTermFaults(vocabulary));
  for (const field of vocabulary.fields)
    faults.push(...findDomainFaults(field), ...findFallbackFaults(field, vocabulary));
  return faults;
}

function findDuplicateNames({ fields, derivedFacts, lists = [] }: Vocabulary): string[] {
  const usedNames = new Set([...places, ...namesOfEvents]);
  const faults: string[] = [];
  const addName = (name: string) => {
    if (usedNames.has(name)) faults.push(`${quoteValue(name)} is already the name of a fact; choose another name.`);
    usedNames.add(name);
    if (/^[a-z][a-z0-9_]{0,63}$/.test(name)) return;
    faults.push(`${quoteValue(name)} is not a valid name; use lower-case letters, digits and underscores.`);
  };
  const sets = new Set<string>();
  for (const { name, member } of fields) {
    if (!member) addName(name);
    else if (usedNames.has(name))
      faults.push(`${quoteValue(member.word)} occurs twice in the set ${quoteValue(member.set)}.`);
    else {
      usedNames.add(name);
      if (!sets.has(member.set)) addName(member.set);
      sets.add(member.set);
    }
  }
  for (const { name } of derivedFacts) addName(name);
  for (const { name } of lists) addName(name);
  return faults;
}

function findDuplicateRequestNames({ fields, lists = [] }: Vocabulary): string[] {
  const setOfName = new Map<string, string | undefined>(reserved.map((name) => [name, undefined]));
  for (const { name } of lists) setOfName.set(name, undefined);
  return fields.flatMap(({ schema, requestName, member }) => {
    if (!schema || (member && setOfName.get(requestName) === member.set)) return [];
    if (setOfName.has(requestName)) return [`${quoteValue(requestName)} is already the name of a request field.`];
    setOfName.set(requestName, member?.set);
    return [];
  });
}

function findMissingFields({ fields, derivedFacts, relations, givenTogether }: Vocabulary): string[] {
  const names = new Set(fields.map((field) => field.name));
  const requestNames = new Set(fields.map((field) => field.requestName));
  const describeMissing = (what: string, name: string) => `${what} names ${quoteValue(name)}, which is not a field.`;
  return [
    ...derivedFacts.flatMap(({ name, field }) =>
      names.has(field) ? [] : [describeMissing(`The derived fact ${quoteValue(name)}`, field)],
    ),
    ...relations.flatMap((relation) =>
      [relation.lower, relation.higher].flatMap((name) =>
        names.has(name) ? [] : [describeMissing('A relation', name)],
      ),
    ),
    ...givenTogether
      .flat()
      .flatMap((name) => (requestNames.has(name) ? [] : [describeMissing('A pair given together', name)])),
  ];
}

function findDomainFaults({ name, domain }: Field): string[] {
  const values = domain({ effectiveYear: 2000 });
  if (values.kind === 'numbers') {
    return values.min <= values.max
      ? []
      : [`${quoteValue(name)} is from ${values.min} to ${values.max}; min must not exceed max.`];
  }
  const distinct = new Set(values.words).size;
  if (distinct === 0 || distinct > MAX_WORDS) {
    return [`${quoteValue(name)} has ${distinct} words; a field has 1 to ${MAX_WORDS}.`];
  }
  return distinct === values.words.length ? [] : [`${quoteValue(name)} lists a word twice.`];
}

function findTermFaults({ terms = [] }: Vocabulary): string[] {
  const names = new Set<string>();
  return terms.flatMap((term) => {
    const { name } = term;
    const faults: string[] = [];
    if (names.has(name)) faults.push(`There are two terms ${quoteValue(name)}.`);
    names.add(name);
    if (!/^[a-z][a-z0-9_]{0,63}$/.test(name) || name.startsWith('x_')) {
      const rule = 'use lower-case letters, digits and underscores, and leave x_ to carriers';
      faults.push(`${quoteValue(name)} is not a valid name of a term; ${rule}.`);
    }
    if (term.kind === 'number' && !(term.min <= term.max))
      faults.push(`The term ${quoteValue(name)} is from ${term.min} to ${term.max}; min must not exceed max.`);
    if (term.kind === 'word' && (term.words.length < 2 || new Set(term.words).size < term.words.length))
      faults.push(`The term ${quoteValue(name)} needs two or more different words.`);
    return faults;
  });
}

/** Finds a fallback outside the domain of its field, or with a condition on an unknown field. */
function findFallbackFaults({ name, fallback, domain }: Field, { fields }: Vocabulary): string[] {
  if (!fallback) return [];
  const { value, when } = fallback;
  const faults: string[] = [];
  if (domain({ effectiveYear: 2000 }).kind !== 'words')
    faults.push(`${quoteValue(name)} is a number; only words and flags have a fallback.`);
  else if (!inDomain(value, domain({ effectiveYear: 2000 })))
    faults.push(`The fallback of ${quoteValue(name)} is ${quoteValue(value)}, which is outside its domain.`);
  if (!when) return faults;
  const other = fields.find((field) => field.name === when.field);
  if (!other) faults.push(`The fallback of ${quoteValue(name)} names ${quoteValue(when.field)}, which is not a field.`);
  else if (other.fallback?.when)
    faults.push(`The fallback of ${quoteValue(name)} depends on ${quoteValue(when.field)}, which depends on another.`);
  else if (!inDomain(when.value, other.domain({ effectiveYear: 2000 })))
    faults.push(
      `The fallback of ${quoteValue(name)} tests ${quoteValue(when.field)} for ${quoteValue(when.value)}, which is outside its domain.`,
    );
  return faults;
}
