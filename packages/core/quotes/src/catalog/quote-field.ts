import type { JsonObject, JsonValue } from '@leeward/terms';
import {
  type Checked,
  checkDate,
  type DateBounds,
  describeValue,
  didYouMean,
  digitsPattern,
  fold,
  quoteValue,
  type Refusal,
  timePatterns,
  writeLimits,
} from '@leeward/terms';

/** Context of a field check. */
export interface FieldContext {
  /** The current year if the date is unknown. */
  readonly effectiveYear: number;
  /** `YYYY-MM-DD`. */
  readonly today: string;
}

/** A key inside `fields`: its documentation and parser. */
export interface QuoteField {
  readonly key: string;
  /** @default true */
  readonly isRequired?: boolean;
  readonly schema: JsonObject;
  /** @returns the normalized value, as stored and sent to carriers. */
  read(value: JsonValue, context: FieldContext): Checked<JsonValue>;
}

/** Messages do not repeat the values of these fields. */
const personalKeys = new Set([
  'first_name',
  'last_name',
  'insured_email',
  'insured_date_of_birth',
  'insured_phone',
  'house_number',
  'street',
]);

const refuse = (code: string, key: string, value: unknown, expected: string): Refusal => ({
  code,
  message: `${key} is ${personalKeys.has(key) ? describeValue(value) : quoteValue(value)}; give ${expected}.`,
});

/** Control characters and unpaired surrogates. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const unprintable = /[\u0000-\u001f\u007f]|\p{Surrogate}/u;

/** Pattern of JSON Schema: printable, and not blank. */
const printableText = '^[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$';

export interface TextFieldOptions {
  readonly description: string;
  readonly example: string;
  readonly maxLength?: number;
  /** Accepts a JSON integer: `1420` for `"1420"`. @default false */
  readonly integers?: boolean;
}

export function textField(key: string, options: TextFieldOptions): QuoteField {
  const { description, example, maxLength = 100, integers = false } = options;
  return {
    key,
    schema: {
      type: integers ? ['string', 'integer'] : 'string',
      minLength: 1,
      maxLength,
      pattern: printableText,
      description,
      examples: [example],
    },
    read(value) {
      const candidate = integers && Number.isSafeInteger(value) ? String(value) : value;
      const expected = `text of 1 to ${maxLength} characters, like ${quoteValue(example)}`;
      if (typeof candidate !== 'string') return refuse('invalid_type', key, value, expected);
      const text = candidate.trim();
      if (text === '' || text.length > maxLength) return refuse('invalid_length', key, value, expected);
      return unprintable.test(text) ? refuse('invalid_text', key, value, expected) : { value: text };
    },
  };
}

/** `normalize` returns undefined if the text does not match. */
export function formattedField(
  key: string,
  options: {
    schema: JsonObject;
    expected: string;
    normalize: (text: string, context: FieldContext) => string | undefined;
    /** Converts a JSON integer to text. @default integers are rejected */
    fromInteger?: (value: number) => string;
  },
): QuoteField {
  return {
    key,
    schema: options.schema,
    read(value, context) {
      const text = typeof value === 'number' && Number.isSafeInteger(value) ? options.fromInteger?.(value) : value;
      if (typeof text !== 'string') return refuse('invalid_type', key, value, options.expected);
      const normalized = text.length <= 320 ? options.normalize(text.trim(), context) : undefined;
      return normalized === undefined ? refuse('invalid_format', key, value, options.expected) : { value: normalized };
    },
  };
}

/** Bounds default to the years 1900 to 2199. */
export function dateField(
  key: string,
  options: { description: string; example: string; bounds?: (context: FieldContext) => DateBounds },
): QuoteField {
  return {
    key,
    schema: {
      type: 'string',
      format: 'date',
      pattern: timePatterns.date,
      description: options.description,
      examples: [options.example],
    },
    read(value, context) {
      const personal = personalKeys.has(key) ? { description: describeValue(value) } : {};
      return checkDate(key, value, { ...options.bounds?.(context), ...personal });
    },
  };
}

export function checkedField(
  key: string,
  options: { schema: JsonObject; check: (value: JsonValue) => Checked<string> },
): QuoteField {
  return { key, schema: options.schema, read: options.check };
}

function boundsOfAnyYear(bounds: (context: FieldContext) => { min: number; max: number }) {
  const [early, late] = [1900, 2199].map((year) => bounds({ effectiveYear: year, today: `${year}-01-01` }));
  return { minimum: Math.min(early!.min, late!.min), maximum: Math.max(early!.max, late!.max) };
}

/** A JSON integer or a string of digits. */
export function integerField(
  key: string,
  options: {
    description: string;
    example: number;
    /** For messages: `dollars`, `year`. */
    unit: string;
    bounds: (context: FieldContext) => { min: number; max: number };
  },
): QuoteField {
  const range = boundsOfAnyYear(options.bounds);
  return {
    key,
    schema: {
      type: ['integer', 'string'],
      pattern: digitsPattern(range.minimum, range.maximum, { isWhole: true }),
      ...range,
      description: options.description,
      examples: [options.example],
    },
    read(value, context) {
      const { min, max } = options.bounds(context);
      const expected = `a whole number from ${writeLimits(min, max, options.unit)}, in digits without separators`;
      let number: unknown = value;
      if (typeof value === 'string') {
        if (!/^\s*\d{1,15}\s*$/.test(value)) return refuse('invalid_number', key, value, expected);
        number = Number(value);
      }
      if (typeof number !== 'number') return refuse('invalid_type', key, value, expected);
      if (!Number.isInteger(number)) return refuse('not_an_integer', key, value, expected);
      return number >= min && number <= max ? { value: number } : refuse('out_of_range', key, value, expected);
    },
  };
}

/** Ignores case, hyphens and spaces. */
export function optionField(
  key: string,
  options: {
    description: string;
    values: readonly string[];
    /** Additional spellings. @default none */
    spellings?: Readonly<Record<string, string>>;
    /** Accepts numbers: `3` for `"3"`. @default false */
    integers?: boolean;
  },
): QuoteField {
  const bySpelling = new Map<string, string>([
    ...Object.entries(options.spellings ?? {}).map(([spelling, value]) => [fold(spelling), value] as const),
    ...options.values.map((value) => [fold(value), value] as const),
  ]);
  return {
    key,
    schema: { type: 'string', enum: [...options.values], description: options.description },
    read(value) {
      const candidate = options.integers && Number.isSafeInteger(value) ? String(value) : value;
      const expected = `one of: ${options.values.join(', ')}`;
      if (typeof candidate !== 'string') return refuse('invalid_type', key, value, expected);
      const match = candidate.length <= 200 ? bySpelling.get(fold(candidate)) : undefined;
      if (match !== undefined) return { value: match };
      const refusal = refuse('unknown_value', key, value, expected);
      return { ...refusal, message: refusal.message + didYouMean(candidate, options.values) };
    },
  };
}
