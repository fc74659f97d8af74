import { quoteValue } from '@leeward/terms';
import type { Change, Field, FieldOf } from './field.ts';
import { numberSchema } from './number-field.ts';

const FIRST_YEAR = 1600;
const OLDEST_AGE = 200;

/** Options of {@link yearField} and {@link ageOrYearField}. */
export interface YearFieldOptions {
  readonly label: string;
  readonly change: Change;
  readonly description: string;
  /** Value of an ordinary property. @default none */
  readonly typical?: number;
}

const yearDomain: Field['domain'] = ({ effectiveYear }) => ({
  kind: 'numbers',
  min: FIRST_YEAR,
  max: effectiveYear + 1,
  integer: true,
});

/**
 * A field with a calendar year from 1600 to the year after the effective date. Two digits mean the last such year up to next year.
 *
 * @example
 *  yearField('year_built', { label: 'year built', change: { kind: 'never' }, description: 'Year the home was built.' })
 */
export function yearField<const Name extends string>(name: Name, options: YearFieldOptions): FieldOf<Name, number> {
  return {
    name,
    requestName: name,
    label: options.label,
    unit: 'year',
    change: options.change,
    ...(options.typical === undefined ? {} : { typical: options.typical }),
    domain: yearDomain,
    schema: numberSchema(name, { min: 0, max: 9999, integer: true }).meta({
      description: options.description,
      examples: [1987],
    }),
    resolve: (value, { effectiveYear }) => {
      const input = value as number;
      const next = effectiveYear + 1;
      const year = input <= 99 ? input + Math.floor((next - input) / 100) * 100 : input;
      if (year >= FIRST_YEAR && year <= next) return year;
      return {
        code: 'out_of_range',
        message: `${name} is ${quoteValue(input)}; give a year from ${FIRST_YEAR} to ${next}, or its last two digits.`,
      };
    },
    isPlain: true,
  };
}

/**
 * A field that requests have as an age in years or as a year, distinguished by size. The axis value is the year.
 *
 * @example
 *  ageOrYearField('roof_year', 'roof_age', {
 *    label: 'year of the roof',
 *    change: { kind: 'higher' },
 *    description: 'Age of the roof in years, or the year it was laid.',
 *  })
 */
export function ageOrYearField<const Name extends string, const RequestName extends string>(
  name: Name,
  requestName: RequestName,
  options: YearFieldOptions,
): FieldOf<Name, number, RequestName> {
  return {
    name,
    requestName,
    label: options.label,
    unit: 'year',
    change: options.change,
    ...(options.typical === undefined ? {} : { typical: options.typical }),
    domain: yearDomain,
    schema: numberSchema(requestName, { min: 0, max: 9999, integer: true }).meta({
      description: options.description,
      examples: [12],
    }),
    resolve: (value, { effectiveYear }) => {
      const input = value as number;
      const next = effectiveYear + 1;
      if (input <= OLDEST_AGE) return effectiveYear - input;
      if (input >= FIRST_YEAR && input <= next) return input;
      return {
        code: 'out_of_range',
        message: `${requestName} is ${quoteValue(input)}; give an age from 0 to ${OLDEST_AGE}, or a year from ${FIRST_YEAR} to ${next}.`,
      };
    },
    isPlain: true,
    // Echo the age. A year after the effective date, or an age over 200, is echoed as the year.
    echo: (year, { effectiveYear }) => {
      const age = effectiveYear - (year as number);
      return age >= 0 && age <= OLDEST_AGE ? age : year;
    },
  };
}
