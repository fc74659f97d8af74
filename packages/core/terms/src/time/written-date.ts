import { isCalendarDate } from './instant.ts';

/** Styles in addition to `YYYY-MM-DD`, shown by the last day of January. */
export const dateStyles = ['1/31/2026', '31/1/2026', '31.1.2026'] as const;
/** One of {@link dateStyles}. */
export type DateStyle = (typeof dateStyles)[number];

const midnight = /^(.+?)[T ](?:00?:00(?::00(?:\.0{1,9})?)?|12:00(?::00)? ?AM)(?: ?(?:Z|UTC|[+-]\d{2}:?\d{2}))?$/i;
const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
const MAX_CHARACTERS = 40;

/**
 * Reads `2026-01-31`, `1/31/2026` (month first unless `style` differs), or a timestamp at midnight, local time; undefined for other
 * text.
 * @example
 * readWrittenDate('1/31/2026'); // '2026-01-31'
 */
export function readWrittenDate(text: string, style: DateStyle = '1/31/2026'): string | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  const trimmed = text.trim();
  const day = midnight.exec(trimmed)?.[1] ?? trimmed;
  const parts = (style === '31.1.2026' ? dotted : slashed).exec(day);
  const date = parts === null ? day : isoDate(parts, style);
  return isCalendarDate(date) ? date : undefined;
}

function isoDate([, first = '', second = '', year]: RegExpExecArray, style: DateStyle): string {
  const [month, day] = style === '1/31/2026' ? [first, second] : [second, first];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
