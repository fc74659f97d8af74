import type { Vocabulary } from '@leeward/engine';
import { suggest } from '@leeward/terms';
import { bookNamesOf } from './evidence-names.ts';

/** Headings of agency systems by field, in plain words. A field's own name and label need no entry. */
const headings: Readonly<Record<string, readonly string[]>> = {
  state: ['st', 'state code', 'risk state', 'property state', 'location state', 'loc state', 'insured state'],
  county: ['county name', 'risk county', 'property county', 'location county'],
  policy_type: ['form', 'form type', 'policy form', 'form code', 'ho form', 'policy form type'],
  address: ['property address', 'risk address', 'location address', 'street address', 'loc address', 'full address'],
  zipcode: ['zip', 'zip5', 'postal code', 'risk zip', 'property zip', 'location zip'],
  lat: ['latitude'],
  lng: ['longitude', 'lon', 'long'],
  effective_date: ['eff date', 'effective', 'eff', 'policy effective date', 'term effective date', 'policy eff date'],
  dwelling_a: [
    'coverage a',
    'cov a',
    'cova',
    'cov a limit',
    'coverage a limit',
    'coverage a dwelling',
    'cov a dwelling',
    'dwelling',
    'dwelling limit',
    'dwelling coverage',
    'dwelling amount',
  ],
  coverage_b: ['cov b', 'covb', 'cov b limit', 'other structures'],
  coverage_c: ['cov c', 'covc', 'cov c limit', 'personal property', 'contents'],
  coverage_d: ['cov d', 'covd', 'cov d limit', 'loss of use'],
  liability_limit: ['cov e', 'coverage e', 'liability', 'personal liability'],
  medical_payments_limit: ['cov f', 'coverage f', 'med pay', 'medical payments'],
  all_perils_deductible: ['aop deductible', 'aop ded', 'aop', 'all other perils deductible', 'deductible'],
  year_built: ['yr built', 'year blt', 'yr blt', 'yearbuilt', 'built', 'year of construction', 'construction year'],
  roof_age: ['age of roof', 'roof age years'],
  roof_type: ['roof material', 'roof covering', 'roof construction', 'type of roof', 'roof'],
  total_claims: [
    'claims',
    'losses',
    'number of claims',
    'claim count',
    'loss count',
    'prior losses',
    'prior claims',
    'claims 5 years',
    'losses 5 years',
  ],
  lapse_in_coverage: ['lapse', 'days lapsed', 'lapse days'],
  protection_class: ['ppc', 'pc', 'prot class', 'protection', 'fire protection class', 'iso class'],
  primary_plumbing: ['plumbing', 'plumbing type', 'type of plumbing'],
  primary_wiring: ['wiring', 'wiring type', 'electrical wiring', 'type of wiring'],
  structure_type: ['structure', 'dwelling type', 'residence type', 'property type', 'home type'],
  foundation_type: ['foundation'],
  usage: ['occupancy', 'use', 'dwelling use', 'residence use', 'usage type'],
  acreage: ['acres', 'lot size acres'],
  square_feet: ['sq ft', 'sqft', 'square footage', 'living area', 'total living area', 'heated sq ft'],
  construction: ['construction type', 'type of construction'],
  stories: ['number of stories', 'no of stories'],
  water_heater_age: ['age of water heater'],
  hvac_age: ['age of hvac', 'hvac'],
  market_value: ['market val'],
  replacement_cost: ['rce', 'rcv', 'replacement value', 'replacement cost estimate'],
  distance_to_hydrant_feet: ['hydrant distance', 'feet to hydrant', 'distance to hydrant'],
  distance_to_fire_station_miles: ['miles to fire station', 'fire station distance', 'distance to fire station'],
  distance_to_coast_miles: ['distance to coast', 'miles to coast', 'coast distance'],
};

/** Shorter names are not taken for misspelled ones. */
const MIN_SPELLED = 7;

/** Fields that most books have, the usual ones first. */
export const usualFields: readonly string[] = Object.keys(headings);

/** `Yr. Built (approx)` → `yr built`. */
function plainWords(heading: string): string {
  return heading
    .replaceAll(/\(.*?\)/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();
}

/** The field that each column probably has, in the order of the columns; undefined without a guess. */
export type GuessedFields = readonly (string | undefined)[];

/**
 * Guesses the fields of columns from headings as agency systems write them: `Coverage A`, `Yr Built`, `Roof Age`. Each field is guessed
 * once, and a column with the name of a field has that field.
 *
 * @example
 * const fields = guessFields(['Policy Number', 'Form', 'Coverage A'], homeVocabulary); // [undefined, 'policy_type', 'dwelling_a']
 */
export function guessFields(names: readonly string[], vocabulary: Vocabulary): GuessedFields {
  const fields = bookNamesOf(vocabulary);
  const fieldNames = new Set(fields);
  const byWords = new Map<string, string>();
  const add = (words: string, field: string) => {
    if (!byWords.has(words)) byWords.set(words, field);
  };
  for (const field of fields) add(plainWords(field), field);
  for (const [field, others] of Object.entries(headings))
    if (fieldNames.has(field)) for (const each of others) add(each, field);
  // A field with several facts has no single label.
  for (const { requestName, label } of vocabulary.fields)
    if (vocabulary.fields.filter((each) => each.requestName === requestName).length === 1)
      add(plainWords(label), requestName);
  /** A misspelled name of a field. */
  const nearest = (words: string) => {
    const other = words.length < MIN_SPELLED ? undefined : suggest(words, fields.map(plainWords));
    return other === undefined || Math.abs(other.length - words.length) > 1 ? undefined : byWords.get(other);
  };
  const usedFields = new Set(names.filter((name) => fieldNames.has(name)));
  return names.map((name) => {
    if (fieldNames.has(name)) return name;
    const words = plainWords(name);
    const field = byWords.get(words) ?? nearest(words);
    if (name.startsWith('x_') || field === undefined || usedFields.has(field)) return undefined;
    usedFields.add(field);
    return field;
  });
}

/**
 * The map for `readColumnMap` of a book with these columns: the guessed fields, and the other columns as ignored ones.
 *
 * @example
 * const written = writtenColumnMap(names, guessFields(names, homeVocabulary));
 */
export function writtenColumnMap(
  names: readonly string[],
  fields: GuessedFields,
): Readonly<Record<string, string | readonly string[]>> {
  const entries = names.flatMap((name, place) => {
    const field = fields[place];
    return field === undefined || field === name ? [] : [[field, name] as const];
  });
  const ignore = names.filter((name, place) => fields[place] === undefined && name !== '' && !name.startsWith('x_'));
  return { ...Object.fromEntries(entries), ...(ignore.length > 0 ? { ignore } : {}) };
}

/** The columns that are neither fields nor ignored, and what to do: the end of a refusal. */
export function describeMapping(names: readonly string[], isMapped: boolean, vocabulary: Vocabulary): string {
  const fields = guessFields(names, vocabulary);
  const recognized = fields.filter((field) => field !== undefined).length;
  const ways =
    'Rename columns, prefix ignored ones with x_, or give a map of columns (--columns FILE of leeward book run)';
  if (isMapped || recognized === 0) return `${ways}.`;
  return `${recognized} of ${names.length} columns are recognized. ${ways}, for example ${JSON.stringify(writtenColumnMap(names, fields))}.`;
}
