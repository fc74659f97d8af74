import {
  exceedsDepth,
  type Fault,
  isObject,
  issueFaults,
  measureJson,
  pointer,
  quoteValue,
  withoutEval,
} from '@leeward/terms';
import * as z from 'zod';
import { ageFact } from './age-fact.ts';
import { findVocabularyFaults } from './check-vocabulary.ts';
import { choiceField } from './choice-field.ts';
import { dateField } from './date-field.ts';
import { extendVocabulary } from './extend-vocabulary.ts';
import { factIndex } from './fact-index.ts';
import type { Change, DerivedFact, Field } from './field.ts';
import { flagField } from './flag-field.ts';
import { homeVocabulary } from './home.ts';
import { decimalField, integerField } from './number-field.ts';
import { setField } from './set-field.ts';
import type { Vocabulary } from './vocabulary.ts';
import { yearField } from './year-field.ts';
import { zipcodeField } from './zipcode-field.ts';

const MAX_FIELDS = 200;
const MAX_WORDS = 500;
const MAX_DEPTH = 8;
/** Largest absolute number of a domain: every whole number up to it is exact. */
const MAX_NUMBER = 1e12;

/** Units that rules, messages and forms know. */
export const fieldUnits = [
  'dollars',
  'percent',
  'years',
  'months',
  'days',
  'hours',
  'feet',
  'meters',
  'miles',
  'square feet',
  'acres',
  'degrees',
  'amperes',
  'gallons',
  'pounds',
  'points',
  'items',
] as const;

const name = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/);
const text = (max: number) => z.string().trim().min(1).max(max);
const number = z.number().min(-MAX_NUMBER).max(MAX_NUMBER);
const words = z.array(text(80)).min(1).max(MAX_WORDS);
const change = z
  .union([
    z.enum(['never', 'any', 'lower', 'higher']),
    z
      .array(z.union([text(80), z.boolean()]))
      .min(1)
      .max(MAX_WORDS),
  ])
  .meta({
    description:
      'Changes that a person could make: never (default), any, lower or higher numbers, or some of the words.',
  });
const common = {
  name: name.meta({ description: 'Name in rules and requests: lower-case letters, digits and underscores.' }),
  label: text(80).meta({ description: 'Short name for people, as within a sentence.' }),
  meaning: text(500).meta({ description: 'Meaning of the field, in a sentence.' }),
  change: change.optional(),
  always_shown: z.boolean().optional().meta({ description: 'True if forms show the field even if no rule tests it.' }),
};
const usual = z.strictObject({ min: number, max: number }).optional().meta({ description: 'Usual limits in rules.' });

const fieldSchema = withoutEval(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('number'),
      ...common,
      min: number,
      max: number,
      unit: z.enum(fieldUnits).optional(),
      fractions: z.boolean().optional().meta({ description: 'True if fractions are accepted. Default false.' }),
      example: number.optional(),
      typical: number.optional().meta({ description: 'Value of an ordinary property. Default min.' }),
      usual,
    }),
    z.strictObject({
      kind: z.literal('year'),
      ...common,
      typical: number.optional(),
      age: z
        .strictObject({ name, label: text(80), usual })
        .optional()
        .meta({ description: 'A fact with the years since, at the effective date.' }),
    }),
    z.strictObject({ kind: z.literal('word'), ...common, words, typical: text(80).optional() }),
    z.strictObject({ kind: z.literal('set'), ...common, words }),
    z.strictObject({ kind: z.literal('flag'), ...common, typical: z.boolean().optional() }),
    z.strictObject({
      kind: z.literal('date'),
      ...common,
      min: z.iso.date().optional(),
      max: z.iso.date().optional(),
      typical: z.iso.date().optional(),
    }),
    z.strictObject({ kind: z.literal('zipcode'), ...common }),
  ]),
);

/** The zod schema of a file with fields. */
export const fieldFileSchema = withoutEval(() =>
  z.strictObject({
    $schema: z.string().max(500).optional(),
    $comment: z.unknown().optional(),
    format: z.literal(1),
    line: name.optional().meta({ description: 'Line of business; home if left out.' }),
    fields: z.array(fieldSchema).min(1).max(MAX_FIELDS),
    relations: z
      .array(z.strictObject({ lower: name, higher: name }))
      .max(MAX_FIELDS)
      .optional()
      .meta({ description: 'Pairs of fields: higher is never below lower.' }),
    given_together: z
      .array(z.tuple([name, name]))
      .max(MAX_FIELDS)
      .optional()
      .meta({ description: 'Pairs of fields: a request gives both or neither.' }),
    codes: z.array(name).max(MAX_FIELDS).optional().meta({ description: 'Reason codes that need no x_.' }),
  }),
);

