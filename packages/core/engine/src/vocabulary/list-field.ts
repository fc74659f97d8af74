import { isCalendarDate, quoteValue } from '@leeward/terms';

/** A list of things of a property, each with fields: its losses, its animals. Plain data. */
export interface ListField {
  /** Name in requests and in rules. */
  readonly name: string;
  /** Several items: `losses`. */
  readonly label: string;
  /** One item: `loss`. */
  readonly itemLabel: string;
  readonly description: string;
  /** Maximum number of items of a property. */
  readonly maxItems: number;
  readonly fields: readonly ItemField[];
  /** The field that counts the items of the last years, if the vocabulary has one. @default none */
  readonly countedBy?: CountedBy;
  /** True for the list of events: the host gives it, and requests, forms and columns do not have it. @default false */
  readonly isFromHost?: true;
}

/** A field that holds the number of items whose age is below `years`. */
export interface CountedBy {
  readonly field: string;
  readonly years: number;
  /** The item field with the date. */
  readonly date: string;
}

/** A field of an item. Every field of an item may be missing. */
export type ItemField = {
  readonly name: string;
  readonly label: string;
  readonly description: string;
} & (
  | {
      /** A whole number, unless `isDecimal`. */
      readonly kind: 'number';
      readonly min: number;
      readonly max: number;
      readonly unit?: string;
      /** @default false */
      readonly isDecimal?: true;
    }
  | {
      readonly kind: 'word';
      readonly words: readonly string[];
      /** True if words x_… are valid too. @default false */
      readonly isOpen?: true;
    }
  /** `true` or `false`. */
  | { readonly kind: 'flag' }
  | {
      /** `YYYY-MM-DD`; `YYYY-MM` or `YYYY` if only the month or the year is known. */
      readonly kind: 'date';
      /** Name of the fact with the age in complete years at the effective date. */
      readonly age: string;
      readonly ageLabel: string;
    }
);

/** An item in the form of a request, normalized. */
export type WrittenItem = Readonly<Record<string, string | number | boolean>>;

/** Ages are from 0 to this. */
export const MAX_ITEM_AGE = 300;
/** First and last date of an item. */
export const FIRST_DATE = '1900-01-01';
export const LAST_DATE = '2199-12-31';

/**
 * Complete years from a day to a date, never negative: an anniversary counts, the day before it does not. February 29
 * has its anniversary on March 1 in years without it.
 *
 * @param day days since 1970-01-01
 * @param effectiveDate `YYYY-MM-DD`
 */
export function completeYears(day: number, effectiveDate: string): number {
  // Much faster than a text of the date.
  date.setTime(day * 86_400_000);
  const years = Number(effectiveDate.slice(0, 4)) - date.getUTCFullYear();
  const month = Number(effectiveDate.slice(5, 7)) - 1 - date.getUTCMonth();
  const isBefore = month < 0 || (month === 0 && Number(effectiveDate.slice(8, 10)) < date.getUTCDate());
  return Math.max(0, isBefore ? years - 1 : years);
}

const date = new Date(0);

/** Returns the days that a date of an item can mean, both included; undefined if it is not a date. */
export function daysOf(text: string): readonly [first: number, last: number] | undefined {
  const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / 86_400_000;
  if (isCalendarDate(text)) return [dayOf(text), dayOf(text)];
  if (/^\d{4}$/.test(text)) return [dayOf(`${text}-01-01`), dayOf(`${text}-12-31`)];
  if (!/^\d{4}-\d{2}$/.test(text) || !isCalendarDate(`${text}-01`)) return undefined;
  const [year, month] = [Number(text.slice(0, 4)), Number(text.slice(5))];
  return [dayOf(`${text}-01`), Date.UTC(year, month, 0) / 86_400_000];
}

/** Returns how many items are younger than `years`, at least and at most. An item without a date may be. */
export function countRecent(
  items: readonly WrittenItem[],
  { years, date }: CountedBy,
  effectiveDate: string,
): readonly [min: number, max: number] {
  let min = 0;
  let max = 0;
  for (const item of items) {
    const days = typeof item[date] === 'string' ? daysOf(item[date]) : undefined;
    if (!days || completeYears(days[1], effectiveDate) < years) max++;
    if (days && completeYears(days[0], effectiveDate) < years) min++;
  }
  return [min, max];
}

/** Finds the faults of the lists of a vocabulary, in sentences. */
export function listFaults({
  lists = [],
  fields,
}: {
  readonly lists?: readonly ListField[];
  readonly fields: readonly { readonly name: string }[];
}): string[] {
  const faults: string[] = [];
  const isName = (name: string) => /^[a-z][a-z0-9_]{0,63}$/.test(name);
  for (const list of lists) {
    const where = `The list ${quoteValue(list.name)}`;
    if (!Number.isInteger(list.maxItems) || list.maxItems < 1 || list.maxItems > MAX_ITEMS) {
      faults.push(`${where} has maxItems ${quoteValue(list.maxItems)}; give a whole number from 1 to ${MAX_ITEMS}.`);
    }
    if (list.fields.length === 0) faults.push(`${where} has no fields.`);
    const names = new Set<string>();
    for (const field of list.fields) {
      for (const name of field.kind === 'date' ? [field.name, field.age] : [field.name]) {
        if (names.has(name)) faults.push(`${where} has two fields ${quoteValue(name)}.`);
        if (!isName(name)) {
          faults.push(
            `${where}: ${quoteValue(name)} is not a valid name; use lower-case letters, digits and underscores.`,
          );
        }
        names.add(name);
      }
      faults.push(...itemFieldFaults(field).map((fault) => `${where}: ${quoteValue(field.name)} ${fault}`));
    }
    const { countedBy } = list;
    if (!countedBy) continue;
    if (!fields.some(({ name }) => name === countedBy.field)) {
      faults.push(`${where} is counted by ${quoteValue(countedBy.field)}, which is not a field.`);
    }
    if (!list.fields.some(({ name, kind }) => name === countedBy.date && kind === 'date')) {
      faults.push(`${where} is counted by the date ${quoteValue(countedBy.date)}, which is not a date of its items.`);
    }
  }
  return faults;
}

/** Maximum number of items that a list may allow. */
const MAX_ITEMS = 1000;

function itemFieldFaults(field: ItemField): string[] {
  if (field.kind === 'number') {
    const { min, max } = field;
    const isRange = Number.isSafeInteger(min) && Number.isSafeInteger(max) && min <= max;
    return isRange ? [] : [`is from ${min} to ${max}; give whole numbers, the smaller first.`];
  }
  if (field.kind !== 'word') return [];
  if (field.words.length === 0) return ['has no words.'];
  return new Set(field.words).size === field.words.length ? [] : ['lists a word twice.'];
}
