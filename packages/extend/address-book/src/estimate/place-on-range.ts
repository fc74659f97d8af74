import type { Point } from '@leeward/places';
import type { BookRange } from '../file/address-book.ts';
import { countedNumber } from '../street/number-order.ts';
import { holdsNumber, pointOfRange } from './range-point.ts';

/** Maximum distance from the middle of the road to the middle of a lot. */
const SETBACK_METERS = 50;

export interface PlaceOnRange extends Point {
  readonly spanMeters: number;
  readonly range: BookRange;
}

export function placeOnRange(range: BookRange, value: number): PlaceOnRange {
  const { latitude, longitude, reachMeters } = pointOfRange(range, value);
  return { latitude, longitude, spanMeters: reachMeters + SETBACK_METERS, range };
}

/** Ranges that contain a number. A stretch with several names counts once. */
export function rangesHolding(ranges: readonly BookRange[], number: string): readonly BookRange[] {
  const counted = countedNumber(number);
  const holding = ranges.filter((range) => holdsNumber(range, counted));
  return [...new Map(holding.map((range) => [`${range.edge} ${range.side} ${range.from}`, range])).values()];
}
