import { quoteValue } from '@leeward/terms';
import type { Field } from './field.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Facts that the engine knows itself. */
const places = ['state', 'county', 'policy_type'];

/** Names of a request that are no fields. */
const reserved = [
  ...places,
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
  'include_declined',
  'include_not_offered',
  'explain',
];

/** Words of one field, policy types of one line: what a column of a book can number. */
const MAX_WORDS = 65_535;
const MAX_POLICY_TYPES = 255;

/** Everything that does not fit in a line of business: names taken already, names of nothing, empty domains. */
export function checkVocabulary(vocabulary: Vocabulary): string[] {
  const { policyTypes } = vocabulary;
  const faults = [...takenNames(vocabulary), ...takenRequestNames(vocabulary), ...namesOfNothing(vocabulary)];
  if (policyTypes.length === 0 || policyTypes.length > MAX_POLICY_TYPES) {
    faults.push(`A line has 1 to ${MAX_POLICY_TYPES} policy types; this one has ${policyTypes.length}.`);
  }
  for (const field of vocabulary.fields) faults.push(...domainFaults(field));
  return faults;
}

function takenNames({ fields, derivedFacts }: Vocabulary): string[] {
  const taken = new Set(places);
  const faults: string[] = [];
  const take = (name: string) => {
    if (taken.has(name)) faults.push(`${quoteValue(name)} is a fact already; give this one another name.`);
    taken.add(name);
    if (/^[a-z][a-z0-9_]{0,63}$/.test(name)) return;
    faults.push(`${quoteValue(name)} is no name; use lower-case letters, digits and underscores.`);
  };
  const sets = new Set<string>();
  for (const { name, member } of fields) {
    if (!member) take(name);
    else if (taken.has(name)) faults.push(`${quoteValue(member.word)} is twice in the set ${quoteValue(member.set)}.`);
    else {
      taken.add(name);
      if (!sets.has(member.set)) take(member.set);
      sets.add(member.set);
    }
  }
  for (const { name } of derivedFacts) take(name);
  return faults;
}

function takenRequestNames({ fields }: Vocabulary): string[] {
  const taken = new Map<string, string | undefined>(reserved.map((name) => [name, undefined]));
  return fields.flatMap(({ schema, requestName, member }) => {
    if (!schema || (member && taken.get(requestName) === member.set)) return [];
    if (taken.has(requestName)) return [`A request has ${quoteValue(requestName)} already.`];
    taken.set(requestName, member?.set);
    return [];
  });
}

function namesOfNothing({ fields, derivedFacts, relations, givenTogether }: Vocabulary): string[] {
  const names = new Set(fields.map((field) => field.name));
  const requestNames = new Set(fields.map((field) => field.requestName));
  const missing = (what: string, name: string) => `${what} names ${quoteValue(name)}, which is no field.`;
  return [
    ...derivedFacts.flatMap(({ name, field }) =>
      names.has(field) ? [] : [missing(`The derived fact ${quoteValue(name)}`, field)],
    ),
    ...relations.flatMap((relation) =>
      [relation.lower, relation.higher].flatMap((name) => (names.has(name) ? [] : [missing('A relation', name)])),
    ),
    ...givenTogether.flat().flatMap((name) => (requestNames.has(name) ? [] : [missing('A pair given together', name)])),
  ];
}

function domainFaults({ name, domain }: Field): string[] {
  const known = domain({ effectiveYear: 2000 });
  if (known.kind === 'numbers') {
    return known.min <= known.max
      ? []
      : [`${quoteValue(name)} is from ${known.min} to ${known.max}, which is nothing.`];
  }
  const distinct = new Set(known.words).size;
  if (distinct === 0 || distinct > MAX_WORDS) {
    return [`${quoteValue(name)} has ${distinct} words; a field has 1 to ${MAX_WORDS}.`];
  }
  return distinct === known.words.length ? [] : [`${quoteValue(name)} has a word twice.`];
}
