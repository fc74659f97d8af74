import type { Vocabulary } from '@leeward/engine';
import { cellOfNumber } from '@leeward/engine/compiled';
import { states } from '@leeward/places/counties';
import type { BookColumns } from '../columns/book-columns.ts';
import { fallbackOf } from '../columns/row-facts.ts';
import type { BookGroup } from '../planes/book-tables.ts';
import { type CoverCheck, createCoverCheck } from '../planes/cover-check.ts';
import { FRONT } from '../planes/plane-table.ts';
import type { FieldAxis, StatePlanes } from '../planes/row-layout.ts';
import { boundsOf, missingRow } from './axis-encoder.ts';
import { cellsByFips } from './place-encoder.ts';

/** Writes the status code of each row into `codes`, or `SEARCHED` if several terms together may settle an open status. */
export type LoneCarrier = (columns: BookColumns, rows: Int32Array, codes: Uint8Array) => void;

export const SEARCHED = 255;

/** By row, the terms as bits: accepted by all known values, and possibly and certainly by the unknown ones. */
interface AcceptedTerms {
  readonly byKnown: Int32Array;
  readonly possible: Int32Array;
  readonly certain: Int32Array;
}

/**
 * Evaluates a table with a single carrier, whose planes would be nearly empty. Uses a bit per term instead of a bit per carrier, so each
 * row of an axis is one word. Undefined for several carriers, more than 32 terms, moratoria in force, computed facts, or tests of
 * fact against fact.
 */
export function createLoneCarrier(group: BookGroup, vocabulary: Vocabulary, asOfMs: number): LoneCarrier | undefined {
  const { table } = group;
  const { rows: planes, width, present, declinePlanes, axes, place, moratoria } = table;
  const isUnfit =
    table.carrierCount > 1 ||
    table.always.some((word) => word !== 0) ||
    axes.some(({ encoder, computed }) => encoder.kind === 'test' || computed) ||
    moratoria.some(({ fromMs, untilMs }) => fromMs <= asOfMs && asOfMs < untilMs);
  if (isUnfit) return undefined;
  const rowCount = planes.length / width;
  const passes = new Int32Array(rowCount).fill(-1);
  let declines = 0;
  let terms = 0;
  /** Adds a term. A term accepts all rows outside `from` to `to`, and those inside with a bit in a word. */
  const addTerm = (word: number, bit: number, isDecline: boolean, from: number, to: number) => {
    const own = 1 << terms++;
    if (isDecline) declines |= own;
    for (let row = from; row < to; row++) if ((planes[row * width + word]! & bit) === 0) passes[row]! &= ~own;
  };
  // The front of an axis becomes one term.
  const starts = [0, ...axes.map(({ firstRow }) => firstRow), rowCount];
  for (let axis = 0; axis <= axes.length; axis++) {
    for (const word of [0, 2]) {
      let row = starts[axis]!;
      const to = starts[axis + 1]!;
      while (row < to && planes[row * width + word] === 0) row++;
      if (row < to) addTerm(word, 1, word === 0, starts[axis]!, to);
    }
  }
  present.forEach((lanes, at) => {
    for (let bits = lanes; bits !== 0; bits &= bits - 1) {
      addTerm(FRONT + at, bits & -bits, at >> 1 < declinePlanes, 0, rowCount);
    }
  });
  if (terms > 32) return undefined;
  const refers = (terms === 32 ? -1 : (1 << terms) - 1) & ~declines;
  const adding = axes.map((axis) => addAxis(axis, passes, vocabulary));
  const cells = cellsByFips(place);
  const byState = states.map(({ code }) => place.states.get(code));
  let check: CoverCheck | undefined;
  const searchedTerms: (number | undefined)[] = [];
  /** Terms that test an axis without a safe cell: if one of them is open, the row needs a search. */
  const findSearched = (code: string, { unknownRow }: StatePlanes): number => {
    check ??= createCoverCheck(table, group.boxes, { vocabulary, asOfMs, widthOf: () => 1 });
    const { unknown, from, upTo } = check.ofState(code);
    let searched = 0;
    for (const [word, terms] of [declines, refers].entries()) {
      // The carrier is the first bit of a set: word 0 for declining terms, word 2 for referring ones.
      const hasUnsafe = (words: Int32Array | undefined) =>
        words?.some((bits, at) => at % 4 === 2 * word && bits !== 0) ?? false;
      if (hasUnsafe(unknown.subarray(0, 4))) searched |= terms & passes[unknownRow]! & ~passes[unknownRow + 1]!;
      axes.forEach(({ firstRow }, index) => {
        const words = [unknown.subarray(4 * index + 4, 4 * index + 8), from[index + 1], upTo[index + 1]];
        if (words.some(hasUnsafe)) searched |= terms & ~passes[firstRow + 1]!;
      });
    }
    return searched;
  };
  const needsSearch = ({ state, county }: BookColumns, row: number, open: number): boolean => {
    if (county[row]! < -1) return true;
    const number = state[row]!;
    searchedTerms[number] ??= findSearched(states[number]!.code, byState[number]!);
    return (open & searchedTerms[number]) !== 0;
  };
  let accepted: AcceptedTerms | undefined;
  return (columns, rows, codes) => {
    const { length } = rows;
    if (!accepted || accepted.byKnown.length < length) {
      accepted = { byKnown: new Int32Array(length), possible: new Int32Array(length), certain: new Int32Array(length) };
    }
    const { byKnown, possible, certain } = accepted;
    for (let index = 0; index < length; index++) {
      const county = columns.county[rows[index]!]!;
      const state = byState[columns.state[rows[index]!]!];
      const isOffered = state !== undefined && state.offeredLow !== 0 && county !== -1;
      codes[index] = isOffered ? 1 : 0;
      byKnown[index] = possible[index] = certain[index] = -1;
      if (!isOffered) continue;
      const cell = county > 0 ? cells[county]! : ~state.unknownRow;
      take(accepted, passes, index, county > 0 && cell < 0 ? state.otherCell : cell);
    }
    for (const add of adding) add(columns, rows, accepted);
    for (let index = 0; index < length; index++) {
      const can = byKnown[index]! & possible[index]!;
      const must = byKnown[index]! & certain[index]!;
      if (codes[index] === 0) continue;
      const decisive = (can & declines) !== 0 ? declines : refers;
      if ((can & decisive) === 0) continue;
      if ((must & decisive) !== 0) codes[index] = decisive === declines ? 4 : 2;
      else codes[index] = needsSearch(columns, rows[index]!, can & ~must & decisive) ? SEARCHED : 3;
    }
  };
}

