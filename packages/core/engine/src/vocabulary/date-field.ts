import { isCalendarDate, quoteValue } from '@leeward/terms';
import * as z from 'zod';
import type { Change, FieldOf, ValueForm } from './field.ts';

/** Options of {@link dateField}. Dates are `YYYY-MM-DD`. */
export interface DateFieldOptions {
  readonly label: string;
  /** Earliest date. @default '1900-01-01' */
  readonly min?: string;
  /** Latest date. @default '2199-12-31' */
  readonly max?: string;
  /** `higher` means later. */
  readonly change: Change;
  readonly description: string;
  /** Value of an ordinary property. @default `min` */
  readonly typical?: string;
}

const MS_A_DAY = 86_400_000;

/** A calendar date without a time zone. Its axis value is the number of days since 1970-01-01. */
const dateForm: ValueForm = {
  name: 'date',
  words: 'a date as YYYY-MM-DD',
  read: (written) =>
    typeof written === 'string' && isCalendarDate(written) ? Date.parse(`${written}T00:00:00Z`) / MS_A_DAY : undefined,
  write: (day) => new Date((day as number) * MS_A_DAY).toISOString().slice(0, 10),
  schema: { type: 'string', format: 'date' },
};

/**
 * A field with a calendar date. In rules, a later date is greater.
 *
 * @example
 *  dateField('purchase_date', {
 *    label: 'date of purchase',
 *    change: { kind: 'never' },
 *    description: 'Date of purchase.',
 *  })
 */
export function dateField<const Name extends string>(name: Name, options: DateFieldOptions): FieldOf<Name, string> {
  const { label, min = '1900-01-01', max = '2199-12-31', change, description } = options;
  const [first, last] = [dateForm.read(min), dateForm.read(max)] as [number, number];
  if (!(first <= last))
    throw new RangeError(
      `${name} is from ${quoteValue(min)} to ${quoteValue(max)}; give two dates, the earlier first.`,
    );
  return {
    name,
    requestName: name,
    label,
    change,
    ...(options.typical === undefined ? {} : { typical: dateForm.read(options.typical)! }),
    domain: () => ({ kind: 'numbers', min: first, max: last, integer: true }),
    schema: dateSchema(name, min, max).meta({ description, examples: [max < '2026-07-01' ? max : '2026-07-01'] }),
    resolve: (value) => dateForm.read(value)!,
    echo: dateForm.write,
    form: dateForm,
  };
}

function dateSchema(name: string, min: string, max: string): z.ZodType {
  return z.iso
    .date()
    .nullish()
    .catch((context) => context.value as never)
    .transform((value: unknown, context) => {
      if (value === null || value === undefined || (typeof value === 'string' && value.trim() === '')) return undefined;
      const fail = (code: string): never => {
        const message = `${name} is ${quoteValue(value)}; give a date from ${min} to ${max} as YYYY-MM-DD.`;
        context.addIssue({ code: 'custom', message, params: { code } });
        return z.NEVER;
      };
      if (typeof value !== 'string') return fail('invalid_type');
      const date = value.trim();
      if (!isCalendarDate(date)) return fail('invalid_date');
      return date >= min && date <= max ? date : fail('out_of_range');
    });
}
