import { states } from '@leeward/places/counties';
import { dateInZone } from '@leeward/terms';
import type { ReadBatch } from '../columns/book-reader.ts';
import { stateDates } from './state-dates.ts';

/** When some rows are asked, and the date on which they would be effective. */
export interface Moment {
  readonly asOfMs: number;
  /** `YYYY-MM-DD`. */
  readonly effectiveDate: string;
}

/** The moments of a batch. */
export interface RowMoments {
  readonly moments: readonly Moment[];
  /** By row, place in `moments`; undefined where all rows are of the first. Of doubtful rows nothing is meant. */
  readonly ofRow: Uint32Array | undefined;
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
 * Says of rows when they are asked: at the instant that a row brings, else at that of the book; effective on the date given for the
 * whole book, else on that of the row, else on the day that it is there at that instant.
 */
export function createRowMoments(asOf: Date, effectiveDate: string | undefined) {
  const usual = stateDates(asOf, effectiveDate);
  const usualMoments = usual.dates.map((date): Moment => ({ asOfMs: asOf.getTime(), effectiveDate: date }));
  const ofOwnDates = ({ asOf: instants, effectiveDate: days, columns, doubtful }: ReadBatch, rows: number) => {
    const ofRow = new Uint32Array(rows);
    const moments: Moment[] = [];
    const places = new Map<number, Map<number, number>>();
    const daysByInstant = new Map<number, Float64Array>();
    const dayInState = (asOfMs: number, state: number): number => {
      const known = daysByInstant.get(asOfMs) ?? new Float64Array(states.length).fill(Number.NaN);
      daysByInstant.set(asOfMs, known);
      if (Number.isNaN(known[state]!)) known[state] = dayOf(dateInZone(asOfMs, states[state]!.timeZone));
      return known[state]!;
    };
    const given = effectiveDate === undefined ? Number.NaN : dayOf(effectiveDate);
    for (let row = 0; row < rows; row++) {
      if (doubtful[row] === 1) continue;
      const own = instants?.[row] ?? Number.NaN;
      const asOfMs = Number.isNaN(own) ? asOf.getTime() : own;
      const asked = Number.isNaN(given) ? (days?.[row] ?? Number.NaN) : given;
      const day = Number.isNaN(asked) ? dayInState(asOfMs, columns.state[row]!) : asked;
      const ofInstant = places.get(asOfMs) ?? new Map<number, number>();
      places.set(asOfMs, ofInstant);
      let place = ofInstant.get(day);
      if (place === undefined) {
        place = moments.push({ asOfMs, effectiveDate: dateOf(day) }) - 1;
        ofInstant.set(day, place);
      }
      ofRow[row] = place;
    }
    return { moments: moments.length > 0 ? moments : usualMoments, ofRow: moments.length > 1 ? ofRow : undefined };
  };
  return {
    /** The year of most rows that bring no date. */
    usualYear: usual.year,
    of(read: ReadBatch, rows: number): RowMoments {
      if (read.asOf || read.effectiveDate) return ofOwnDates(read, rows);
      if (usualMoments.length === 1) return { moments: usualMoments, ofRow: undefined };
      return {
        moments: usualMoments,
        ofRow: Uint32Array.from({ length: rows }, (_, row) => usual.ofState[read.columns.state[row]!]!),
      };
    },
  };
}
