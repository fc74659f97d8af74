/**
 * Precisions, finest first: a point from the caller (`exact`), the building, its parcel, a position along the street computed from
 * house numbers, the street, the middle of a ZIP code, the middle of a city.
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
 * Returns true if `precision` is `min` or finer.
 *
 * @example
 * isAsFineAs('rooftop', 'interpolated'); // true
 */
export function isAsFineAs(precision: Precision, min: Precision): boolean {
  return precisions.indexOf(precision) <= precisions.indexOf(min);
}
