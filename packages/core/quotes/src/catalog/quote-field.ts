import type { JsonObject, JsonValue } from '@leeward/terms';
import {
  type Checked,
  checkDate,
  type DateBounds,
  describeValue,
  didYouMean,
  fold,
  quoteValue,
  type Refusal,
} from '@leeward/terms';

/** What the check of a field may depend on. */
export interface FieldContext {
  /** Year of the effective date, or of today where that is not known. */
  readonly effectiveYear: number;
  /** `YYYY-MM-DD`. */
  readonly today: string;
}

/** One key inside `fields`: how it is documented, and how it is read. */
export interface QuoteField {
  readonly key: string;
  /** Default true. */
  readonly isRequired?: boolean;
  /** JSON Schema of the value as it should be sent. */
  readonly schema: JsonObject;
  /** The value normalized, as it is stored and reaches carriers. */
  read(value: JsonValue, context: FieldContext): Checked<JsonValue>;
}

/** Who the insured is, how to reach them and where they live. */
const personalKeys = new Set([
  'first_name',
  'last_name',
  'insured_email',
  'insured_date_of_birth',
  'insured_phone',
  'house_number',
  'street',
]);

const refuse = (code: string, key: string, value: unknown, wanted: string): Refusal => ({
  code,
  message: `${key} is ${personalKeys.has(key) ? describeValue(value) : quoteValue(value)}; give ${wanted}.`,
});

/** Control characters and halves of surrogate pairs: nothing that a person typed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const unprintable = /[\u0000-\u001f\u007f]|\p{Surrogate}/u;

export interface TextFieldOptions {
  readonly description: string;
  readonly example: string;
  readonly maxLength?: number;
  /** Digits may come as a JSON integer: `1420` for `"1420"`. */
  readonly integers?: boolean;
}

/** A line of text, trimmed. */
export function textField(key: string, options: TextFieldOptions): QuoteField {
  const { description, example, maxLength = 100, integers = false } = options;
  return {
    key,
    schema: {
      type: integers ? ['string', 'integer'] : 'string',
      minLength: 1,
      maxLength,
      description,
      examples: [example],
    },
    read(value) {
      const given = integers && Number.isSafeInteger(value) ? String(value) : value;
      const wanted = `text of 1 to ${maxLength} characters, like ${quoteValue(example)}`;
      if (typeof given !== 'string') return refuse('invalid_type', key, value, wanted);
      const text = given.trim();
      if (text === '' || text.length > maxLength) return refuse('invalid_length', key, value, wanted);
      return unprintable.test(text) ? refuse('invalid_text', key, value, wanted) : { value: text };
    },
  };
}

/** Text of a certain form; `normalize` gives undefined for what is not of it. */
export function formattedField(
  key: string,
  options: {
    schema: JsonObject;
    wanted: string;
    normalize: (text: string, context: FieldContext) => string | undefined;
    /** Where a JSON integer is taken as well: the text that it stands for. */
    fromInteger?: (value: number) => string;
  },
): QuoteField {
  return {
    key,
    schema: options.schema,
    read(value, context) {
      const text = typeof value === 'number' && Number.isSafeInteger(value) ? options.fromInteger?.(value) : value;
      if (typeof text !== 'string') return refuse('invalid_type', key, value, options.wanted);
      const normalized = text.length <= 320 ? options.normalize(text.trim(), context) : undefined;
      return normalized === undefined ? refuse('invalid_format', key, value, options.wanted) : { value: normalized };
    },
  };
}

/** `YYYY-MM-DD`, a day that exists, within bounds; default from 1900 to 2199. */
export function dateField(
  key: string,
  options: { description: string; example: string; bounds?: (context: FieldContext) => DateBounds },
): QuoteField {
  return {
    key,
    schema: { type: 'string', format: 'date', description: options.description, examples: [options.example] },
    read(value, context) {
      const personal = personalKeys.has(key) ? { description: describeValue(value) } : {};
      return checkDate(key, value, { ...options.bounds?.(context), ...personal });
    },
  };
}

/** What another package reads: a state, say. */
export function checkedField(
  key: string,
  options: { schema: JsonObject; check: (value: JsonValue) => Checked<string> },
): QuoteField {
  return { key, schema: options.schema, read: options.check };
}

/** What holds whichever year it is, for the reference. */
function boundsOfAnyYear(bounds: (context: FieldContext) => { min: number; max: number }): JsonObject {
  const [early, late] = [1900, 2199].map((year) => bounds({ effectiveYear: year, today: `${year}-01-01` }));
  return { minimum: Math.min(early!.min, late!.min), maximum: Math.max(early!.max, late!.max) };
}

/** A whole number within bounds: a JSON integer or a string of digits. */
export function integerField(
  key: string,
  options: { description: string; example: number; bounds: (context: FieldContext) => { min: number; max: number } },
): QuoteField {
  return {
    key,
    schema: {
      type: ['integer', 'string'],
      pattern: '^[0-9]{1,9}$',
      ...boundsOfAnyYear(options.bounds),
      description: options.description,
      examples: [options.example],
    },
    read(value, context) {
      const { min, max } = options.bounds(context);
      const wanted = `a whole number from ${min} to ${max}, in digits without separators`;
      let number: unknown = value;
      if (typeof value === 'string') {
        if (!/^\s*\d{1,15}\s*$/.test(value)) return refuse('invalid_number', key, value, wanted);
        number = Number(value);
      }
      if (typeof number !== 'number') return refuse('invalid_type', key, value, wanted);
      if (!Number.isInteger(number)) return refuse('not_an_integer', key, value, wanted);
      return number >= min && number <= max ? { value: number } : refuse('out_of_range', key, value, wanted);
    },
  };
}

/** One of a fixed set of values; case, hyphens and blanks are forgiven. */
export function optionField(
  key: string,
  options: {
    description: string;
    values: readonly string[];
    /** Other spellings of some of the values. */
    spellings?: Readonly<Record<string, string>>;
    /** Numbers count as their digits: `3` for `"3"`. */
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
      const given = options.integers && Number.isSafeInteger(value) ? String(value) : value;
      const wanted = `one of: ${options.values.join(', ')}`;
      if (typeof given !== 'string') return refuse('invalid_type', key, value, wanted);
      const found = given.length <= 200 ? bySpelling.get(fold(given)) : undefined;
      if (found !== undefined) return { value: found };
      const refusal = refuse('unknown_value', key, value, wanted);
      return { ...refusal, message: refusal.message + didYouMean(given, options.values) };
    },
  };
}
