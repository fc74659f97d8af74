import { digitsPattern, quoteValue, writeLimits } from '@leeward/terms';
import * as z from 'zod';
import type { Change, FieldOf, Usual } from './field.ts';

/** Options of {@link integerField} and {@link decimalField}. `min` and `max` are included, in `unit`. */
export interface NumberFieldOptions {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly change: Change;
  /** @default none */
  readonly unit?: string;
  readonly description: string;
  /** @default none */
  readonly example?: number;
  /** Range of usual limits in rules. @default any */
  readonly usual?: Usual;
  /** Value of an ordinary property. @default `min` */
  readonly typical?: number;
}

/**
 * A field with a whole number. Requests may give a JSON integer or a string of digits.
 *
 * @example
 *  integerField('stories', {
 *    label: 'stories',
 *    min: 1,
 *    max: 100,
 *    change: { kind: 'never' },
 *    description: 'Number of stories.',
 *  })
 */
export function integerField<const Name extends string>(
  name: Name,
  options: NumberFieldOptions,
): FieldOf<Name, number> {
  return numberField(name, options, true);
}

/**
 * A field with a number that may have a fraction. Requests may give a JSON number or its digits as a string.
 *
 * @example
 *  decimalField('acreage', {
 *    label: 'acreage',
 *    unit: 'acres',
 *    min: 0,
 *    max: 100_000,
 *    change: { kind: 'never' },
 *    description: 'Acreage of the property.',
 *  })
 */
export function decimalField<const Name extends string>(
  name: Name,
  options: NumberFieldOptions,
): FieldOf<Name, number> {
  return numberField(name, options, false);
}

function numberField<const Name extends string>(
  name: Name,
  options: NumberFieldOptions,
  integer: boolean,
): FieldOf<Name, number> {
  const { label, min, max, unit, change, description } = options;
  return {
    name,
    requestName: name,
    label,
    ...(unit === undefined ? {} : { unit }),
    change,
    domain: () => ({ kind: 'numbers', min, max, integer }),
    ...(options.usual ? { usual: options.usual } : {}),
    ...(options.typical === undefined ? {} : { typical: options.typical }),
    schema: numberSchema(name, { min, max, integer, unit }).meta({
      description,
      ...(options.example === undefined ? {} : { examples: [options.example] }),
    }),
    resolve: (value) => value as number,
    isPlain: true,
  };
}

function patternOf(integer: boolean, signed: boolean): RegExp {
  if (integer) return signed ? /^[+-]?\d{1,15}$/ : /^\d{1,15}$/;
  return signed ? /^[+-]?\d{1,15}(\.\d{1,15})?$/ : /^\d{1,15}(\.\d{1,15})?$/;
}

/** Lenient schema of a number: a JSON number, or its digits as text, with a sign or decimal point if the domain has such numbers. */
export function numberSchema(
  name: string,
  bounds: { min: number; max: number; integer: boolean; unit?: string | undefined },
): z.ZodType {
  const { min, max, integer } = bounds;
  const kind = integer ? 'a whole number' : 'a number';
  const pattern = patternOf(integer, min < 0);
  const expectation = `${kind} from ${writeLimits(min, max, bounds.unit)}`;
  const plain = integer ? z.int().min(min).max(max) : z.number().min(min).max(max);
  // For documents; the transform below validates.
  const digits = new RegExp(digitsPattern(Math.ceil(min), Math.floor(max), { isWhole: integer }));
  return z
    .union([plain, z.string().regex(digits)])
    .nullish()
    .catch((context) => context.value as never)
    .transform((value: unknown, context) => {
      if (value === null || value === undefined) return undefined;
      const fail = (code: string, message: string): never => {
        context.addIssue({ code: 'custom', message, params: { code } });
        return z.NEVER;
      };
      let number = value;
      if (typeof value === 'string') {
        const text = value.trim();
        if (!pattern.test(text)) {
          return fail(
            'invalid_number',
            `${name} is ${quoteValue(value)}; give ${expectation}, in digits without separators.`,
          );
        }
        number = Number(text);
      }
      if (typeof number !== 'number')
        return fail('invalid_type', `${name} is ${quoteValue(value)}; give ${expectation}.`);
      if (integer && !Number.isInteger(number)) {
        return fail('not_an_integer', `${name} is ${quoteValue(value)}; give ${expectation}.`);
      }
      if (!(number >= min && number <= max)) {
        return fail('out_of_range', `${name} is ${quoteValue(value)}; give ${expectation}.`);
      }
      return number === 0 ? 0 : number;
    });
}
