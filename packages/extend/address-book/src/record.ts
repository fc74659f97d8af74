import type { Point } from '@leeward/places';

/**
 * What an address record stands for: the building (`rooftop`), its door (`entrance`), the middle of its `parcel`, the place
 * where the property is entered from the road (`access`), or a point that was itself reckoned from house numbers (`interpolated`).
 */
export const recordKinds = ['rooftop', 'entrance', 'parcel', 'access', 'interpolated'] as const;
/** What the point of an address marks. */
export type RecordKind = (typeof recordKinds)[number];

/** A street in one city and ZIP code, as a record names it. */
export interface StreetOfRecord {
  /** The name without directions and suffix, as `readStreetName` gives it. */
  readonly core: string;
  readonly street: string;
  /** Empty where the record has none. */
  readonly city: string;
  /** Postal abbreviation in lower case. */
  readonly state: string;
  /** Empty where neither the record nor its position tells. */
  readonly zip: string;
  /** The record has no ZIP code of its own: this one is that of the nearest ZIP point. */
  readonly isZipFromPosition: boolean;
}

/** One house. */
export interface HouseRecord extends StreetOfRecord, Point {
  readonly number: string;
  readonly kind: RecordKind;
}

/** The numbers that one side of a stretch of street may have; `line` runs from `from` to `to`. */
export interface RangeRecord extends StreetOfRecord {
  /** Names the stretch in its source, alike for both sides and for every name of the street. */
  readonly edge: number;
  readonly side: 'left' | 'right';
  /** What stands before the counted part of each number: `85-` of `85-12`; mostly empty. */
  readonly prefix: string;
  readonly from: number;
  readonly to: number;
  readonly parity: 'even' | 'odd' | 'both';
  /** The other side of the stretch counts the other way, so that the direction of one of them is wrong. */
  readonly isDirectionDoubtful: boolean;
  readonly line: readonly Point[];
}
