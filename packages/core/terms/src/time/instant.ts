import { type Checked, quoteValue } from '../fault/fault.ts';

/** An instant: microseconds since 1970-01-01T00:00:00Z. Exact as a number until the year 2255. */
export type Micros = number;

/** Microseconds a millisecond. */
export const MICROS_PER_MS = 1000;

/** An instant as requests give it and answers write it. */
export interface Instant {
  readonly ms: number;
  /** UTC with microseconds: `2026-11-20T12:00:00.000000Z`. */
  readonly text: string;
}

const pattern = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})$/i;
const firstMicros = Date.UTC(1900, 0) * MICROS_PER_MS;
const endMicros = Date.UTC(2200, 0) * MICROS_PER_MS;

/**
 * Reads an ISO 8601 instant with an offset; undefined where it is none or lies outside 1900…2199. Digits beyond
 * microseconds are dropped.
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

/** ISO 8601 in UTC with microseconds and a trailing Z: `2026-11-20T12:00:00.000000Z`. */
export function formatMicros(instant: Micros): string {
  const ms = Math.floor(instant / MICROS_PER_MS);
  const rest = instant - ms * MICROS_PER_MS;
  return `${new Date(ms).toISOString().slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
}

/** Reads an instant as {@link parseMicros} does. */
export function readInstant(text: string): Instant | undefined {
  const micros = parseMicros(text);
  return micros === undefined ? undefined : { ms: micros / MICROS_PER_MS, text: formatMicros(micros) };
}

/** An instant as every door reads it. */
export function checkInstant(name: string, value: unknown): Checked<Instant> {
  const instant = typeof value === 'string' ? readInstant(value) : undefined;
  if (instant !== undefined) return { value: instant };
  const message = `${name} is ${quoteValue(value)}; give an instant with an offset, like 2026-11-20T12:00:00Z.`;
  return { code: typeof value === 'string' ? 'invalid_date' : 'invalid_type', message };
}

/** An instant of the host's clock. */
export function instantOf(date: Date): Instant {
  return { ms: date.getTime(), text: formatInstant(date.getTime()) };
}

/** Epoch milliseconds as text with microseconds, of which the last three are zeros. */
export function formatInstant(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -1)}000Z`;
}

/** Whether `text` is `YYYY-MM-DD` and such a day exists. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === text;
}

/** From when to when, both among them, and how the value is told where it is personal. */
export interface DateBounds {
  readonly from?: string;
  readonly to?: string;
  readonly told?: string;
}

/** A date as every door reads it: `YYYY-MM-DD`, a day that exists, from 1900 to 2199 where no bounds are named. */
export function checkDate(name: string, value: unknown, bounds: DateBounds = {}): Checked<string> {
  const { from = '1900-01-01', to = '2199-12-31', told = quoteValue(value) } = bounds;
  const message = `${name} is ${told}; give a date from ${from} to ${to} as YYYY-MM-DD.`;
  if (typeof value !== 'string') return { code: 'invalid_type', message };
  const date = value.trim();
  if (!isCalendarDate(date)) return { code: 'invalid_date', message };
  return date >= from && date <= to ? { value: date } : { code: 'out_of_range', message };
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The date of an instant in a time zone (IANA name), `YYYY-MM-DD`. */
export function dateInZone(ms: number, timeZone: string): string {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timeZone, format);
  }
  return format.format(ms);
}
