/**
 * A record of the house; its position in a range of a street; between known houses; the street near that number, or all of it. Coarser:
 * the point of the ZIP code, the points of the city. The last is for other geocoders.
 */
export const methods = [
  'address_point',
  'address_range',
  'between_houses',
  'street',
  'zip_point',
  'city_points',
  'other_geocoder',
] as const;

/** One of `methods`. */
export type Method = (typeof methods)[number];
