import type { Point } from '@leeward/places';
import type { BookRange } from '../file/address-book.ts';
import { countedNumber } from '../street/number-order.ts';
import { holdsNumber, pointOfRange } from './range-point.ts';

/** Where the middle of a lot may lie behind the middle of the road. */
const SETBACK_METERS = 50;

export interface PlaceOnRange extends Point {
  readonly spanMeters: number;
  readonly range: BookRange;
}

/** A number on a range that holds it. */
export function reckonOnRange(range: BookRange, value: number): PlaceOnRange {
  const { latitude, longitude, reachMeters } = pointOfRange(range, value);
  return { latitude, longitude, spanMeters: reachMeters + SETBACK_METERS, range };
}

/** The ranges of a street that hold a number, each stretch once: it may bear several names. */
export function rangesHolding(ranges: readonly BookRange[], number: string): readonly BookRange[] {
  const counted = countedNumber(number);
  const holding = ranges.filter((range) => holdsNumber(range, counted));
  return [...new Map(holding.map((range) => [`${range.edge} ${range.side} ${range.from}`, range])).values()];
}
