/**
 * What a point stands for, the finest first: the point itself as given (`exact`), the building, its parcel, a place along
 * the street reckoned from house numbers, the street, the middle of a ZIP code, the middle of a city.
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

/** How near a place is to the house, from the house itself down to its ZIP code. */
export type Precision = (typeof precisions)[number];

/** Whether `precision` is as fine as `least`, or finer. */
export function isAtLeast(precision: Precision, least: Precision): boolean {
  return precisions.indexOf(precision) <= precisions.indexOf(least);
}