/** Fields of a host or a carrier as plain JSON, in addition to those of a line. */
export type FieldFile = z.infer<typeof fieldFileSchema>;
type FieldEntry = FieldFile['fields'][number];

/** A vocabulary with the fields of a file, or all faults of the file, each with a JSON Pointer. */
export type ReadFieldFile =
  | { readonly vocabulary: Vocabulary; readonly faults: readonly [] }
  | { readonly vocabulary?: undefined; readonly faults: readonly Fault[] };

/** Files that extended a vocabulary, and the vocabulary before. */
const origins = new WeakMap<Vocabulary, { readonly base: Vocabulary; readonly files: readonly FieldFile[] }>();
/** Vocabularies by base and the text of their files, so that equal files give one vocabulary. */
const byText = new WeakMap<Vocabulary, Map<string, Vocabulary>>();
const MAX_CACHED_FILES = 16;

/**
 * Checks a file with fields (parsed JSON) and adds them to a vocabulary. Reports all faults at once and accepts nothing
 * then; never throws.
 *
 * @param vocabulary the line to extend @default homes
 * @example
 *  const { vocabulary, faults } = readFieldFile(JSON.parse(text));
 *  if (vocabulary) createCatalog(entries, { vocabulary });
 */
export function readFieldFile(file: unknown, vocabulary: Vocabulary = homeVocabulary): ReadFieldFile {
  if (!isObject(file))
    return refused('', 'not_a_field_file', `A file with fields is a JSON object; this is ${quoteValue(file)}.`);
  if (exceedsDepth(file, MAX_DEPTH)) return refused('', 'too_deep', `The file nests deeper than ${MAX_DEPTH} levels.`);
  const [sizeFault] = measureJson(file, '').faults;
  if (sizeFault) return refused('', sizeFault.code, `The file ${sizeFault.message}`);
  const shape = fieldFileSchema.safeParse(file);
  if (!shape.success) return { faults: issueFaults(shape.error.issues, { value: file, of: 'file', keysAt }) };
  const { data } = shape;
  const key = JSON.stringify(data);
  const cached = byText.get(vocabulary)?.get(key);
  if (cached) return { vocabulary: cached, faults: [] };
  const faults = [...lineFaults(data, vocabulary), ...findFieldFaults(data, vocabulary)];
  if (faults.length > 0) return { faults };
  const extended = extendVocabulary(vocabulary, extensionOf(data));
  const origin = origins.get(vocabulary);
  origins.set(extended, { base: origin?.base ?? vocabulary, files: [...(origin?.files ?? []), data] });
  const cache = byText.get(vocabulary) ?? new Map<string, Vocabulary>();
  byText.set(vocabulary, cache);
  if (cache.size >= MAX_CACHED_FILES) cache.delete(cache.keys().next().value!);
  cache.set(key, extended);
  return { vocabulary: extended, faults: [] };
}

/**
 * The line that files extended, and these files as plain data, to rebuild the vocabulary in a thread. The base
 * of a vocabulary without files is the vocabulary.
 *
 * @example const { base, files } = originOf(vocabulary); // files are plain JSON
 */
export function originOf(vocabulary: Vocabulary): {
  readonly base: Vocabulary;
  readonly files: readonly FieldFile[];
} {
  return origins.get(vocabulary) ?? { base: vocabulary, files: [] };
}

function refused(path: string, code: string, message: string): ReadFieldFile {
  return { faults: [{ path, code, message }] };
}

function keysAt(path: readonly PropertyKey[]): readonly string[] {
  if (path.length === 0) return Object.keys(fieldFileSchema.shape);
  if (path[0] !== 'fields' || path.length !== 2) return [];
  return [...new Set(fieldSchema.options.flatMap((option) => Object.keys(option.shape)))];
}

function lineFaults({ line = 'home' }: FieldFile, vocabulary: Vocabulary): Fault[] {
  if (line === vocabulary.line) return [];
  const message = `The file extends the line ${quoteValue(line)}, but the line here is "${vocabulary.line}"; name that in "line", or give the file to its line.`;
  return [{ path: '/line', code: 'unknown_line', message }];
}

