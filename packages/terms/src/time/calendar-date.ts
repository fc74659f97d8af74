import { type Checked, quoteValue } from '../fault/fault.ts';

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
