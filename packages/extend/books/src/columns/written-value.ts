import type { Vocabulary } from '@leeward/engine';
import { distanceNames } from '@leeward/engine/compiled';
import { type DateStyle, isObject, type NumberStyle, readWrittenDate, readWrittenNumber } from '@leeward/terms';
import { evidenceNames } from './evidence-names.ts';

/** Styles of numbers and dates in a book. @default the style of the United States */
export interface WrittenStyles {
  readonly number?: NumberStyle | undefined;
  readonly date?: DateStyle | undefined;
}

/** Words after a number, by the unit of its field. */
const unitWords: Readonly<Record<string, RegExp>> = {
  years: /\s*(?:years?|yrs?\.?)(?:\s+old)?$/i,
  days: /\s*days?$/i,
  acres: /\s*ac(?:res?)?\.?$/i,
  miles: /\s*mi(?:les?)?\.?$/i,
  feet: /\s*(?:ft\.?|feet)$/i,
  'square feet': /\s*(?:sq\.?\s*ft\.?|sqft|sf|square feet)$/i,
  percent: /\s*%$/,
};

function unitPattern(name: string, { fields }: Vocabulary): RegExp | undefined {
  if (name.endsWith('_age')) return unitWords['years'];
  const suffix = /_(miles|feet)$/.exec(name)?.[1];
  const unit = fields.find(({ requestName }) => requestName === name)?.unit;
  return unitWords[unit ?? suffix ?? ''];
}

/** Written in place of a number or date that is missing. */
const noValue = /^(?:n\/?a|unknown|unk|tbd|\?+|-+)$/i;

const numberNames = new Set<string>(['lat', 'lng', 'radius_meters', ...distanceNames.map(([name]) => name)]);

/** Undefined for a field of words. */
function kindOf(name: string, { fields }: Vocabulary): 'number' | 'whole number' | 'date' | undefined {
  if (name === 'effective_date') return 'date';
  if (numberNames.has(name)) return 'number';
  const field = fields.find(({ requestName, schema }) => requestName === name && schema !== undefined);
  // A field has whole numbers in every year or in none.
  const domain = field?.domain({ effectiveYear: 2000 });
  if (domain?.kind !== 'numbers') return undefined;
  if (field?.form) return field.form.name === 'date' ? 'date' : undefined;
  return domain.integer ? 'whole number' : 'number';
}

type ListField = NonNullable<Vocabulary['lists']>[number];

/** A list may be JSON text. Its items have numbers and dates as people write them. */
function writtenListReader({ fields }: ListField, { number, date }: WrittenStyles): (value: unknown) => unknown {
  const kinds = new Map(fields.map(({ name, kind }) => [name, kind]));
  const readItem = (item: unknown): unknown =>
    isObject(item)
      ? Object.fromEntries(
          Object.entries(item).map(([key, value]) => {
            if (typeof value !== 'string') return [key, value];
            if (kinds.get(key) === 'date') return [key, readWrittenDate(value, date) ?? value];
            if (kinds.get(key) === 'number')
              return [key, readWrittenNumber(value, { style: number, isWhole: true }) ?? value];
            return [key, value];
          }),
        )
      : item;
  return (value) => {
    const items = typeof value === 'string' ? parseJson(value) : value;
    return Array.isArray(items) ? items.map(readItem) : items;
  };
}

/** Returns the text itself if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A year may be a number. Years and months are returned unchanged. */
function readEvidenceDate(value: unknown, style: DateStyle | undefined): unknown {
  if (typeof value === 'string') return readWrittenDate(value, style) ?? value;
  return Number.isInteger(value) && (value as number) >= 1000 && (value as number) <= 9999 ? String(value) : value;
}

/**
 * Creates a function that parses written numbers and dates: `$250,000.00` becomes 250000, `12 yrs` 12 for an age, a timestamp at midnight
 * its date, and `N/A` null. It returns other values unchanged, for the schema of requests to check. Undefined for a field of words.
 *
 * @example
 * const read = writtenValueReader('dwelling_a', homeVocabulary, { number: '1.234,56' });
 */
export function writtenValueReader(
  name: string,
  vocabulary: Vocabulary,
  styles: WrittenStyles = {},
): ((value: unknown) => unknown) | undefined {
  const evidence = evidenceNames(vocabulary).get(name);
  if (evidence) return evidence.part === 'as_of' ? (value) => readEvidenceDate(value, styles.date) : undefined;
  const list = vocabulary.lists?.find((each) => each.name === name);
  if (list) return writtenListReader(list, styles);
  const kind = kindOf(name, vocabulary);
  if (kind === undefined) return undefined;
  const unit = unitPattern(name, vocabulary);
  const options = { style: styles.number, isWhole: kind === 'whole number' };
  const readNumber = (text: string) =>
    readWrittenNumber(text, options) ?? (unit && readWrittenNumber(text.replace(unit, ''), options));
  const read = kind === 'date' ? (text: string) => readWrittenDate(text, styles.date) : readNumber;
  return (value) => {
    if (typeof value !== 'string') return value;
    return noValue.test(value.trim()) ? null : (read(value) ?? value);
  };
}
