import type { Point } from '@leeward/places';

/**
 * Kinds of address points: the building (`rooftop`), its `entrance`, the middle of its `parcel`, the property's entrance from the road
 * (`access`), or a point computed from house numbers (`interpolated`).
 */
export const recordKinds = ['rooftop', 'entrance', 'parcel', 'access', 'interpolated'] as const;
/** One of `recordKinds`. */
export type RecordKind = (typeof recordKinds)[number];

export interface StreetOfRecord {
  /** Name without directions and suffix, from `readStreetName`. */
  readonly core: string;
  readonly street: string;
  /** Empty if missing. */
  readonly city: string;
  /** Postal abbreviation in lower case. */
  readonly state: string;
  /** Empty if neither the record nor its position gives one. */
  readonly zip: string;
  /** True if the nearest ZIP point gave the ZIP code. */
  readonly isZipFromPosition: boolean;
}

export interface HouseRecord extends StreetOfRecord, Point {
  readonly number: string;
  readonly kind: RecordKind;
}

/** Possible numbers on one side of a stretch of street; `line` runs from `from` to `to`. */
export interface RangeRecord extends StreetOfRecord {
  /** Id of the stretch in its source, the same for both sides and all names. */
  readonly edge: number;
  readonly side: 'left' | 'right';
  /** Part before the counted part: `85-` of `85-12`; usually empty. */
  readonly prefix: string;
  readonly from: number;
  readonly to: number;
  readonly parity: 'even' | 'odd' | 'both';
  /** True if the other side counts in the opposite direction, so one of them is wrong. */
  readonly isDirectionDoubtful: boolean;
  readonly line: readonly Point[];
}
