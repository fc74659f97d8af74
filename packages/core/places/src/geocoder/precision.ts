/**
 * Finest first: a point from the caller (`exact`), the building, its parcel, a position by house numbers, the street, the middle of a
 * ZIP code, of a city.
 */
export const precisions = [
  'exact',
  'rooftop',
  'parcel',
  'interpolated',
  'street',
  'zip_centroid',
  'city_centroid',
] as const;

/** One of `precisions`. */
export type Precision = (typeof precisions)[number];

/**
 * True for `min` or finer.
 * @example
 * isAsFineAs('rooftop', 'interpolated'); // true
 */
export function isAsFineAs(precision: Precision, min: Precision): boolean {
  return precisions.indexOf(precision) <= precisions.indexOf(min);
}
