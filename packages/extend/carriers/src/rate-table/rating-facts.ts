import type { IndicationRequest } from '@leeward/quotes';
import { fieldOptions, homeQuotes, type QuotedLine } from '@leeward/quotes';
import { type JsonObject, type JsonValue, own } from '@leeward/terms';

/** Whole years at the effective date. */
const derived: Readonly<Record<string, (fields: JsonObject, effectiveDate: string) => number | undefined>> = {
  home_age: (fields, date) => yearsSince(fields['year_built'], date),
  roof_age: (fields, date) => yearsSince(fields['roof_year'], date),
  insured_age(fields, date) {
    const birth = fields['insured_date_of_birth'];
    if (typeof birth !== 'string') return undefined;
    const years = Number(date.slice(0, 4)) - Number(birth.slice(0, 4));
    return Math.max(0, date.slice(5) < birth.slice(5) ? years - 1 : years);
  },
};

const numbersOfHomes = ['dwelling_a', 'square_feet', 'year_built', 'roof_year', ...Object.keys(derived)];

/** Fields that plans of one line can use. */
export interface RatingFields {
  /** Fields of every quote, and facts derived from them. */
  readonly names: readonly string[];
  readonly isNumber: (field: string) => boolean;
  /** Undefined for other fields. */
  readonly optionsOf: (field: string) => readonly string[] | undefined;
}

const homes: RatingFields = {
  names: [
    'form_type',
    ...numbersOfHomes,
    ...homeQuotes.fields.map((field) => field.key).filter((key) => !numbersOfHomes.includes(key)),
  ],
  isNumber: (field) => numbersOfHomes.includes(field),
  optionsOf: (field) =>
    Object.hasOwn(fieldOptions, field) ? fieldOptions[field as keyof typeof fieldOptions] : undefined,
};

const fieldsOfLine = new WeakMap<QuotedLine, RatingFields>([[homeQuotes, homes]]);

/** By the JSON Schemas of the line's fields. */
export function ratingFieldsOf(line: QuotedLine): RatingFields {
  let fields = fieldsOfLine.get(line);
  if (!fields) {
    fields = readRatingFields(line);
    fieldsOfLine.set(line, fields);
  }
  return fields;
}

function readRatingFields({ fields }: QuotedLine): RatingFields {
  const numbers = new Set(fields.filter(({ schema }) => isNumberSchema(schema)).map(({ key }) => key));
  const required = fields.filter(({ isRequired = true }) => isRequired).map(({ key }) => key);
  const derivedNames: string[] = [];
  for (const [name, from] of Object.entries(derivedFrom)) {
    if (fields.some(({ key }) => key === from)) numbers.add(name);
    if (required.includes(from)) derivedNames.push(name);
  }
  const options = new Map(fields.map(({ key, schema }) => [key, wordsOfSchema(schema)]));
  return {
    names: ['form_type', ...derivedNames, ...required],
    isNumber: (field) => numbers.has(field),
    optionsOf: (field) => options.get(field),
  };
}

/** Derived facts, with their fields. */
export const derivedFrom = {
  home_age: 'year_built',
  roof_age: 'roof_year',
  insured_age: 'insured_date_of_birth',
} as const;

function eachSchema(schema: JsonObject): readonly JsonObject[] {
  const { anyOf } = schema;
  return Array.isArray(anyOf) ? [schema, ...(anyOf as readonly JsonObject[]).flatMap(eachSchema)] : [schema];
}

function isNumberSchema(schema: JsonObject): boolean {
  return eachSchema(schema).some(({ type }) => [type].flat().some((each) => each === 'integer' || each === 'number'));
}

function wordsOfSchema(schema: JsonObject): readonly string[] | undefined {
  for (const { enum: words } of eachSchema(schema)) if (Array.isArray(words)) return words.map(String);
  return undefined;
}

/** Custom fields included; undefined if missing. */
export function ratingFact(request: IndicationRequest, field: string): JsonValue | undefined {
  if (field === 'form_type') return request.formType;
  const derive = Object.hasOwn(derived, field) ? derived[field] : undefined;
  if (derive !== undefined) return derive(request.fields, request.effectiveDate);
  const value = Object.hasOwn(request.fields, field) ? request.fields[field] : requestedValue(request.fields, field);
  return value === null ? undefined : value;
}

/** `requested_coverages.hurricane.percent`. */
function requestedValue({ requested_coverages: requested }: JsonObject, field: string): JsonValue | undefined {
  const [, code, part] = /^requested_coverages\.(\w+)\.(\w+)$/.exec(field) ?? [];
  return code === undefined || part === undefined
    ? undefined
    : (own(own(requested, code), part) as JsonValue | undefined);
}

function yearsSince(year: JsonValue | undefined, effectiveDate: string): number | undefined {
  return typeof year === 'number' ? Math.max(0, Number(effectiveDate.slice(0, 4)) - year) : undefined;
}
