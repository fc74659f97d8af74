import { fold, isCalendarDate, quoteValue, readInstant, suggest } from '@leeward/terms';

/** A number or the code of a word, or a fault. */
export type CellValue = number | CellFault;

/** The fault of a cell. */
export interface CellFault {
  readonly code: string;
  readonly message: string;
}

/** Messages of a column by code, with `{value}` and `{hint}` in their places. */
export type CellMessages = Readonly<Record<string, string>>;

const MS_A_DAY = 86_400_000;
const MAX_WORD_LETTERS = 200;
const MAX_CACHED = 1 << 16;

/** Fills the message of a code. `key` names the message if several have one code. */
export function cellFault(
  messages: CellMessages,
  code: string,
  value: unknown,
  { key = code, hint = '', ...others }: Readonly<Record<string, string>> = {},
): CellFault {
  const values: Readonly<Record<string, string>> = { ...others, hint, value: quoteValue(value) };
  const template = messages[key] ?? '{value} cannot be used.';
  return { code, message: template.replace(/\{(\w+)\}/g, (text, name: string) => values[name] ?? text) };
}

/** Returns a suggestion as a sentence with a leading space, or the empty string. */
export function hintOf(text: string, words: readonly string[]): string {
  const nearest = suggest(text, words);
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
}

/** Calls a function once for each distinct text. */
export function cached<Value>(read: (value: unknown) => Value): (value: unknown) => Value {
  const results = new Map<unknown, Value>();
  return (value) => {
    // Numbers are read as fast as they are found.
    if (typeof value === 'object' || typeof value === 'number') return read(value);
    let result = results.get(value);
    if (result === undefined) {
      result = read(value);
      if (results.size >= MAX_CACHED) results.clear();
      results.set(value, result);
    }
    return result;
  };
}

/** The words of a column. */
export interface ColumnWords {
  readonly words: readonly string[];
  /** Other spellings, folded. */
  readonly spellings: Readonly<Record<string, string>>;
  /** Returns the code of a text in a list of the tables, or undefined. */
  readonly find: (text: string) => number | undefined;
}

/** @param unknown the code of a fault of an unknown word */
export function readWord(value: unknown, column: ColumnWords, messages: CellMessages, unknown: string): CellValue {
  if (typeof value !== 'string') return cellFault(messages, 'invalid_type', value);
  return codeOfWord(value, column) ?? cellFault(messages, unknown, value, { hint: hintOf(value, column.words) });
}

/** Returns the code of a word. The lists of the tables ignore punctuation; requests do not. */
function codeOfWord(text: string, { words, spellings, find }: ColumnWords): number | undefined {
  if (text.length > MAX_WORD_LETTERS) return undefined;
  const code = find(text);
  const word = code === undefined ? undefined : words[code - 1];
  if (word === undefined) return undefined;
  const folded = fold(text);
  return folded === fold(word) || (Object.hasOwn(spellings, folded) && spellings[folded] === word) ? code : undefined;
}

/** Reads numbers, and digits in text as `pattern` has them. */
export function readNumber(value: unknown, messages: CellMessages, pattern: RegExp): CellValue {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string') return cellFault(messages, 'invalid_type', value);
  const text = value.trim();
  return pattern.test(text) ? Number(text) : cellFault(messages, 'invalid_number', value);
}

/** Digits without separators, as requests have them. */
export function digitsPattern(isInteger: boolean, isSigned: boolean): RegExp {
  return new RegExp(`^${isSigned ? '[+-]?' : ''}\\d{1,15}${isInteger ? '' : '(\\.\\d{1,15})?'}$`);
}

/** Returns days since 1970-01-01. */
export function readDate(value: unknown, messages: CellMessages): CellValue {
  if (typeof value !== 'string') return cellFault(messages, 'invalid_type', value);
  const date = value.trim();
  return isCalendarDate(date) ? dayOf(date) : cellFault(messages, 'invalid_date', value);
}

export function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / MS_A_DAY;
}

export function readZipcode(value: unknown, messages: CellMessages): CellValue {
  if (typeof value !== 'string' && typeof value !== 'number') return cellFault(messages, 'invalid_type', value);
  const digits = typeof value === 'string' ? /^\s*(\d{5})(?:-?\d{4})?\s*$/.exec(value)?.[1] : value;
  const isCode = Number.isInteger(Number(digits)) && Number(digits) >= 1 && Number(digits) <= 99_999;
  return digits !== undefined && isCode ? Number(digits) : cellFault(messages, 'invalid_zipcode', value);
}

/** Undefined for well-formed text of at most `maxLength` characters. */
export function textFault(value: unknown, messages: CellMessages, maxLength: number): CellFault | undefined {
  if (typeof value !== 'string') return cellFault(messages, 'invalid_type', value);
  if (value.length > maxLength) return cellFault(messages, 'invalid_length', value, { length: String(value.length) });
  return value.isWellFormed() ? undefined : cellFault(messages, 'invalid_text', value);
}

/** Returns epoch milliseconds. */
export function readInstantText(value: unknown, messages: CellMessages, maxLength: number): CellValue {
  const fault = textFault(value, messages, maxLength);
  return fault ?? readInstant(value as string)?.ms ?? cellFault(messages, 'invalid_date', value);
}
