import type { JsonObject, JsonValue } from '@leeward/terms';
import { fieldOptions } from '../../catalog/field-options.ts';
import { quoteFields } from '../../catalog/quote-fields.ts';
import type { CarrierRequest } from '../../ports/carrier-adapter.ts';

/** Ages in whole years at the effective date, from the field that gives the year or the day. */
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

const numbers = ['dwelling_a', 'square_feet', 'year_built', 'roof_year', ...Object.keys(derived)];

/** What a plan may name: required fields that can be rated by, and what is derived from them. */
export const ratingFields: readonly string[] = [
  'form_type',
  ...numbers,
  ...quoteFields.map((field) => field.key).filter((key) => !numbers.includes(key)),
];

/** The allowed values of an option field; undefined for others. */
export function optionsOf(field: string): readonly string[] | undefined {
  return Object.hasOwn(fieldOptions, field) ? fieldOptions[field as keyof typeof fieldOptions] : undefined;
}

export function isNumberField(field: string): boolean {
  return numbers.includes(field);
}

/** The value of a field in a request, extra fields included; undefined where it is not given. */
export function ratingFact(request: CarrierRequest, field: string): JsonValue | undefined {
  if (field === 'form_type') return request.formType;
  const derive = Object.hasOwn(derived, field) ? derived[field] : undefined;
  if (derive !== undefined) return derive(request.fields, request.effectiveDate);
  const value = Object.hasOwn(request.fields, field) ? request.fields[field] : undefined;
  return value === null ? undefined : value;
}

function yearsSince(year: JsonValue | undefined, effectiveDate: string): number | undefined {
  return typeof year === 'number' ? Math.max(0, Number(effectiveDate.slice(0, 4)) - year) : undefined;
}
