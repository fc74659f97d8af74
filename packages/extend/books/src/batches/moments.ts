import { states } from '@leeward/places/counties';
import { dateInZone } from '@leeward/terms';
import type { ReadBatch } from '../columns/book-reader.ts';

/** Decision time and effective date of a row. */
export interface Moment {
  readonly asOfMs: number;
  /** `YYYY-MM-DD`. */
  readonly effectiveDate: string;
}

export interface RowMoments {
  readonly moments: readonly Moment[];
  /** By row, its index in `moments`; undefined if all rows have the first. Meaningless for doubtful rows. */
  readonly ofRow: Uint32Array | undefined;
}

/** Effective dates: one for all states, or the date of an instant in each state. */
export interface StateDates {
  readonly dates: readonly string[];
  /** By index in `states`, index in `dates`. */
  readonly ofState: Uint8Array;
  /** The year of most states. */
  readonly year: number;
}

/**
 * The effective date by state of rows without one: `effectiveDate`, else the date in the state at `asOf`.
 *
 * @example
 * const { dates } = stateDates(new Date(), undefined);
 */
export function stateDates(asOf: Date, effectiveDate: string | undefined): StateDates {
  const byState = states.map(({ timeZone }) => effectiveDate ?? dateInZone(asOf.getTime(), timeZone));
  const counts = new Map<string, number>();
  for (const date of byState) counts.set(date, (counts.get(date) ?? 0) + 1);
  const dates = [...counts].sort(([, a], [, b]) => b - a).map(([date]) => date);
  return {
    dates,
    ofState: Uint8Array.from(byState, (date) => dates.indexOf(date)),
    year: Number(dates[0]!.slice(0, 4)),
  };
}

const MS_A_DAY = 86_400_000;

/** Days since 1970. */
function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / MS_A_DAY;
}

function dateOf(day: number): string {
  return new Date(day * MS_A_DAY).toISOString().slice(0, 10);
}

/**
 * Returns the moments of rows. The decision time is the row's, else the book's. The effective date is the book's, else the row's, else
 * the date in the home's state at the decision time.
 */
export class MomentReader {
  /** The year of most rows without a date. */
  readonly usualYear: number;
  readonly #asOf: Date;
  readonly #effectiveDate: string | undefined;
  readonly #usual: StateDates;
  readonly #usualMoments: readonly Moment[];

  constructor(asOf: Date, effectiveDate: string | undefined) {
    this.#asOf = asOf;
    this.#effectiveDate = effectiveDate;
    this.#usual = stateDates(asOf, effectiveDate);
    this.#usualMoments = this.#usual.dates.map((date) => ({ asOfMs: asOf.getTime(), effectiveDate: date }));
    this.usualYear = this.#usual.year;
  }

  momentsOf(read: ReadBatch, rows: number): RowMoments {
    if (read.asOf || read.effectiveDate) return this.#momentsByRow(read, rows);
    if (this.#usualMoments.length === 1) return { moments: this.#usualMoments, ofRow: undefined };
    const { state } = read.columns;
    return {
      moments: this.#usualMoments,
      ofRow: Uint32Array.from({ length: rows }, (_, row) => this.#usual.ofState[state[row]!]!),
    };
  }

  #momentsByRow({ asOf: instants, effectiveDate: days, columns, doubtful }: ReadBatch, rows: number): RowMoments {
    const ofRow = new Uint32Array(rows);
    const moments: Moment[] = [];
    const places = new Map<number, Map<number, number>>();
    const dayInState = createDayInState();
    const bookDay = this.#effectiveDate === undefined ? Number.NaN : dayOf(this.#effectiveDate);
    for (let row = 0; row < rows; row++) {
      if (doubtful[row] === 1) continue;
      const instant = instants?.[row] ?? Number.NaN;
      const asOfMs = Number.isNaN(instant) ? this.#asOf.getTime() : instant;
      const rowDay = Number.isNaN(bookDay) ? (days?.[row] ?? Number.NaN) : bookDay;
      const day = Number.isNaN(rowDay) ? dayInState(asOfMs, columns.state[row]!) : rowDay;
      const ofInstant = places.get(asOfMs) ?? new Map<number, number>();
      places.set(asOfMs, ofInstant);
      let place = ofInstant.get(day);
      if (place === undefined) {
        place = moments.push({ asOfMs, effectiveDate: dateOf(day) }) - 1;
        ofInstant.set(day, place);
      }
      ofRow[row] = place;
    }
    return {
      moments: moments.length > 0 ? moments : this.#usualMoments,
      ofRow: moments.length > 1 ? ofRow : undefined,
    };
  }
}

/** Creates a cached function that returns the date of an instant in a state. */
function createDayInState(): (asOfMs: number, state: number) => number {
  const byInstant = new Map<number, Float64Array>();
  return (asOfMs, state) => {
    const days = byInstant.get(asOfMs) ?? new Float64Array(states.length).fill(Number.NaN);
    byInstant.set(asOfMs, days);
    if (Number.isNaN(days[state]!)) days[state] = dayOf(dateInZone(asOfMs, states[state]!.timeZone));
    return days[state]!;
  };
}
