/** An instant: microseconds since 1970-01-01T00:00:00Z. Exact as a number until the year 2255. */
export type Micros = number;

export const microsPerMs = 1000;

/** ISO 8601 in UTC with microseconds and a trailing Z: `2026-11-20T12:00:00.000000Z`. */
export function formatMicros(instant: Micros): string {
  const milliseconds = Math.floor(instant / microsPerMs);
  const rest = instant - milliseconds * microsPerMs;
  return `${new Date(milliseconds).toISOString().slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
}

/** Reads an ISO 8601 instant with an offset; undefined for anything else. Digits beyond microseconds are dropped. */
export function parseMicros(text: string): Micros | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,9}))?(Z|[+-]\d{2}:?\d{2})$/i.exec(text.trim());
  if (match === null) return undefined;
  const [, date = '', time = '', fraction = '', offset = ''] = match;
  if (!isCalendarDate(date)) return undefined;
  const zone = offset.toUpperCase() === 'Z' ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(-2)}`;
  const seconds = Date.parse(`${date}T${time}${zone}`);
  if (Number.isNaN(seconds)) return undefined;
  return seconds * microsPerMs + Number(fraction.padEnd(6, '0').slice(0, 6));
}

/** Whether `text` is `YYYY-MM-DD` and such a day exists. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
