import { type Checked, quoteValue } from '../fault/fault.ts';

/** Since 1970-01-01T00:00:00Z. Exact until the year 2255. */
export type Micros = number;

/** Microseconds per millisecond. */
export const MICROS_PER_MS = 1000;

/** An instant. */
export interface Instant {
  readonly ms: number;
  /** UTC: `2026-11-20T12:00:00.000000Z`. */
  readonly text: string;
}

const pattern = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})$/i;
const firstMicros = Date.UTC(1900, 0) * MICROS_PER_MS;
const endMicros = Date.UTC(2200, 0) * MICROS_PER_MS;

/**
 * Reads ISO 8601 with an offset, from 1900 to 2199; drops digits beyond microseconds. Undefined for other text.
 * @example
 * parseMicros('1970-01-01T00:00:01Z'); // 1000000
 */
export function parseMicros(text: string): Micros | undefined {
  const match = text.length <= 40 ? pattern.exec(text.trim()) : null;
  if (match === null) return undefined;
  const [, date = '', hour = '', minute = '', second = '00', fraction = '', offset = ''] = match;
  if (!isCalendarDate(date) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const ms = Date.parse(`${date}T${hour}:${minute}:${second}${offset.toUpperCase()}`);
  if (Number.isNaN(ms)) return undefined;
  const micros = ms * MICROS_PER_MS + Number(fraction.padEnd(6, '0').slice(0, 6));
  return micros >= firstMicros && micros < endMicros ? micros : undefined;
}

/**
 * Formats an instant in UTC.
 * @example
 * formatMicros(0); // '1970-01-01T00:00:00.000000Z'
 */
export function formatMicros(instant: Micros): string {
  const ms = Math.floor(instant / MICROS_PER_MS);
  const rest = instant - ms * MICROS_PER_MS;
  return `${new Date(ms).toISOString().slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
}

/**
 * Reads an instant like {@link parseMicros}, with milliseconds and the formatted text.
 * @example
 * readInstant('2026-11-20T12:00-05:00')?.text; // '2026-11-20T17:00:00.000000Z'
 */
export function readInstant(text: string): Instant | undefined {
  const micros = parseMicros(text);
  return micros === undefined ? undefined : { ms: micros / MICROS_PER_MS, text: formatMicros(micros) };
}

/**
 * Reads an instant of a request. @param name is the field in messages.
 * @example
 * checkInstant('from', '2026-11-20T12:00:00Z'); // { value: { ms, text } }
 */
export function checkInstant(name: string, value: unknown): Checked<Instant> {
  const instant = typeof value === 'string' ? readInstant(value) : undefined;
  if (instant !== undefined) return { value: instant };
  const message = `${name} is ${quoteValue(value)}; give an instant with an offset, like 2026-11-20T12:00:00Z.`;
  return { code: typeof value === 'string' ? 'invalid_date' : 'invalid_type', message };
}

/**
 * Converts a date of the host's clock.
 * @example
 * instantOf(new Date(0)).text; // '1970-01-01T00:00:00.000000Z'
 */
export function instantOf(date: Date): Instant {
  return { ms: date.getTime(), text: formatInstant(date.getTime()) };
}

/**
 * Formats milliseconds in UTC, with microseconds.
 * @example
 * formatInstant(0); // '1970-01-01T00:00:00.000000Z'
 */
export function formatInstant(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -1)}000Z`;
}

/**
 * Returns true for a day that exists, as `YYYY-MM-DD`.
 * @example
 * isCalendarDate('2026-02-29'); // false
 */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))] as const;
  if (month < 1 || month > 12 || day < 1) return false;
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= (month === 2 && isLeapYear ? 29 : DAYS_OF_MONTH[month - 1]!);
}

const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Inclusive. */
export interface DateBounds {
  readonly from?: string;
  readonly to?: string;
  /** Replaces a personal value in messages. */
  readonly description?: string;
}

/**
 * Reads a date `YYYY-MM-DD`, by default from 1900 to 2199. @param name is the field in messages.
 * @example
 * checkDate('effective_date', '2026-11-20'); // { value: '2026-11-20' }
 */
export function checkDate(name: string, value: unknown, bounds: DateBounds = {}): Checked<string> {
  const { from = '1900-01-01', to = '2199-12-31', description = quoteValue(value) } = bounds;
  const message = `${name} is ${description}; give a date from ${from} to ${to} as YYYY-MM-DD.`;
  if (typeof value !== 'string') return { code: 'invalid_type', message };
  const date = value.trim();
  if (!isCalendarDate(date)) return { code: 'invalid_date', message };
  return date >= from && date <= to ? { value: date } : { code: 'out_of_range', message };
}

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns the date in a time zone, `YYYY-MM-DD`. @param timeZone is an IANA name.
 * @example
 * dateInZone(0, 'America/New_York'); // '1969-12-31'
 */
export function dateInZone(ms: number, timeZone: string): string {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timeZone, format);
  }
  return format.format(ms);
}

const year = '(19|20|21)[0-9]{2}';
const leapYear = '((19|21)(0[48]|[2468][048]|[13579][26])|20([02468][048]|[13579][26]))';
const day = `(${year}-(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|${year}-(0[469]|11)-(0[1-9]|[12][0-9]|30)|${year}-02-(0[1-9]|1[0-9]|2[0-8])|${leapYear}-02-29)`;
const hour = '([01][0-9]|2[0-3])';

/** Patterns of JSON Schema for times from 1900 to 2199: a date, a date that may lack its day or month, an instant with an offset. */
export const timePatterns = {
  date: `^${day}$`,
  partialDate: `^(${year}(-(0[1-9]|1[0-2]))?|${day})$`,
  instant: `^${day}T${hour}:[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-]${hour}:[0-5][0-9])$`,
} as const;
