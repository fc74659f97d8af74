import { states } from '@leeward/places/counties';
import { dateInZone } from '@leeward/terms';

/** The effective dates of a book: one for all, or the date of an instant in each state. */
export interface StateDates {
  readonly dates: readonly string[];
  /** By place in `states`, place in `dates`. */
  readonly ofState: Uint8Array;
  /** The year that most states are in. */
  readonly year: number;
}

/** The effective date of each state where rows say none: the given one, else the day that it is there at `asOf`. */
export function stateDates(asOf: Date, effectiveDate: string | undefined): StateDates {
  const given = states.map(({ timeZone }) => effectiveDate ?? dateInZone(asOf.getTime(), timeZone));
  const counts = new Map<string, number>();
  for (const date of given) counts.set(date, (counts.get(date) ?? 0) + 1);
  const dates = [...counts].sort(([, a], [, b]) => b - a).map(([date]) => date);
  return {
    dates,
    ofState: Uint8Array.from(given, (date) => dates.indexOf(date)),
    year: Number(dates[0]!.slice(0, 4)),
  };
}
