import { readWrittenNumber } from '@leeward/terms/numbers';
import { writeQuantity, writeWord } from '@leeward/terms/words';

/** The parts of a field that decide how its numbers are written. */
export interface WrittenField {
  readonly unit?: string | undefined;
  readonly integer?: boolean | undefined;
}

const FEET_PER_MILE = 5280;
const multiples: Readonly<Record<string, number>> = { k: 1_000, thousand: 1_000, m: 1_000_000, million: 1_000_000 };
const spellings: Readonly<Record<string, readonly string[]>> = {
  years: ['y', 'yr', 'yrs', 'year', 'years', 'years old'],
  days: ['d', 'day', 'days'],
  acres: ['ac', 'acre', 'acres'],
  miles: ['mi', 'mile', 'miles'],
  feet: ['ft', 'foot', 'feet'],
  'square feet': ['sf', 'sq ft', 'sqft', 'square feet'],
  dollars: ['dollar', 'dollars'],
  percent: ['%', 'percent'],
};

/**
 * Reads a number as people write it: `$450,000`, `450k`, `$1.2 million`, `12 years`, and `1,320 ft` where the field is in miles; undefined for
 * other text.
 */
export function readNumber(text: string, { unit, integer = false }: WrittenField): number | undefined {
  const plain = readWrittenNumber(text, { isWhole: integer });
  if (plain !== undefined) return plain;
  const [, digits, word] = /^(.*\d)\s*([a-z%][a-z .]*?)\.?$/i.exec(text.trim()) ?? [];
  const number = digits === undefined ? undefined : readWrittenNumber(digits);
  if (number === undefined) return undefined;
  const name = word!.toLowerCase();
  const multiple = unit === 'dollars' ? multiples[name] : undefined;
  if (multiple !== undefined) return Math.round(number * multiple);
  const named = Object.keys(spellings).find((each) => each === name || spellings[each]!.includes(name));
  if (unit !== undefined && named === unit) return number;
  if (unit === 'miles' && named === 'feet') return number / FEET_PER_MILE;
  return unit === 'feet' && named === 'miles' ? number * FEET_PER_MILE : undefined;
}

/** A number with its separators, and the sign of money: `$450,000`. Years have no separators. */
export function writeNumber(value: number, { unit }: WrittenField): string {
  const digits = value.toLocaleString('en-US', { useGrouping: unit !== 'year', maximumFractionDigits: 6 });
  return unit === 'dollars' ? digits.replace(/^-?/, '$&$') : digits;
}

const FIRST_YEAR = 1600;

/** An answer within a sentence: `$450,000`, `12 years`, `HO3`, `yes`. The year of a roof stays a year. */
export function describeAnswer(value: unknown, { unit, label }: WrittenField & { readonly label?: string }): string {
  if (typeof value === 'number')
    return writeQuantity(value, unit === 'years' && value >= FIRST_YEAR ? 'year' : unit, { label: label ?? '' });
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (!Array.isArray(value)) return writeWord(String(value));
  if (value.some((each) => typeof each === 'object')) return String(value.length);
  return value.length === 0 ? 'none' : value.map((each) => writeWord(String(each))).join(' and ');
}

/** The text of a number field as it is shown when it is left; text that cannot be read stays. */
export function showNumber(text: string, field: WrittenField): string {
  const value = readNumber(text, field);
  return value === undefined ? text : writeNumber(value, field);
}
