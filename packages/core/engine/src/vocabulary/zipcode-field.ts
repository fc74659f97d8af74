import { quoteValue } from '@leeward/terms';
import * as z from 'zod';
import type { FieldOf, ValueForm } from './field.ts';

/** Options of {@link zipcodeField}. */
export interface ZipcodeFieldOptions {
  readonly label: string;
  readonly description: string;
}

const MIN_CODE = 1;
const MAX_CODE = 99_999;
const DIGITS = 5;

/** A ZIP code. The axis holds it as a number; rules and requests write five digits. */
const zipcodeForm: ValueForm = {
  name: 'zipcode',
  words: 'five digits in quotes ("77550")',
  read: (written) => (typeof written === 'string' && /^\d{5}$/.test(written) ? Number(written) : undefined),
  write: (code) => String(code).padStart(DIGITS, '0'),
  schema: { type: 'string', pattern: '^[0-9]{5}$' },
  range: {
    words: 'ZIP codes, ranges ("77550-77554") and prefixes ("775*")',
    read: readRange,
    schema: { type: 'string', pattern: '^([0-9]{5}(-[0-9]{5})?|[0-9]{1,4}\\*)$' },
  },
};

/** Reads a ZIP code, a range with both ends included, or a prefix. */
function readRange(written: unknown): readonly [min: number, max: number] | undefined {
  if (typeof written !== 'string') return undefined;
  const prefix = /^(\d{1,4})\*$/.exec(written)?.[1];
  if (prefix !== undefined) return [Number(prefix.padEnd(DIGITS, '0')), Number(prefix.padEnd(DIGITS, '9'))];
  const [, first, last = first] = /^(\d{5})(?:-(\d{5}))?$/.exec(written) ?? [];
  if (first === undefined || Number(first) > Number(last)) return undefined;
  return [Number(first), Number(last)];
}

/**
 * A field with a ZIP code of the United States. Rules test it with `equal`, or with `in` and a list of codes, ranges and
 * prefixes. Requests may add the last four digits, which are dropped.
 *
 * @example
 *  zipcodeField('zipcode', { label: 'ZIP code', description: 'ZIP code of the home.' })
 */
export function zipcodeField<const Name extends string>(
  name: Name,
  { label, description }: ZipcodeFieldOptions,
): FieldOf<Name, string> {
  return {
    name,
    requestName: name,
    label,
    change: { kind: 'never' },
    typical: 33_101,
    domain: () => ({ kind: 'numbers', min: MIN_CODE, max: MAX_CODE, integer: true }),
    schema: zipcodeSchema(name).meta({ description, examples: ['77550'] }),
    resolve: (value) => Number(value),
    echo: zipcodeForm.write,
    form: zipcodeForm,
  };
}

function zipcodeSchema(name: string): z.ZodType {
  return z
    .union([
      z.string().regex(/^(0000[1-9]|000[1-9]\d|00[1-9]\d{2}|0[1-9]\d{3}|[1-9]\d{4})(-?\d{4})?$/),
      z.int().min(MIN_CODE).max(MAX_CODE),
    ])
    .nullish()
    .catch((context) => context.value as never)
    .transform((value: unknown, context) => {
      if (value === null || value === undefined) return undefined;
      const code = readZipcode(value);
      if (code !== undefined) return code;
      const isText = typeof value === 'string' || typeof value === 'number';
      const message = `${name} is ${quoteValue(value)}; give the five digits of a ZIP code as text, such as "02139".`;
      context.addIssue({ code: 'custom', message, params: { code: isText ? 'invalid_zipcode' : 'invalid_type' } });
      return z.NEVER;
    });
}

/** Returns the five digits. A number that lost its leading zeros regains them. Undefined for anything else. */
function readZipcode(value: unknown): string | undefined {
  if (typeof value === 'number') {
    return Number.isInteger(value) && value >= MIN_CODE && value <= MAX_CODE
      ? String(value).padStart(DIGITS, '0')
      : undefined;
  }
  const code = typeof value === 'string' ? /^\s*(\d{5})(?:-?\d{4})?\s*$/.exec(value)?.[1] : undefined;
  return code === undefined || Number(code) < MIN_CODE ? undefined : code;
}