type AddAxis = (columns: BookColumns, rows: Int32Array, accepted: AcceptedTerms) => void;

function addAxis(axis: FieldAxis, passes: Int32Array, vocabulary: Vocabulary): AddAxis {
  const { field, firstRow, size, encoder } = axis;
  const first = firstRow + 2;
  if (encoder.kind !== 'number') {
    const fallback = fallbackOf(field, vocabulary);
    return (columns, rows, accepted) => {
      const column = columns.fields[field] as Uint8Array | Uint16Array;
      for (let index = 0; index < rows.length; index++) {
        // Words count from 1 in columns.
        let cell = column[rows[index]!]! - 1;
        if (cell < 0 && fallback) cell = fallback(columns, rows[index]!) - 1;
        take(accepted, passes, index, cell >= 0 && cell < size ? first + cell : ~firstRow);
      }
    };
  }
  const bounds = boundsOf(axis, vocabulary);
  const { direct, min } = encoder;
  if (direct) {
    const ofPlace = new Int32Array(direct.length);
    for (let place = 0; place < direct.length; place++) ofPlace[place] = passes[first + direct[place]!]!;
    return (columns, rows, accepted) => {
      const column = columns.fields[field] as Float64Array;
      const { byKnown } = accepted;
      for (let index = 0; index < rows.length; index++) {
        const row = rows[index]!;
        const place = column[row]! - min;
        // NaN (missing) equals no whole number.
        const whole = place | 0;
        if (whole === place && whole >= 0 && whole < ofPlace.length) byKnown[index]! &= ofPlace[whole]!;
        else {
          const missing = bounds.length === 0 ? firstRow : missingRow(firstRow, bounds, encoder, columns, row);
          take(accepted, passes, index, ~missing);
        }
      }
    };
  }
  return (columns, rows, accepted) => {
    const column = columns.fields[field] as Float64Array;
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index]!;
      const value = column[row]!;
      const cell = Number.isNaN(value) ? -1 : cellOfNumber(encoder, value);
      take(accepted, passes, index, cell >= 0 ? first + cell : ~missingRow(firstRow, bounds, encoder, columns, row));
    }
  };
}

/** Adds the row of a known value. For an unknown value (a complement), adds its possible and its certain row. */
function take({ byKnown, possible, certain }: AcceptedTerms, passes: Int32Array, index: number, row: number): void {
  if (row >= 0) byKnown[index]! &= passes[row]!;
  else {
    possible[index]! &= passes[~row]!;
    certain[index]! &= passes[~row + 1]!;
  }
}
