import type { RuleSet } from '@leeward/engine';
import { findState } from '@leeward/places/counties';
import { dateInZone, formatInstant, isCalendarDate, readInstant } from '@leeward/terms';

/** Dates of an evaluation, which determine ages, versions and moratoria. */
export interface AskedAt {
  /** UTC with microseconds. */
  readonly asOf: string;
  readonly asOfMs: number;
  /** `YYYY-MM-DD`. */
  readonly effectiveDate: string;
}

/**
 * Reads a date (as noon UTC) or an instant with an offset.
 *
 * @returns Undefined if the text is neither.
 * @example
 * readAskedAt('2026-11-20')?.effectiveDate; // 2026-11-20
 */
export function readAskedAt(text: string, timeZone?: string): AskedAt | undefined {
  const instant = readInstant(isCalendarDate(text.trim()) ? `${text.trim()}T12:00:00Z` : text);
  return instant && askedAt(instant.ms, timeZone);
}

/**
 * The dates of an instant. The effective date is the instant's date in the time zone, as in requests.
 *
 * @param ms Epoch milliseconds.
 * @param timeZone IANA name.
 * @example
 * askedAt(Date.UTC(2026, 10, 20, 2), 'America/Chicago').effectiveDate; // 2026-11-19
 */
export function askedAt(ms: number, timeZone = 'UTC'): AskedAt {
  return { asOf: formatInstant(ms), asOfMs: ms, effectiveDate: dateInZone(ms, timeZone) };
}

/**
 * The main time zone of the first state of a rule set, as an IANA name.
 *
 * @example
 * readAskedAt('2026-11-20T02:00:00Z', mainTimeZone(ruleSet));
 */
export function mainTimeZone({ programs }: RuleSet): string {
  const codes = programs.flatMap(({ places }) => places.states ?? []);
  return findState(codes[0] ?? 'ny')!.timeZone;
}

/** Moves the effective date into the window of the rule set. */
export function withinWindow(at: AskedAt, { effectiveFrom, effectiveUntil }: RuleSet): AskedAt {
  if (at.effectiveDate < effectiveFrom) return { ...at, effectiveDate: effectiveFrom };
  if (effectiveUntil === undefined || at.effectiveDate < effectiveUntil) return at;
  const last = new Date(Date.parse(`${effectiveUntil}T00:00:00Z`) - 86_400_000);
  return { ...at, effectiveDate: last.toISOString().slice(0, 10) };
}
