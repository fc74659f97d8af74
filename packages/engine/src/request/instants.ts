/** Instants and dates as requests and answers write them. */

const instantPattern = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})$/i;

export interface Instant {
  readonly ms: number;
  /** UTC with microseconds: `2026-11-20T12:00:00.000000Z`. */
  readonly text: string;
}

/** Reads an ISO 8601 instant with an offset; undefined where it is none or lies outside 1900…2199. */
export function readInstant(text: string): Instant | undefined {
  const match = text.length <= 40 ? instantPattern.exec(text.trim()) : null;
  if (!match || !isCalendarDate(`${match[1]}-${match[2]}-${match[3]}`)) return undefined;
  const [, , , , hour, minute, second = '00', fraction = '', offset = 'Z'] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const ms = Date.parse(`${match[1]}-${match[2]}-${match[3]}T${hour}:${minute}:${second}${offset.toUpperCase()}`);
  if (Number.isNaN(ms)) return undefined;
  const micros = fraction.padEnd(6, '0').slice(0, 6);
  const instant = { ms: ms + Number(micros) / 1000, text: `${new Date(ms).toISOString().slice(0, 19)}.${micros}Z` };
  const year = Number(instant.text.slice(0, 4));
  return year >= 1900 && year < 2200 ? instant : undefined;
}

/** An instant of the host's clock, printed with microseconds. */
export function instantOf(date: Date): Instant {
  return { ms: date.getTime(), text: `${date.toISOString().slice(0, 23)}000Z` };
}

/** Epoch milliseconds as text with microseconds. */
export function instantText(ms: number): string {
  return instantOf(new Date(ms)).text;
}

/** Whether text is a date of the calendar, `YYYY-MM-DD`. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === text;
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