function findFieldFaults(file: FieldFile, vocabulary: Vocabulary): Fault[] {
  const faults: Fault[] = [];
  const usedNames = new Set(factIndex(vocabulary).names);
  for (const { requestName } of vocabulary.fields) usedNames.add(requestName);
  const own = new Map<string, string>();
  const addName = (name: string, path: string) => {
    const first = own.get(name);
    if (usedNames.has(name)) {
      const message = `${quoteValue(name)} is already a field of the line ${vocabulary.line}, which a file cannot change; choose another name.`;
      faults.push({ path, code: 'name_taken', message });
    } else if (first !== undefined) {
      const message = `${quoteValue(name)} is also the name at ${first}; choose another name.`;
      faults.push({ path, code: 'duplicate_name', message });
    } else own.set(name, path);
  };
  file.fields.forEach((entry, index) => {
    const path = `/fields/${index}`;
    addName(entry.name, `${path}/name`);
    if (entry.kind === 'year' && entry.age) addName(entry.age.name, `${path}/age/name`);
    faults.push(...entryFaults(entry, path));
  });
  // References to fields, by the names of the line and of this file.
  const numbers = new Set(
    [...vocabulary.fields, ...(faults.length > 0 ? [] : file.fields.flatMap(fieldsOf))].flatMap((field) =>
      field.domain({ effectiveYear: 2000 }).kind === 'numbers' ? [field.name] : [],
    ),
  );
  if (faults.length > 0) return faults;
  const extension = extensionOf(file);
  file.relations?.forEach((relation, index) => {
    for (const end of ['lower', 'higher'] as const) {
      if (numbers.has(relation[end])) continue;
      const message = `${quoteValue(relation[end])} is not a number, year or date of the line ${vocabulary.line}; a relation needs two such fields.`;
      faults.push({ path: `/relations/${index}/${end}`, code: 'unknown_field', message });
    }
  });
  const requestNames = new Set([...vocabulary.fields, ...extension.fields].map(({ requestName }) => requestName));
  file.given_together?.forEach((pair, index) => {
    pair.forEach((name, place) => {
      if (requestNames.has(name)) return;
      const message = `${quoteValue(name)} is not a request field of the line ${vocabulary.line}.`;
      faults.push({ path: pointer('given_together', index, place), code: 'unknown_field', message });
    });
  });
  if (faults.length > 0) return faults;
  // Reserved names and other rules of all vocabularies, at the entry that they quote.
  const candidate = { ...vocabulary, fields: [...vocabulary.fields, ...extension.fields] };
  for (const message of findVocabularyFaults(candidate)) {
    const index = file.fields.findIndex((entry) => message.includes(quoteValue(entry.name)));
    const path = index < 0 ? '' : `/fields/${index}/name`;
    faults.push({ path, code: 'name_taken', message: `${message} Choose another name.` });
  }
  return faults;
}

/** Finds an empty or impossible domain, and values outside it. */
function entryFaults(entry: FieldEntry, path: string): Fault[] {
  const faults: Fault[] = [];
  const add = (key: string, message: string) => faults.push({ path: `${path}/${key}`, code: 'invalid_value', message });
  if (entry.kind === 'number' || entry.kind === 'date') {
    const { min = '1900-01-01', max = '2199-12-31' } = entry;
    if (min > max) {
      add('max', `${quoteValue(entry.name)} is from ${min} to ${max}, which is empty; max must not be below min.`);
      return faults;
    }
    const values: readonly [string, number | string | undefined][] = [
      ['typical', entry.typical],
      ['example', entry.kind === 'number' ? entry.example : undefined],
    ];
    for (const [key, value] of values) {
      if (value === undefined || (value >= min && value <= max)) continue;
      add(key, `${quoteValue(entry.name)} is from ${min} to ${max}; ${key} is ${value}. Give a value within.`);
    }
  }
  if (entry.kind === 'number') {
    const { fractions = false, typical, example, min, max } = entry;
    for (const [key, value] of Object.entries({ min, max, typical, example })) {
      if (fractions || value === undefined || Number.isInteger(value)) continue;
      add(key, `${quoteValue(entry.name)} is a whole number; ${key} is ${value}. Set "fractions": true, or round it.`);
    }
  }
  if (entry.kind === 'word' || entry.kind === 'set') {
    const distinct = new Set<string>();
    entry.words.forEach((word, index) => {
      if (word !== word.toLowerCase())
        add(`words/${index}`, `${quoteValue(word)} has capitals; write words in lower case.`);
      if (distinct.has(word)) add(`words/${index}`, `${quoteValue(word)} occurs twice; name each word once.`);
      distinct.add(word);
    });
    if (entry.kind === 'word' && entry.typical !== undefined && !distinct.has(entry.typical))
      add('typical', `${quoteValue(entry.typical)} is not one of the words; use one of: ${entry.words.join(', ')}.`);
  }
  return [...faults, ...changeFaults(entry, path)];
}

