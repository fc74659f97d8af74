import { isCalendarDate, isObject, type JsonValue, METERS_PER_FOOT, METERS_PER_MILE, own } from '@leeward/terms';
import { castTo, isTruth } from '../cast.ts';
import type { DialectEntry, DialectFile } from './schema.ts';

type Unit = NonNullable<DialectEntry['unit']>['from'];
type Scalar = string | number | boolean;

/** In the smallest unit of its kind. */
const units: Readonly<Record<Unit, readonly [kind: string, size: number]>> = {
  dollars: ['money', 100],
  cents: ['money', 1],
  feet: ['length', METERS_PER_FOOT],
  miles: ['length', METERS_PER_MILE],
  meters: ['length', 1],
  kilometers: ['length', 1000],
  square_feet: ['area', 0.09290304],
  square_meters: ['area', 1],
};

export function isSameKind(one: Unit, other: Unit): boolean {
  return units[one][0] === units[other][0];
}

/** Undefined without a notation for the value. */
export function toCarrier(value: JsonValue, entry: DialectEntry, { tables }: DialectFile): Scalar | undefined {
  if (isObject(value) || Array.isArray(value) || value === null) return undefined;
  let result: Scalar | undefined = value as Scalar;
  const table = entry.table === undefined ? undefined : own(tables, entry.table);
  if (table !== undefined) result = own(table, String(result)) as Scalar | undefined;
  if (result !== undefined && entry.unit !== undefined) {
    result = convert(result, entry.unit.from, entry.unit.to, entry.unit.decimals ?? 0);
  }
  if (result !== undefined && entry.date !== undefined) result = writeDate(String(result), entry.date);
  if (result !== undefined && entry.words !== undefined) result = isTruth(result) ? entry.words[0] : entry.words[1];
  return result === undefined ? undefined : castTo(result, entry.as);
}

/** Undefined outside the dialect. */
export function fromCarrier(value: unknown, entry: DialectEntry, { tables }: DialectFile): Scalar | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const table = entry.table === undefined ? undefined : own(tables, entry.table);
  if (isObject(table)) return Object.entries(table).find(([, code]) => String(code) === String(value))?.[0];
  if (entry.unit !== undefined) return convert(value, entry.unit.to, entry.unit.from, entry.unit.decimals_back ?? 0);
  if (entry.date !== undefined) return readDate(String(value), entry.date);
  if (entry.words !== undefined) {
    const at = entry.words.indexOf(String(value));
    return at < 0 ? undefined : at === 0;
  }
  return value;
}

function convert(value: Scalar, from: Unit, to: Unit, decimals: number): number | undefined {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  if (!Number.isFinite(number) || typeof value === 'boolean') return undefined;
  return Number(((number * units[from][1]) / units[to][1]).toFixed(decimals));
}

function writeDate(date: string, format: string): string | undefined {
  if (!isCalendarDate(date)) return undefined;
  const [year = '', month = '', day = ''] = date.split('-');
  return format.replace('YYYY', year).replace('MM', month).replace('DD', day);
}

/** As `YYYY-MM-DD`; undefined if it does not match. */
export function readDate(text: string, format: string): string | undefined {
  const part = (name: 'YYYY' | 'MM' | 'DD') => {
    const at = format.indexOf(name);
    return text.slice(at, at + name.length);
  };
  const date = `${part('YYYY')}-${part('MM')}-${part('DD')}`;
  return isCalendarDate(date) && writeDate(date, format) === text ? date : undefined;
}

/** Year, month and day once each. */
export function isDateFormat(format: string): boolean {
  return ['YYYY', 'MM', 'DD'].every((part) => format.split(part).length === 2);
}
