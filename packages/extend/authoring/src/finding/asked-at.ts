import type { RuleSet } from '@leeward/engine';
import { findState } from '@leeward/places/counties';
import { dateInZone, formatInstant, isCalendarDate, readInstant } from '@leeward/terms';

/** When a question is asked, and of which effective date: what ages, versions and moratoria hang on. */
export interface AskedAt {
  /** UTC with microseconds. */
  readonly asOf: string;
  readonly asOfMs: number;
  /** `YYYY-MM-DD`. */
  readonly effectiveDate: string;
}

/** Reads a date (noon of it, UTC) or an instant with an offset; undefined where it is neither. */
export function readAskedAt(text: string, timeZone?: string): AskedAt | undefined {
  const instant = readInstant(isCalendarDate(text.trim()) ? `${text.trim()}T12:00:00Z` : text);
  return instant && askedAt(instant.ms, timeZone);
}

/**
 * The instant, with the date it has in a time zone (IANA name) as the effective date, as requests have it. `ms`: epoch
 * milliseconds.
 */
export function askedAt(ms: number, timeZone = 'UTC'): AskedAt {
  return { asOf: formatInstant(ms), asOfMs: ms, effectiveDate: dateInZone(ms, timeZone) };
}

/** The main time zone of the first state that a rule set is written for. */
export function mainTimeZone({ programs }: RuleSet): string {
  const codes = programs.flatMap(({ places }) => places.states ?? []);
  return findState(codes[0] ?? 'ny')!.timeZone;
}

/** The same instant, with the effective date moved into the window of a rule set where it lies outside. */
export function withinWindow(at: AskedAt, { effectiveFrom, effectiveUntil }: RuleSet): AskedAt {
  if (at.effectiveDate < effectiveFrom) return { ...at, effectiveDate: effectiveFrom };
  if (effectiveUntil === undefined || at.effectiveDate < effectiveUntil) return at;
  const last = new Date(Date.parse(`${effectiveUntil}T00:00:00Z`) - 86_400_000);
  return { ...at, effectiveDate: last.toISOString().slice(0, 10) };
}
