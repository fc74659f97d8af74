import { quoteValue } from '@leeward/terms';
import type { Change, Field, FieldOf } from './field.ts';
import { numberSchema } from './number-field.ts';

const FIRST_YEAR = 1600;
const OLDEST_AGE = 200;

/** What makes a field of calendar years, from 1600 to the year after the effective date. */
export interface YearFieldOptions {
  readonly label: string;
  readonly change: Change;
  readonly description: string;
  /** Of an ordinary property. */
  readonly typical?: number;
}

const yearDomain: Field['domain'] = ({ effectiveYear }) => ({
  kind: 'numbers',
  min: FIRST_YEAR,
  max: effectiveYear + 1,
  integer: true,
});

/** A calendar year, four digits or two: two are the latest such year that is not after next year. */
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
      const given = value as number;
      const next = effectiveYear + 1;
      const year = given <= 99 ? given + Math.floor((next - given) / 100) * 100 : given;
      if (year >= FIRST_YEAR && year <= next) return year;
      return {
        code: 'out_of_range',
        message: `${name} is ${quoteValue(given)}; give a year from ${FIRST_YEAR} to ${next}, or its last two digits.`,
      };
    },
    isPlain: true,
  };
}

/** An age in years or the year itself, told apart by size; the axis is the year. */
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
      const given = value as number;
      const next = effectiveYear + 1;
      if (given <= OLDEST_AGE) return effectiveYear - given;
      if (given >= FIRST_YEAR && given <= next) return given;
      return {
        code: 'out_of_range',
        message: `${requestName} is ${quoteValue(given)}; give an age from 0 to ${OLDEST_AGE}, or a year from ${FIRST_YEAR} to ${next}.`,
      };
    },
    isPlain: true,
    // As an age where one says the same; a roof of next year, or older than any age, has only its year.
    echo: (year, { effectiveYear }) => {
      const age = effectiveYear - (year as number);
      return age >= 0 && age <= OLDEST_AGE ? age : year;
    },
  };
}