function changeFaults({ kind, change, ...entry }: FieldEntry, path: string): Fault[] {
  if (change === undefined || change === 'never' || change === 'any') return [];
  const fault = (message: string): Fault[] => [{ path: `${path}/change`, code: 'invalid_value', message }];
  const isNumber = kind === 'number' || kind === 'year' || kind === 'date';
  if (change === 'lower' || change === 'higher') {
    return isNumber ? [] : fault(`A ${kind} cannot become ${change}; give never, any, or a list of words.`);
  }
  if (isNumber || kind === 'zipcode') return fault(`A ${kind} has no words; give never, any, lower or higher.`);
  const allowed: readonly unknown[] = kind === 'word' && 'words' in entry ? entry.words : [true, false];
  const wrong = change.find((each) => !allowed.includes(each));
  return wrong === undefined ? [] : fault(`change has ${quoteValue(wrong)}; use some of: ${allowed.join(', ')}.`);
}

interface Extension {
  readonly fields: readonly Field[];
  readonly derivedFacts: readonly DerivedFact[];
  readonly relations: NonNullable<FieldFile['relations']>;
  readonly givenTogether: NonNullable<FieldFile['given_together']>;
  readonly codes: readonly string[];
}

function extensionOf(file: FieldFile): Extension {
  return {
    fields: file.fields.flatMap(fieldsOf),
    derivedFacts: file.fields.flatMap((entry): DerivedFact[] => {
      if (entry.kind !== 'year' || !entry.age) return [];
      const { name, label, usual = { min: 1, max: 200 } } = entry.age;
      return [ageFact(name, entry.name, label, usual)];
    }),
    relations: file.relations ?? [],
    givenTogether: file.given_together ?? [],
    codes: file.codes ?? [],
  };
}

/** The fields of an entry: several for a set. */
function fieldsOf(entry: FieldEntry): readonly Field[] {
  const isOnDemand = entry.always_shown !== true;
  return kindOf(entry).map((field) => (isOnDemand ? { ...field, isOnDemand } : field));
}

function kindOf(entry: FieldEntry): readonly Field[] {
  const shared = { label: entry.label, description: entry.meaning, change: changeOf(entry) };
  switch (entry.kind) {
    case 'number': {
      const { min, max, unit, example, typical, usual, fractions } = entry;
      const options = { ...shared, min, max, ...defined({ unit, example, typical, usual }) };
      return [fractions ? decimalField(entry.name, options) : integerField(entry.name, options)];
    }
    case 'year':
      return [yearField(entry.name, { ...shared, ...defined({ typical: entry.typical }) })];
    case 'word':
      return [choiceField(entry.name, { ...shared, words: entry.words, ...defined({ typical: entry.typical }) })];
    case 'set':
      return setField(entry.name, { ...shared, words: entry.words });
    case 'flag':
      return [flagField(entry.name, { ...shared, ...defined({ typical: entry.typical }) })];
    case 'date':
      return [
        dateField(entry.name, { ...shared, ...defined({ min: entry.min, max: entry.max, typical: entry.typical }) }),
      ];
    case 'zipcode':
      return [zipcodeField(entry.name, shared)];
  }
}

function changeOf({ change = 'never' }: FieldEntry): Change {
  if (typeof change === 'string') return { kind: change };
  return { kind: 'words', words: change.map((each) => (each === true ? 'yes' : each === false ? 'no' : each)) };
}

type Defined<Options> = { [Key in keyof Options]?: Exclude<Options[Key], undefined> };

/** Drops options that are undefined. */
function defined<Options extends object>(options: Options): Defined<Options> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Defined<Options>;
}

/**
 * Returns the JSON Schema of files with fields.
 *
 * @example writeFileSync('fields-1.json', JSON.stringify(fieldFileJsonSchema()));
 */
export function fieldFileJsonSchema(): { readonly [key: string]: unknown } {
  const schema = z.toJSONSchema(fieldFileSchema, { io: 'input' });
  return { $id: 'https://unpkg.com/@leeward/engine/schema/fields-1.json', ...schema };
}
